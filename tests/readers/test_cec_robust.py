"""Whatever happens to a file: a result with a report, or one sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from tests.readers import test_cec2006, test_cec2013_niching, test_eps_de
from tests.readers.making import folder, one_sentence

LAYOUT = {"files": "{algorithm}_{function}_{dimension}.txt", "fractions": [0.1, 0.5, 1.0], "budget_per_dimension": 100}
PAIR = {**LAYOUT, "files": "{algorithm}_{function}_F.txt", "violations": "{algorithm}_{function}_CV.txt", "dimension": 2}
SAMPLES = {
    "matrix": ("cec", {"A_1_10.txt": "9.0e+00 7 Inf\r\n4;7;3\n4\t1e-9 2\n"}, LAYOUT),
    "pair": ("cec", {"A_1_F.txt": "-9 7\n4 7\n4 2\n", "A_1_CV.txt": "1 0\n0 0\n0 0\n"}, PAIR),
    "preset": ("cec", {"A_1_10.txt": "5 4\n" * 16}, {"preset": "cec2020"}),
    "table": (
        "cec2006",
        {"t.csv": test_cec2006.HEADER + 'A,g01,20,1.5,100%,80%,25\n"B",g02,-,–,80.00,0,NA\n'},
        {"runs": 5},
    ),
    "paper": ("cec2006", {"t.txt": test_cec2006.PAPER}, {"runs": 5}),
    "log": ("eps_de", {"a.log": test_eps_de.HEAD + test_eps_de.FIRST + test_eps_de.NO_CHECKPOINTS}, {}),
    "niching": ("cec2013_niching", {"A_PR.dat": test_cec2013_niching.RATIOS, "A_SR.dat": test_cec2013_niching.RATES}, {}),
}


def survives(path, format, options):
    """Read a source, with its format named and without; return the report if there is one."""
    report = None
    for named in (format, None):
        try:
            if named is None:
                readers.sniff(path)
            else:
                report = readers.examine(path, format=named, options=options)
                assert report["trials"]["found"] > 0
        except UserError as error:
            one_sentence(error)
    return report


@pytest.mark.parametrize("sample", SAMPLES)
def test_cut_anywhere(tmp_path, sample):
    format, files, options = SAMPLES[sample]
    path = folder(tmp_path / "s", files)
    whole = survives(path, format, options)
    assert whole is not None
    name, text = next(iter(files.items()))
    data = text.encode()
    # every byte of the last part; tests/fuzz cuts samples of all formats at more places
    for end in {*range(0, len(data), len(data) // 40 + 1), *range(max(len(data) - 40, 0), len(data))}:
        (path / name).write_bytes(data[:end])
        report = survives(path, format, options)
        assert report is None or report["trials"]["found"] <= whole["trials"]["found"]


@pytest.mark.parametrize("sample", SAMPLES)
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_flipped_bits_and_foreign_bytes(tmp_path_factory, sample, data):
    format, files, options = SAMPLES[sample]
    path = folder(tmp_path_factory.mktemp("s"), files)
    name = data.draw(st.sampled_from(sorted(files)))
    content = bytearray(files[name].encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(content) - 1))
        if data.draw(st.booleans()):
            content[at] ^= 1 << data.draw(st.integers(0, 7))
        else:
            content[at:at] = data.draw(
                st.sampled_from([b"\0", b"\xff\xfe", b"\n", b"\r", b"\x85", b"1e999", b"nan", b"-", b"\xe2\x80", b'"'])
            )
    (path / name).write_bytes(bytes(content))
    survives(path, format, options)


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("content", [b"", b"\0" * 300, bytes(range(256)) * 4, b"\xff\xfe1\x00 \x00", b"\n" * 50, b"1"])
def test_empty_and_binary_files(tmp_path, sample, content):
    format, files, options = SAMPLES[sample]
    survives(folder(tmp_path / "s", dict.fromkeys(files, content)), format, options)
    only = folder(tmp_path / "t", {name: content for name in list(files)[:1]})
    survives(only, format, options)
    survives(only / next(iter(files)), format, options)
