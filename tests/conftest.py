from hypothesis import settings

# No time limit for one example: a busy machine is not a failure. Same examples in every run.
settings.register_profile("benchmill", deadline=None, derandomize=True, database=None)
settings.load_profile("benchmill")
