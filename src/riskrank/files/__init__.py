"""Everything that is written or removed: single files, and folders that riskrank makes."""
