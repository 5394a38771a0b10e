"""The experiments of the five papers, one file per paper: what each table and figure shows, computed again."""
