"""Durations as people write them: ``90``, ``1m30s``, ``2h``."""

import re

UNITS = {"s": 1, "m": 60, "h": 3600}

_PART = re.compile(r"(\d+)([a-z])")


class DurationError(ValueError):
    """The text is no duration."""


def parse(text):
    """Seconds in ``text``; a bare number is seconds already."""
    if text.isdigit():
        return int(text)
    parts = _PART.findall(text)
    if not parts or "".join(number + unit for number, unit in parts) != text:
        raise DurationError(f"not a duration: {text!r}")
    return sum(int(number) * _seconds(unit) for number, unit in parts)


def _seconds(unit):
    if unit not in UNITS:
        raise DurationError(f"unknown unit: {unit!r}")
    return UNITS[unit]


def render(seconds):
    """The shortest text that :func:`parse` reads as ``seconds``."""
    parts = []
    for unit, size in sorted(UNITS.items(), key=lambda item: -item[1]):
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count}{unit}")
    return "".join(parts) or "0s"
