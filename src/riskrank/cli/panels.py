"""Which options stand together in the help of a command."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typer.core import TyperOption

FEW = 8  # options need no panels
COMPARED = "What to compare"
# Parameters of commands, by what they are for; help has the panels in this order.
PANELS = {
    "Data": (
        "baseline", "valid", "test", "calibration", "folds", "valid_baseline", "combine", "missing", "rows",
        "zero_based", "sparse", "without_relevant", "system", "systems", "layout", "satisfied", "grades", "split",
        "shares", "share", "boundary", "sizes", "history", "features", "keep_unsatisfied", "sample", "strict",
    ),
    "Columns of a table": ("query", "document", "drop", "categories", "weight", "part"),
    "Measures and risk": (
        "measure", "risk_measure", "also", "alpha", "alphas", "betas", "lowest_betas", "both_alphas", "both_betas",
        "paper", "beta_by_query", "vary", "select", "churn",
    ),
    "Limits": (
        "max_hurt", "tolerance", "max_severe", "severe_loss", "max_loss", "max_risk", "min_urisk", "min_trisk",
        "min_gain", "max_worse",
    ),
    "Topics": ("segments", "weights", "must_not_break"),
    "Operating point": ("budget", "confidence", "hurt_beyond", "via"),
    "Tests": ("level", "correction", "population", "intervals", "t_test", "all_pairs", "power"),
    "Ranker": (
        "ranker", "objective", "with_", "set_", "start", "n_trees", "n_leaves", "min_docs_in_leaf", "n_epochs",
        "n_rounds", "learning_rate", "early_stopping", "valid_measure", "fast", "engine", "engine_params",
    ),
    "Searches": ("n_queries", "documents_per_query", "n_features", "pages", "refinding", "habits", "ambiguous"),
    "Chart": ("chart", "largest_alpha", "width", "height", "scale"),
    "Work": (
        "cluster", "n_shards", "n_jobs", "n_threads", "random_state", "checkpoint_every", "restart", "memory", "cache",
        "verbose",
    ),
    "Output": (
        "output", "tag", "depth", "scores", "runs", "score_column",
        "tables", "all_systems", "sort", "columns", "per_topic", "show", "as_json", "as_csv", "as_latex",
        "html", "github", "junit", "sarif", "gitlab", "markdown", "label", "trend", "init", "schema",
        "overwrite", "help",
    ),
}  # fmt: skip
# Where a parameter means something else than usually.
OF_COMMANDS = {
    "evaluate": {"confidence": "Tests"},
    "gate": {"alpha": "Limits", "level": "Limits", "strict": "Limits", "budget": "Limits", "history": "Output"},
    "inspect": {
        "data": "Data", "why": "Data", "documents": "Data", "features": "Output", "rows": "Output",
        "permutation": "Measures and risk", "repeats": "Measures and risk",
    },
    "shard": {"n_features": "Data"},
    "sweep": {"max_risk": "Operating point"},
}  # fmt: skip
TABLES = (
    "baselines",
    "evaluate",
    "inspect",
    "rank",
    "shard",
    "sweep",
    "train",
)  # commands that take tables of features
OF_TABLES = dict.fromkeys(("label", "features", "split"), "Columns of a table")
COMPARING = ("evaluate", "gate", "plot")


def panel_of(command: str, parameter: str) -> str:
    """The panel of a command's option."""
    usual = next((panel for panel, names in PANELS.items() if parameter in names), "Other")
    of_command = (OF_TABLES if command in TABLES else {}) | OF_COMMANDS.get(command, {})
    panel = of_command.get(parameter, usual)
    return COMPARED if panel == "Data" and command in COMPARING else panel


def by_panel(command: str, options: Sequence[TyperOption]) -> dict[TyperOption, str]:
    """Options in the order of their panels; one panel will do for few."""
    if len(options) <= FEW:
        return dict.fromkeys(options, "Options")
    order = [COMPARED, *PANELS, "Other"]
    panels = {option: panel_of(command, str(option.name)) for option in options}
    return dict(sorted(panels.items(), key=lambda item: order.index(item[1])))
