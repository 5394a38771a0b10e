"""Everything that is written or removed, single files and folders that riskrank makes; and what is read back."""
