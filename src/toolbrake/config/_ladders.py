"""What the key ``ladder`` accepts: the rungs of the rules that have them."""

from __future__ import annotations

from collections.abc import Mapping

from toolbrake.config._checks import Keys, elements, integer, section, text, whole
from toolbrake.core.ladder import Ladder
from toolbrake.core.ladder import problems as unreachable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from toolbrake.config._problems import Problems


def _counts(place: str, value: object, problems: Problems) -> list[int]:
    """The counts that draw a reminder: one number, or a list of different ones."""
    if not isinstance(value, list):
        value = [value]
    counts = []
    for at, element in elements(place, value, problems, "a whole number of at least 1, or a list of them"):
        count = whole(element)
        if count is None or count < 1:
            problems.refuse(at, element, "a whole number of at least 1")
        elif count in counts:
            problems.add(f"{at} repeats {count}; every count must be there once")
        else:
            counts.append(count)
    return counts


_REMIND = Keys({"remind": _counts})
_RUNGS = Keys({"remind": _counts, "ask": integer(1), "deny": integer(1), "halt": integer(1)})


def ladder(place: str, value: object, problems: Problems) -> Ladder:
    """A ladder of every action."""
    return _built(place, section(_RUNGS)(place, value, problems), problems)


def reminders(place: str, value: object, problems: Problems) -> Ladder:
    """A ladder of a rule whose evidence is too weak for more than a reminder."""
    return _built(place, section(_REMIND)(place, value, problems), problems)


def ladders_by_tool(place: str, value: object, problems: Problems) -> dict[str, Ladder]:
    """Ladders of reminders by tool pattern."""
    if not isinstance(value, Mapping):
        problems.refuse(place, value, "a mapping of tool patterns to ladders")
        return {}
    ladders: dict[str, Ladder] = {}
    for pattern, own in value.items():
        text(f"{place}: each key", pattern, problems)
        ladders[str(pattern)] = reminders(f"{place}.{pattern}", own, problems)
    return ladders


def _built(place: str, rungs: dict[str, object], problems: Problems) -> Ladder:
    built = Ladder(**rungs)  # type: ignore[arg-type]  # the checks above let nothing else pass
    if not problems.about(place):  # a rung that was refused says nothing about the others
        for problem in unreachable(built):
            problems.add(f"{place}: {problem}")
    return built
