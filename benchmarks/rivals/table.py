"""The checked-in results as one Markdown table."""

from __future__ import annotations

from typing import Any

STRONG, WEAK = "strong agents", "weak agents"
_COLUMNS = (
    "subject",
    "hint: loops",
    "early",
    "polling",
    "none",
    "precision",
    "saved",
    "delay",
    "stop: loops",
    "on others",
    "saved",
    "per 1,000, strong",
    "weak",
    "ok ended, strong",
    "weak",
    "probes",
    "cases: in time",
    "alone",
)
NOTHING = "-"


def markdown(results: dict[str, Any]) -> str:
    """A row a subject."""
    rows = [_COLUMNS, ("---",) * len(_COLUMNS), *(_row(name, each) for name, each in results["subjects"].items())]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _row(name: str, fields: dict[str, Any]) -> tuple[str, ...]:
    sample = fields["sample"]
    return (
        name,
        *_hint(sample),
        *_stop(sample),
        *_runs(fields["groups"]),
        _probes(fields["probes"]),
        *(_aspect(fields["cases"]["aspects"][aspect]) for aspect in ("acts in time", "leaves alone")),
    )


def _hint(sample: dict[str, Any]) -> tuple[str, ...]:
    counts, rates = sample["hint"]["counts"], sample["hint"]["rates"]
    return (
        f"{counts['found']}/{sample['loops']}",
        str(counts["early"]),
        f"{counts['on_polling']}/{sample['polling']}",
        f"{counts['on_none']}/{sample['none']}",
        NOTHING if rates["precision"] is None else f"{rates['precision']:.2f}",
        _percent(rates["onset_saved"]),
        NOTHING if rates["delay"] is None else f"{rates['delay']:g}",
    )


def _stop(sample: dict[str, Any]) -> tuple[str, ...]:
    counts = sample["stop"]["counts"]
    others = sample["polling"] + sample["minor"] + sample["none"]
    fired = counts["on_polling"] + counts["on_minor"] + counts["on_none"]
    saved = _percent(sample["stop"]["rates"]["onset_saved"])
    return f"{counts['found']}/{sample['loops']}", f"{fired}/{others}", saved


def _runs(groups: dict[str, Any]) -> tuple[str, ...]:
    hint = [groups.get(group, {}).get("hint", {}) for group in (STRONG, WEAK)]
    stop = [groups.get(group, {}).get("stop", {}) for group in (STRONG, WEAK)]
    per_1000 = (each.get("per_1000") for each in hint)
    ended = (each.get("ok_fired") for each in stop)
    return (*(NOTHING if value is None else f"{value:.1f}" for value in per_1000), *(_percent(v) for v in ended))


def _probes(probes: list[dict[str, Any]]) -> str:
    loops = [each["good"] for each in probes if each["loop"]]
    work = [each["good"] for each in probes if not each["loop"]]
    return f"{sum(loops)}/{len(loops)}, {sum(work)}/{len(work)}"


def _aspect(counts: dict[str, int]) -> str:
    return f"{counts['good']}/{counts['of']}"


def _percent(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1%}"
