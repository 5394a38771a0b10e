"""A target of somebody's own, in a module that workers can import."""

from riskrank.objectives.objective import own_target


@own_target
def careful(delta, query, training):
    """Losses beyond the mean count more, by how much queries differ."""
    d = query.effectiveness - query.baseline
    weight = 1.0 + training.alpha * training.deviation
    return delta * (weight if d < training.mean_difference else 1.0)
