"""What people read: safe names, numbers in words and tables, the looks of algorithms."""
