"""Tables that people keep of topics and documents: CSV, TSV and Parquet files."""
