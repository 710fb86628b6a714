from benchmill.core import UserError as UserError
from benchmill.notebook import plot as plot
from benchmill.notebook.comparison import compare as compare
from benchmill.notebook.costs import costs as costs
from benchmill.notebook.indicators import compare_factors as compare_factors
from benchmill.notebook.indicators import ecdf as ecdf
from benchmill.notebook.indicators import ert as ert
from benchmill.notebook.indicators import indicators as indicators
from benchmill.notebook.indicators import kaplan_meier as kaplan_meier
from benchmill.notebook.indicators import profile as profile
from benchmill.notebook.indicators import summary as summary
from benchmill.notebook.results import load as load
from benchmill.notebook.runs import fetch as fetch
from benchmill.notebook.runs import inspect as inspect
from benchmill.notebook.runs import read as read
from benchmill.versions.comparison import compare_versions as compare_versions

__version__: str
__all__: list[str]
