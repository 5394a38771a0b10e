"""From click logs to impressions, preference gains and features."""

from __future__ import annotations

from riskrank.clicks.preference_gains import lowest_click_plus_one, preference_gains, standard_gains

__all__ = ["lowest_click_plus_one", "preference_gains", "standard_gains"]
