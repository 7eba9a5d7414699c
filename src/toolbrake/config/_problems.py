"""Everything that is wrong with one configuration, raised as one error."""

from __future__ import annotations

import reprlib

from toolbrake.errors import ConfigError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Problems:
    """Collects sentences while a configuration is read, so that one run shows all there is to mend."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: list[ConfigError] = []

    def add(self, sentence: str) -> None:
        """Note one thing to mend."""
        self._found.append(ConfigError((sentence,)))

    def take(self, error: ConfigError) -> None:
        """Note an error that was raised elsewhere. If it stays the only one, it is raised as it is."""
        self._found.append(error)

    def refuse(self, place: str, value: object, accepted: str) -> None:
        """Note a value that is not what its key accepts."""
        self.add(f"{place} must be {accepted} (got {shown(value)})")

    def unknown(
        self, place: str, what: str, written: object, accepted: Iterable[str], *, spellings: Iterable[str] = ()
    ) -> None:
        """Note a name that is none of ``accepted``, nor of their other ``spellings``.

        Its value is not shown: a misplaced one may be a secret.
        """
        choices = list(accepted)
        near = nearest(written, [*choices, *spellings]) if isinstance(written, str) else ""
        hint = f"did you mean {near}?" if near else f"accepted: {', '.join(choices)}"
        self.add(f"{place} is not a known {what}; {hint}")

    def about(self, place: str) -> bool:
        """Whether anything below a place was refused."""
        return any(sentence.startswith(f"{place}.") for error in self._found for sentence in error.problems)

    def raise_any(self) -> None:
        """Raise what was found, if anything was.

        Raises:
            ConfigError: at least one problem was noted; ``problems`` holds them in the order they were met.
        """
        if not self._found:
            return
        if len(self._found) == 1:
            raise self._found[0]
        raise ConfigError(problem for error in self._found for problem in error.problems)


def nearest(written: str, known: Iterable[str]) -> str:
    """The one of ``known`` that was most likely meant; empty if none is near."""
    import difflib  # noqa: PLC0415 - only a mistake pays for it

    return next(iter(difflib.get_close_matches(written, list(known), n=1)), "")


def shown(value: object) -> str:
    """A value in a message: its repr, cut where it is long, deep or wide."""
    return _SHORT.repr(value)


_SHORT = reprlib.Repr()
_SHORT.maxlevel = 3
_SHORT.maxdict = _SHORT.maxlist = _SHORT.maxtuple = 8
_SHORT.maxstring = _SHORT.maxother = 80
