"""Words, numbers and names as people read them."""
