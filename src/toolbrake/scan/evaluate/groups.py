"""Which sources are averaged together: agents that loop all the time and agents that seldom do are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolbrake.scan.evaluate.metrics import Tally
from toolbrake.scan.evaluate.rates import mean, rates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolbrake.scan.evaluate.metrics import Level
    from toolbrake.scan.evaluate.rates import Rates

WEAK = "weak agents"
STRONG = "strong agents"
OTHER = "other sources"

_GROUPS = {
    # From a sixth to most of the runs read hold a loop (2023 models, garbled arguments, scripted group chats);
    # all runs of whowhen failed.
    WEAK: ("agentrx_magentic", "claudecode_kimi", "intercode", "reflexion_hotpotqa", "whowhen"),
    # A few percent at most; sweagent_demos are demonstrations.
    STRONG: (
        "agentrx_tau_retail",
        "claudecode_tbench",
        "miniswe_gemini3",
        "sweagent_demos",
        "tau2_activegraph",
        "tau_airline_gpt4o",
    ),
}
_GROUP_OF = {source: group for group, sources in _GROUPS.items() for source in sources}


def group_of(source: str) -> str:
    """The group that a source is averaged in."""
    return _GROUP_OF.get(source, OTHER)


def grouped(tallies: Mapping[str, Tally]) -> Iterator[tuple[str, dict[str, Tally]]]:
    """The groups that have sources, with their sources by name."""
    for group in (WEAK, STRONG, OTHER):
        members = {source: tallies[source] for source in sorted(tallies) if group_of(source) == group}
        if members:
            yield group, members


def level(tally: Tally, name: str) -> Level:
    """The ``hint`` or the ``stop`` level of a tally."""
    return tally.hint if name == "hint" else tally.stop


def mean_rates(tallies: Iterable[Tally], name: str) -> Rates:
    """The mean of a level's figures over sources, each weighing the same."""
    return mean(rates(tally, level(tally, name)) for tally in tallies)


def whole(tallies: Iterable[Tally]) -> Tally:
    """All runs in one tally: for the labelled sample, whose published figures are of the sample as a whole."""
    total = Tally()
    for tally in tallies:
        total.add(tally)
    return total
