"""What can be extended, one module per thing: light entries that say what there is, in the order people should see it."""
