"""Charts: functions that take a table and return a matplotlib figure."""
