"""What people look at: assessments collected as plain values, then rendered."""
