import bz2
import gzip
import io
import lzma
import math
import os
import tarfile
import tempfile
import zipfile

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmill import readers
from benchmill.core import UserError
from benchmill.readers import archive
from benchmill.readers.archive import open_parts, open_view
from tests.readers.making import SMALL, Result, folder, one_sentence, tar, zipped

FILES = {"b/10.txt": "ten", "b/9.txt": "nine", "a.txt": ""}


def contents(view):
    return [(m.name, m.size, view.read(m.name)) for m in view.members]


EXPECTED = [("a.txt", 0, b""), ("b/9.txt", 4, b"nine"), ("b/10.txt", 3, b"ten")]


@pytest.mark.parametrize("kind", ["folder", "tar", "gz", "bz2", "xz", "zst", "zip"])
def test_every_kind_of_source_looks_the_same(tmp_path, kind):
    if kind == "folder":
        path = folder(tmp_path / "f", FILES)
    elif kind == "zip":
        path = zipped(tmp_path / "f.zip", FILES)
    elif kind == "zst":
        path = tmp_path / "f.tar.zst"
        path.write_bytes(pa.compress(tar(tmp_path / "f.tar", FILES, "w").read_bytes(), codec="zstd", asbytes=True))
    else:
        path = tar(tmp_path / f"f.{kind}", FILES, "w" if kind == "tar" else f"w:{kind}")
    with open_view(path) as view:
        assert contents(view) == EXPECTED
        assert view.head("b/9.txt", 2) == b"ni"
        assert not view.skipped


@pytest.mark.parametrize(("suffix", "pack"), [("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)])
def test_a_packed_file_is_one_member(tmp_path, suffix, pack):
    path = tmp_path / f"t.csv.{suffix}"
    path.write_bytes(pack(b"a,b\n1,2\n"))
    with open_view(path) as view:
        assert (view.kind, contents(view)) == ("file", [("t.csv", 8, b"a,b\n1,2\n")])


def test_content_counts_not_the_suffix(tmp_path):
    path = zipped(tmp_path / "wrong.tgz", FILES)
    with open_view(path) as view:
        assert contents(view) == EXPECTED
    path = tar(tmp_path / "wrong.zip", FILES)
    with open_view(path) as view:
        assert contents(view) == EXPECTED


def test_large_archives_go_to_a_temporary_file(tmp_path, monkeypatch):
    """Also what does not fit from its second piece on."""
    made = []
    real = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **given: made.append(real(**given)) or made[-1])
    large = "0123456789abcdef" * 2**17
    path = tar(tmp_path / "f.tgz", {**FILES, "large.txt": large})
    for memory, files in ((2**22, 0), (2**20 + 1, 1), (100, 2)):
        with open_view(path, memory) as view:
            assert contents(view) == [*EXPECTED, ("large.txt", len(large), large.encode())]
        assert len(made) == files
    assert all(file.closed for file in made)


def test_names_that_lead_out_are_not_read(tmp_path):
    names = ["../evil", "/etc/passwd", "a/../../evil", "..\\evil", "C:\\evil", "good/./x", "good//y"]
    for path in (tar(tmp_path / "f.tgz", dict.fromkeys(names, "x")), zipped(tmp_path / "f.zip", dict.fromkeys(names, "x"))):
        with open_view(path) as view:
            assert [m.name for m in view.members] == ["good/x", "good/y"]
            assert sorted(s.name for s in view.skipped) == sorted(names[:5])
            assert {s.rule for s in view.skipped} == {"unsafe_name"}


def test_links_and_devices_are_not_read(tmp_path):
    path = tmp_path / "f.tar"
    with tarfile.open(path, "w") as made:
        for name, kind in (("s", tarfile.SYMTYPE), ("h", tarfile.LNKTYPE), ("p", tarfile.FIFOTYPE), ("d", tarfile.CHRTYPE)):
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = kind, "/etc/passwd"
            made.addfile(entry)
    with open_view(path) as view:
        assert not view.members
        assert [(s.rule, s.name) for s in view.skipped] == [
            ("link", "h"),
            ("link", "s"),
            ("special_file", "d"),
            ("special_file", "p"),
        ]


def test_links_in_a_folder_and_in_a_zip_are_not_followed(tmp_path):
    source = folder(tmp_path / "f", {"a.txt": "a"})
    os.symlink("/etc/passwd", source / "link")
    os.symlink("/etc", source / "folder")
    with open_view(source) as view:
        assert [m.name for m in view.members] == ["a.txt"]
        assert [(s.rule, s.name) for s in view.skipped] == [("link", "folder"), ("link", "link")]
    entry = zipfile.ZipInfo("link")
    entry.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "f.zip", "w") as made:
        made.writestr(entry, "/etc/passwd")
    with open_view(tmp_path / "f.zip") as view:
        assert [(s.rule, s.name) for s in view.skipped] == [("link", "link")]


def test_pipes_in_a_folder_do_not_block(tmp_path):
    source = folder(tmp_path / "f", {"a.txt": "a"})
    os.mkfifo(source / "pipe.info")
    with open_view(source) as view:
        assert [(s.rule, s.name) for s in view.skipped] == [("special_file", "pipe.info")]


def test_junk_and_nested_archives_are_reported(tmp_path):
    files = {"__MACOSX/._a": "x", "a/.DS_Store": "x", "._b.info": "x", "in.zip": "x", "in.tar.gz": "x", "a.txt": "a"}
    for path in (tar(tmp_path / "f.tgz", files), folder(tmp_path / "f", files)):
        with open_view(path) as view:
            assert [m.name for m in view.members] == ["a.txt"]
            assert [s.rule for s in view.skipped] == ["junk_file"] * 3 + ["nested_archive"] * 2


def test_a_zip_in_a_zip_is_read_one_level_deep(tmp_path, monkeypatch):
    deep = zipped(tmp_path / "deep.zip", {"d.txt": "d"}).read_bytes()
    inner = zipped(tmp_path / "inner.zip", {"a/b.txt": "inside", "../c.txt": "out", "deep.zip": deep}).read_bytes()
    path = zipped(tmp_path / "o.zip", {"runs/in.zip": inner, "b.txt": "beside"})
    with open_view(path) as view:
        assert {m.name: view.read(m.name) for m in view.members} == {"b.txt": b"beside", "runs/in/a/b.txt": b"inside"}
        assert sorted(s.rule for s in view.skipped) == ["nested_archive", "unsafe_name"]
    # what many of them unpack to counts before they are held
    monkeypatch.setattr(archive, "MOST_BYTES", 3 * len(inner))
    with (
        pytest.raises(UserError, match="it unpacks to more than"),
        open_view(zipped(tmp_path / "many.zip", {f"{i}.zip": inner for i in range(4)})),
    ):
        pass


def test_hidden_files_are_reported_and_not_read(tmp_path):
    files = {".git/config": "x", "a/.ipynb_checkpoints/t-checkpoint.csv": "x", "a/.t.csv.swp": "x", "./a/t.csv": "a"}
    for path in (tar(tmp_path / "f.tgz", files), zipped(tmp_path / "f.zip", files), folder(tmp_path / ".f", files)):
        with open_view(path) as view:
            assert [m.name for m in view.members] == ["a/t.csv"]
            assert {s.rule for s in view.skipped} == {"hidden_file"}


PACKERS = {
    "tar": lambda data: data,
    "tar.gz": gzip.compress,
    "tar.bz2": bz2.compress,
    "tar.xz": lzma.compress,
    "tar.zst": lambda data: pa.compress(data, codec="zstd", asbytes=True),
}
LONG = f"{'long' * 40}.txt"  # for this name the quick walk gives way to tarfile


@pytest.mark.parametrize("suffix", PACKERS)
@pytest.mark.parametrize("name", ["b.txt", LONG])
def test_archives_one_after_the_other_are_all_read(tmp_path, suffix, name):
    pack = PACKERS[suffix]
    parts = [tar(tmp_path / f"{n}.tar", {n: n}, "w").read_bytes() for n in ("a.txt", name, "c.txt")]
    for number, data in enumerate((b"".join(map(pack, parts)), pack(b"".join(parts)))):
        path = tmp_path / f"all{number}.{suffix}"
        path.write_bytes(data)
        with open_view(path) as view:
            assert sorted(contents(view)) == sorted((n, len(n), n.encode()) for n in ("a.txt", name, "c.txt"))
            assert [(s.rule, s.detail) for s in view.skipped] == [
                ("joined_archives", "a further tar begins at byte 10240"),
                ("joined_archives", f"a further tar begins at byte {10240 + len(parts[1])}"),
            ]


def test_both_of_two_joined_archives_are_ingested(tmp_path):
    second = {name: text.replace("'Walker'", "'Runner'") for name, text in SMALL.items()}
    parts = [tar(tmp_path / f"{n}.tar", {f"{n}/{k}": v for k, v in f.items()}, "w") for n, f in (("a", SMALL), ("b", second))]
    (tmp_path / "ab.tar").write_bytes(b"".join(part.read_bytes() for part in parts))
    report = readers.examine(tmp_path / "ab.tar")
    assert (report["algorithms"], report["trials"]["found"]) == (["Runner", "Walker"], 8)
    assert [(e["rule"], e["outcome"]) for e in report["irregularities"]] == [
        ("joined_archives", "noted"),
        ("same_content", "noted"),
    ]


def test_what_follows_an_archive_and_is_none_is_reported(tmp_path):
    data = tar(tmp_path / "a.tar", {"a.txt": "a"}, "w").read_bytes()
    for more in (b"something else" * 100, b"\0" * 5000 + b"x", data[:100]):
        (tmp_path / "b.tar").write_bytes(data + more)
        with open_view(tmp_path / "b.tar") as view:
            assert contents(view) == [("a.txt", 1, b"a")]
            assert [s.rule for s in view.skipped] == ["after_the_end"]
    (tmp_path / "b.tar").write_bytes(data + b"\0" * 3_000_000)
    with open_view(tmp_path / "b.tar") as view:
        assert not view.skipped
    packed = zipped(tmp_path / "a.zip", {"a.txt": "a"}).read_bytes()
    (tmp_path / "b.zip").write_bytes(packed + data)
    with open_view(tmp_path / "b.zip") as view:
        assert [s.rule for s in view.skipped] == ["after_the_end"]
    (tmp_path / "b.zip").write_bytes(packed + zipped(tmp_path / "c.zip", {"c.txt": "c"}).read_bytes())
    with pytest.raises(UserError, match="give each archive as a source"):
        open_view(tmp_path / "b.zip")


def test_joined_archives_keep_the_limits(tmp_path, monkeypatch):
    one = tar(tmp_path / "a.tar", {"a.txt": "a"}, "w").read_bytes()[:2048]
    (tmp_path / "b.tar").write_bytes(one * 50)
    monkeypatch.setattr(archive, "MOST_MEMBERS", 40)
    with pytest.raises(UserError, match="more than 40 files"):
        open_view(tmp_path / "b.tar")
    empty = tarfile.TarInfo("d")
    empty.type = tarfile.DIRTYPE
    (tmp_path / "c.tar").write_bytes((empty.tobuf() + bytes(1024)) * 50)
    with pytest.raises(UserError, match="more than 40 files"):
        open_view(tmp_path / "c.tar")


@pytest.mark.parametrize(("suffix", "pack"), [(s.removeprefix("tar."), p) for s, p in PACKERS.items() if s != "tar"])
def test_packed_streams_one_after_the_other(tmp_path, suffix, pack):
    path = tmp_path / f"t.csv.{suffix}"
    path.write_bytes(pack(b"a,b\n") + pack(b"") + pack(b"1,2\n"))
    with open_view(path) as view:
        assert contents(view) == [("t.csv", 8, b"a,b\n1,2\n")]
    for more in (
        b"a,b\n",
        b"BZh9 but no stream",
        gzip.compress(b"x") if suffix != "gz" else bz2.compress(b"x"),
        pack(b"1,2\n")[:-3],
    ):
        path.write_bytes(pack(b"a,b\n") + more)
        with pytest.raises(UserError, match="damaged or cut short"):
            open_view(path)


def test_the_last_of_two_members_of_one_name_counts(tmp_path):
    path = tmp_path / "f.tar"
    with tarfile.open(path, "w") as made:
        for text in (b"one", b"three"):
            entry = tarfile.TarInfo("a.txt")
            entry.size = len(text)
            made.addfile(entry, io.BytesIO(text))
    with open_view(path) as view:
        assert contents(view) == [("a.txt", 5, b"three")]
        assert [s.rule for s in view.skipped] == ["duplicate_member"]


def test_limits(tmp_path, monkeypatch):
    path = tar(tmp_path / "f.tgz", {"a.txt": "0" * 300_000})
    monkeypatch.setattr(archive, "RATIO_FREE", 100_000)
    with pytest.raises(UserError, match="more than 200 times"):
        open_view(path)
    with pytest.raises(UserError, match="more than 200 times"):
        open_view(zipped(tmp_path / "f.zip", {"a.txt": "0" * 300_000}))
    with pytest.raises(UserError, match="more than 200 times"):
        readers.sniff(path)
    monkeypatch.setattr(archive, "MOST_BYTES", 200_000)
    with pytest.raises(UserError, match="more than 200000 bytes"):
        open_view(path)
    monkeypatch.undo()
    monkeypatch.setattr(archive, "MOST_MEMBERS", 2)
    for source in (tar(tmp_path / "g.tgz", FILES), zipped(tmp_path / "g.zip", FILES), folder(tmp_path / "g", FILES)):
        with pytest.raises(UserError, match="more than 2 files"):
            open_view(source)


def test_what_cannot_be_opened(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        open_view(tmp_path / "nothing")
    (tmp_path / "empty.tgz").write_bytes(b"")
    with pytest.raises(UserError, match="is empty"):
        open_view(tmp_path / "empty.tgz")
    (tmp_path / "text.tgz").write_bytes(b"no archive at all")
    with pytest.raises(UserError, match="damaged"):
        open_view(tmp_path / "text.tgz")


@pytest.mark.parametrize("kind", ["tar", "gz", "bz2", "xz", "zip"])
def test_cut_archives_are_refused_or_whole(tmp_path, kind):
    """No archive cut short is taken for a smaller one."""
    path = tmp_path / f"f.{kind}"
    if kind == "zip":
        zipped(path, SMALL)
    else:
        tar(path, SMALL, "w" if kind == "tar" else f"w:{kind}")
    data = path.read_bytes()
    cut = tmp_path / f"cut.{'zip' if kind == 'zip' else 'tar'}"
    for end in range(0, len(data), max(1, len(data) // 150)):
        cut.write_bytes(data[:end])
        try:
            with open_view(cut) as view:
                names = [m.name for m in view.members]
                assert names == sorted(SMALL) or {s.rule for s in view.skipped} == {"archive_without_end"}
        except UserError as error:
            one_sentence(error)


def test_a_damaged_header_is_not_the_end_of_the_archive(tmp_path):
    path = tar(tmp_path / "f.tar", SMALL, "w")
    data = bytearray(path.read_bytes())
    at = data.index(b"W/data_f1/bbobexp_f1_DIM3.dat")
    data[at + 100 : at + 108] = b"\xff" * 8
    path.write_bytes(data)
    with pytest.raises(UserError, match="damaged"):
        open_view(path)


def test_a_damaged_member_of_a_zip(tmp_path):
    path = zipped(tmp_path / "f.zip", {"a.txt": "abcdefgh" * 100})
    data = bytearray(path.read_bytes())
    data[40:50] = b"\xff" * 10
    path.write_bytes(data)
    with open_view(path) as view, pytest.raises(UserError, match=r"a\.txt.*cannot be read"):
        view.read("a.txt")


@pytest.mark.parametrize("memory", [0, 2**20])
def test_a_checksum_of_a_zip_that_does_not_hold(tmp_path, memory):
    path = zipped(tmp_path / "f.zip", {"a.txt": "abcdefgh" * 100})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 16] ^= 1
    path.write_bytes(data)
    with open_view(path, memory) as view:
        for read in (view.read, lambda name: list(view.chunks(name, 100))):
            with pytest.raises(UserError, match=r"a\.txt.*cannot be read"):
                read("a.txt")


@pytest.mark.parametrize("memory", [0, 2**20])
def test_a_zip_is_read_again_and_in_pieces(tmp_path, memory):
    """Whether its members are kept or not."""
    with open_view(zipped(tmp_path / "f.zip", {"a.txt": "abcdefgh" * 100, "b.txt": ""}), memory) as view:
        for _ in range(2):
            assert view.head("a.txt", 3) == b"abc"
            assert b"".join(view.chunks("a.txt", 7)) == view.read("a.txt") == b"abcdefgh" * 100
            assert view.read("b.txt") == b""


def test_a_file_without_a_name_is_reported(tmp_path):
    path = tmp_path / "f.zip"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("a.txt", "a")
        nameless = zipfile.ZipInfo("x")
        nameless.filename = ""
        with made.open(nameless, "w") as member:
            member.write(b"b")
    with open_view(path) as view:
        assert contents(view) == [("a.txt", 1, b"a")]
        assert [(s.rule, s.name) for s in view.skipped] == [("unsafe_name", "")]


def test_names_in_other_encodings(tmp_path):
    path = tmp_path / "f.tar"
    with tarfile.open(path, "w", encoding="latin-1", format=tarfile.GNU_FORMAT) as made:
        entry = tarfile.TarInfo("é.txt")
        entry.size = 1
        made.addfile(entry, io.BytesIO(b"a"))
    with open_view(path) as view:
        assert contents(view) == [("\ufffd.txt", 1, b"a")]


@given(
    st.binary(min_size=1, max_size=700),
    st.sampled_from([b"", b"\x1f\x8b", b"PK\x03\x04", b"BZh9", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"]),
)
def test_arbitrary_bytes_give_a_view_or_one_sentence(tmp_path_factory, data, magic):
    path = tmp_path_factory.mktemp("a") / "x.bin"
    path.write_bytes(magic + data)
    try:
        with open_view(path) as view:
            contents(view)
    except UserError as error:
        one_sentence(error)


def test_what_was_skipped_reaches_the_report(tmp_path):
    source = tar(tmp_path / "f.tgz", {**SMALL, "../evil.info": "x", "__MACOSX/._a": "x"})
    result = Result(source, tmp_path / "out")
    assert result.counts() == {"junk_file": 1, "unsafe_name": 1}
    with pytest.raises(UserError, match="leads out of the archive"):
        Result(source, tmp_path / "out", strict=True)


def test_a_pipe_as_source_does_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for look in (open_view, readers.sniff):
        with pytest.raises(UserError, match="neither a file nor a folder"):
            look(tmp_path / "pipe")


def test_a_member_in_pieces_is_the_member(tmp_path):
    """Of a folder, a tar and a zip alike, beyond the first piece."""
    text = "".join(f"{i}\n" for i in range(5000))
    paths = folder(tmp_path / "f", {"a.txt": text}), tar(tmp_path / "a.tar", {"0": "x", "a.txt": text}, "w")
    for path in (*paths, zipped(tmp_path / "a.zip", {"a.txt": text})):
        with open_view(path) as view:
            pieces = list(view.chunks("a.txt", 999))
        assert b"".join(pieces) == text.encode()
        assert len(pieces) == math.ceil(len(text) / 999)


def test_a_look_at_one_member_knows_nothing_of_what_was_left_out(tmp_path):
    with open_view(tar(tmp_path / "a.tar", {"a.txt": "1", "../b.txt": "2"}, "w")) as view:
        assert [one.rule for one in view.skipped] == ["unsafe_name"]
        single = view.only(view.members[0])
        assert (single.skipped, [m.name for m in single.members], "b.txt" in single) == ([], ["a.txt"], False)


def test_an_archive_that_shrinks_while_it_is_read(tmp_path):
    path = tar(tmp_path / "a.tar", {"a.txt": "1" * 3000}, "w")
    with open_view(path) as view:
        os.truncate(path, 1024)
        with pytest.raises(UserError, match=r"a\.txt") as error:
            view.read("a.txt")
    one_sentence(error.value)


def test_parts_are_folders_of_one_source(tmp_path):
    with open_parts([folder(tmp_path / "x", FILES), tar(tmp_path / "y.tar", {"a.txt": "other"}, "w")]) as view:
        assert contents(view) == [*((f"x/{name}", size, data) for name, size, data in EXPECTED), ("y.tar/a.txt", 5, b"other")]


def test_a_part_is_listed_once(tmp_path):
    path = tar(tmp_path / "a.tar", FILES, "w")
    with pytest.raises(UserError, match="listed twice among the parts"):
        open_parts([path, tmp_path / "x" / ".." / "a.tar"])
