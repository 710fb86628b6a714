"""A competition at work: the check of an entry, requests to change something, and the site that is published."""
