"""Data in shards: Parquet files of whole queries with a manifest, for workers that read only their own."""
