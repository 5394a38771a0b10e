"""Scratch folders: gone when the work is done, with all that was in them."""

from __future__ import annotations

from riskrank.files.scratch import scratch_folder


def test_folders_inside_are_gone_too_and_links_are_not_followed(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "file").write_text("mine")
    with scratch_folder(tmp_path / "work") as scratch:
        (scratch.path / "models" / "fold-1").mkdir(parents=True)
        (scratch.path / "models" / "fold-1" / "card.json").write_text("{}")
        (scratch.path / "link").symlink_to(kept)
        (scratch.path / "models" / "link").symlink_to(kept)
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "mine"
