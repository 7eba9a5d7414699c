"""The text of a number as RFC 8785 has it."""

from __future__ import annotations

_LONGEST_INTEGER = 21
_LEADING_ZEROS = 6
"""From ECMAScript's Number::toString: past these an exponent is written."""


def number(value: float) -> str:
    """The text of a finite float by ECMAScript's Number::toString (RFC 8785 section 3.2.2.3).

    Python's ``repr`` has the same digits, the shortest that read back as the same number; only the point and the
    exponent are placed otherwise.
    """
    if value == 0:
        return "0"
    mantissa, _, exponent = float.__repr__(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    padded = whole + fraction
    digits = padded.lstrip("0")
    point = len(whole) + int(exponent or 0) - (len(padded) - len(digits))
    sign = "-" if value < 0 else ""
    return sign + _placed(digits.rstrip("0"), point)


def _placed(digits: str, point: int) -> str:
    """The significant digits with the decimal point after ``point`` of them."""
    if len(digits) <= point <= _LONGEST_INTEGER:
        return digits + "0" * (point - len(digits))
    if 0 < point <= _LONGEST_INTEGER:
        return f"{digits[:point]}.{digits[point:]}"
    if -_LEADING_ZEROS < point <= 0:
        return f"0.{'0' * -point}{digits}"
    rest = f".{digits[1:]}" if digits[1:] else ""
    return f"{digits[0]}{rest}e{point - 1:+d}"
