"""The paper is tested with the studies of the page."""

from tests.page.conftest import results  # noqa: F401
