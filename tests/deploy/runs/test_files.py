"""Files and folders of a run: where they may be."""

from pathlib import Path

import pytest

from quintet.errors import UsageError
from quintet.launch.writable_run import WritableRun
from quintet.runs.files import named_path, refuse_network_file_system
from tests.deploy.samples import record


def _mounts(folder: Path, *lines: str) -> Path:
    file = folder / "mounts"
    file.write_text("".join(f"{line} rw 0 0\n" for line in ("/dev/sda / ext4", *lines)), encoding="utf-8")
    return file


@pytest.mark.parametrize("kind", ["nfs", "nfs4", "cifs", "smb3", "lustre", "fuse.sshfs", "9p", "ceph"])
def test_a_network_file_system_is_refused_with_a_hint(tmp_path: Path, kind: str) -> None:
    mounts = _mounts(tmp_path, f"server:/home /home {kind}")
    said = rf"expected a local disk, got a network file system of type {kind} \(/home/me/runs/1\); choose .*--out"
    with pytest.raises(UsageError, match=said):
        refuse_network_file_system(Path("/home/me/runs/1"), mounts)


def test_the_longest_mount_counts(tmp_path: Path) -> None:
    mounts = _mounts(tmp_path, "server:/data /data nfs", "/dev/sdb /data/scratch xfs")
    refuse_network_file_system(Path("/data/scratch/run"), mounts)
    with pytest.raises(UsageError):
        refuse_network_file_system(Path("/data/scratchy/run"), mounts)


def test_a_later_mount_hides_an_earlier_one(tmp_path: Path) -> None:
    refuse_network_file_system(Path("/data/run"), _mounts(tmp_path, "server:/data /data nfs", "tmpfs /data tmpfs"))


def test_blanks_in_a_mount_point_are_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        refuse_network_file_system(Path("/my data/run"), _mounts(tmp_path, r"server:/data /my\040data nfs"))


def test_a_local_disk_is_fine_and_so_is_a_machine_without_a_table(tmp_path: Path) -> None:
    refuse_network_file_system(tmp_path / "run", _mounts(tmp_path))
    refuse_network_file_system(tmp_path / "run", tmp_path / "none")


def test_a_circle_of_links_is_refused(tmp_path: Path) -> None:
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with pytest.raises(UsageError, match=r"expected .*round"):
        WritableRun.create(tmp_path / "round", record())


@pytest.mark.parametrize(("out", "said"), [("~nobody-here/x", "known home folder"), ("a\0b", "null characters")])
def test_a_name_that_is_no_path_is_refused(out: str, said: str) -> None:
    with pytest.raises(UsageError, match=f"--out: expected a path .*{said}, got "):
        named_path(out, "--out")
