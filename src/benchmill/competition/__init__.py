"""A competition: rules, entries, standing, the record of its states, and the site that is published."""
