from __future__ import annotations

from riskrank.data.example import FOLDER, example_files, make_example
from riskrank.data.synthetic.synthetic_runs import synthetic_runs


def test_the_same_seed_gives_the_same_runs():
    assert synthetic_runs(n_topics=3, depth=10) == synthetic_runs(n_topics=3, depth=10)
    assert synthetic_runs(n_topics=3, depth=10) != synthetic_runs(n_topics=3, depth=10, random_state=1)


def test_the_embedded_files_are_what_the_generator_makes(tmp_path):
    import gzip

    make_example(tmp_path)
    qrels, runs = example_files()
    for path in (qrels, *runs.values()):
        assert path.parent == FOLDER
        assert gzip.decompress(path.read_bytes()) == gzip.decompress((tmp_path / path.name).read_bytes())
