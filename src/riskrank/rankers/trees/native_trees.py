"""Boosted trees of our own, made for gradients of rankings: they need nothing but what riskrank needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import riskrank
from riskrank.errors import AlignmentError, FileError
from riskrank.kernels.histogram_trees.split import Rules
from riskrank.rankers.trees.engine import NO_CATEGORIES, first_line
from riskrank.rankers.trees.native import forest_text
from riskrank.rankers.trees.native.best_first import BestFirst
from riskrank.rankers.trees.native.document_codes import coded, coded_beside
from riskrank.rankers.trees.native.document_sample import DocumentSample
from riskrank.rankers.trees.native.document_spans import DocumentSpans
from riskrank.rankers.trees.native.forest import Model
from riskrank.rankers.trees.native.grown_tree import (
    GrownTree,
    add_tree,
    children_of,
    coded_tree,
    leaf_numbers,
    leaf_sums,
)
from riskrank.rankers.trees.native.native_parameters import NativeParameters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from riskrank.data.ranking_data import RankingData
    from riskrank.kernels.histogram_trees.renew import CodedTree
    from riskrank.kernels.histogram_trees.sample import Packing
    from riskrank.objectives.on_data.bound_objective import Gradients
    from riskrank.rankers.trees.boosted_trees import BoostedTrees
    from riskrank.rankers.trees.engine import GrownTrees
    from riskrank.rankers.trees.native.document_codes import DocumentCodes
    from riskrank.typing import Categories, Floats, PathLike

NAME = "native"
VERSION = riskrank.__version__
MODEL_FILE = "model.txt"
LIMITS_DOCUMENTS = True
NEEDS_SCORES = True


class ScoredDocuments:
    """Documents as codes, and the scores that the trees so far give them."""

    def __init__(self, documents: DocumentCodes, n_threads: int, scores: Floats | None) -> None:
        self.documents = documents
        self.spans = DocumentSpans(len(documents.codes), n_threads)
        self.scores = np.zeros(len(documents.codes)) if scores is None else scores
        self.leaf_of = np.empty(len(documents.codes), np.int32)

    def find_leaves(self, tree: CodedTree) -> None:
        """Where each document ends in a tree."""
        leaf_numbers(tree, self.documents, self.spans, self.leaf_of)

    def sum_leaves(self, tree: CodedTree, gradients: Gradients) -> Floats:
        """The same, and what gradients, hessians and documents of each leaf add up to."""
        return leaf_sums(tree, self.documents, gradients, self.spans, self.leaf_of)

    def add(self, values: Floats) -> None:
        """What the leaves of that tree are worth."""
        add_tree(values, self.spans, self.leaf_of, self.scores)


class Trees:
    """A growing ensemble on training data and, perhaps, validation data."""

    is_random = False  # each random number is a hash of what it is for: a training can go on from anywhere

    def __init__(
        self, data: RankingData, valid: RankingData | None, ranker: BoostedTrees, grown: GrownTrees | None
    ) -> None:
        _refuse_categories(data)
        own = self._parameters = NativeParameters.of(ranker)
        n_threads = ranker.usable_threads
        codes = coded(data, own.max_bin, n_threads)
        scores = [None, None] if grown is None else [*grown.scores, None]
        self._train = ScoredDocuments(codes, n_threads, scores[0])
        self._valid = self._train
        if valid is not None:
            self._valid = ScoredDocuments(coded_beside(valid, codes, n_threads), n_threads, scores[1])
        self._sample = DocumentSample(codes, own, n_threads)
        self._best_first = BestFirst(own.num_leaves, own.max_depth, n_threads)
        self._head = forest_text.header(codes.bounds)
        self._texts = [] if grown is None else forest_text.parts_of(grown.model)[1]

    def grow(self, gradients: Gradients, iteration: int) -> bool:
        tree = self._tree(gradients, iteration)
        if tree is None:
            return False
        self._texts.append(forest_text.tree_text(tree, len(self._texts), self._parameters.learning_rate))
        self._train.add(tree.values)
        if self._valid is not self._train:
            self._valid.find_leaves(tree.coded)
            self._valid.add(tree.values)
        return True

    def _tree(self, gradients: Gradients, iteration: int) -> GrownTree | None:
        """The next tree: its splits from a sample, the values of its leaves from all documents."""
        own, train = self._parameters, self._train
        sampled, columns, packing = self._sample.draw(gradients, iteration)
        splits = self._best_first.grow(sampled, split_rules(own, packing))
        if not splits:
            return None
        features, children = columns[[split.column for split in splits]], children_of(splits)
        tree = coded_tree(splits, features.tolist(), children)
        sums = train.sum_leaves(tree, gradients)
        weights = sums[:, 1] + own.lambda_l2
        values = np.divide(-own.learning_rate * sums[:, 0], weights, out=np.zeros(len(sums)), where=weights > 0)
        gain_unit = packing.gradient_unit**2 / packing.hessian_unit
        return GrownTree(
            tree,
            children,
            features,
            train.documents.bounds.thresholds(features, [split.cut for split in splits]),
            np.array([split.missing_left for split in splits]),
            np.array([split.gain * gain_unit for split in splits]),
            sums,
            values,
        )

    def train_scores(self) -> Floats:
        return self._train.scores.copy()

    def valid_scores(self) -> Floats:
        return self._valid.scores.copy()

    def text(self) -> bytes:
        return forest_text.forest_text(self._head, self._texts)


def read_model(text: bytes, path: PathLike, categories: Categories = NO_CATEGORIES) -> Model:
    """A model from its text."""
    try:
        return Model(text, categories)
    except ValueError as error:
        raise FileError(path, f"is not a model of the engine native ({first_line(error)}).") from None


def model_file(text: bytes, n_trees: int, names: Sequence[str]) -> bytes:
    """The first trees, with names of features."""
    head, trees = forest_text.parts_of(text)
    return forest_text.forest_text(head, trees[:n_trees], names)


def quiet() -> None:
    """It writes nothing."""


def split_rules(parameters: NativeParameters, packing: Packing) -> Rules:
    """What both sides of a split need, in packed units."""
    return Rules(
        int(parameters.min_data_in_leaf),
        max(1.0, parameters.min_sum_hessian_in_leaf / packing.hessian_unit),
        parameters.lambda_l2 / packing.hessian_unit,
        packing.number_bits,
        packing.hessian_bits,
    )


def _refuse_categories(data: RankingData) -> None:
    if data.categories:
        names = data.columns.labels(data.categories)
        way = "Leave them out, or choose engine='lightgbm' or 'xgboost', which split by them"
        raise AlignmentError(f"the engine native takes numbers, no categories ({names}). {way}.")
