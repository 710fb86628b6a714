"""What can be extended, one module per thing: light entries that say what there is, in the order people should see it.

An entry names the module that does the work and imports it when asked for. To add something is one module and one line here.
"""
