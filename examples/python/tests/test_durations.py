import pytest

from durations import DurationError, parse, render


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("90", 90), ("45s", 45), ("1m30s", 90), ("2h", 7200), ("1d", 86400), ("1w2d", 777600)],
)
def test_parse(text, seconds):
    assert parse(text) == seconds


@pytest.mark.parametrize("text", ["", "m", "1x", "1m 30s", "-1s"])
def test_parse_refuses(text):
    with pytest.raises(DurationError):
        parse(text)


@pytest.mark.parametrize("seconds", [0, 1, 59, 90, 7200, 86400, 777600])
def test_what_is_rendered_is_read_again(seconds):
    assert parse(render(seconds)) == seconds


def test_render_prefers_large_units():
    assert render(777600) == "1w2d"
