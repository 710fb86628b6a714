"""Performance indicators of single algorithms: ERT and descriptive statistics, empirical running-time distributions."""
