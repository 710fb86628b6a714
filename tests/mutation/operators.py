"""Small mistakes to plant in a module, one at a time: the ones people make in numerical code."""

import ast
import copy
import sys
from dataclasses import dataclass

_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}
_ARITHMETIC = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Div,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_PAIRS = [
    *(("min", "max"), ("minimum", "maximum"), ("fmin", "fmax"), ("nanmin", "nanmax"), ("argmin", "argmax")),
    *(("any", "all"), ("floor", "ceil"), ("zeros", "ones"), ("isposinf", "isneginf"), ("isnan", "isinf"), ("mean", "median")),
    *(("sf", "cdf"), ("cumsum", "cumprod"), ("less", "less_equal"), ("greater", "greater_equal"), ("add", "subtract")),
]
_NAMES = dict(_PAIRS) | {b: a for a, b in _PAIRS}
_WORDS = {"left": "right", "right": "left", "lower": "upper", "upper": "lower", "less": "greater", "greater": "less"}
#: Calls of which the first argument remains.
_DROPPED_CALLS = {"abs", "sorted", "sort", "round", "rint", "clip", "reversed", "unique", "nan_to_num"}
#: Arguments that say nothing about numbers.
_KEPT_KEYWORDS = {"strict", "dtype", "copy", "out", "columns", "fields"}


@dataclass(frozen=True)
class Mutant:
    """One mistake: where it is, the lines that it matters for, its statement before and after, and the whole module with it."""

    line: int
    lines: range
    before: str
    after: str
    tree: ast.Module


def count(source):
    """How many mutants a module's text has."""
    planting = _Planting(-1)
    planting.visit(ast.parse(source))
    return planting.passed


def mutant(source, index):
    """Mutant number `index` of a module's text, from 0."""
    planting = _Planting(index)
    tree = ast.fix_missing_locations(planting.visit(ast.parse(source)))
    return Mutant(planting.line, planting.lines, planting.before, _header(planting.statement), tree)


def _header(statement):
    return ast.unparse(ast.fix_missing_locations(statement)).partition("\n")[0]


class _Planting(ast.NodeTransformer):
    """Plants mistake number `index` of those that it passes."""

    def __init__(self, index):
        self.index, self.passed = index, 0
        #: The statement that is visited, the one that was changed after that; and its lines and text before
        self.statement = self.line = self.lines = self.before = None
        self.depth = 0

    @property
    def done(self):
        return self.before is not None

    def _lines(self):
        node = self.statement
        if not self.depth:
            # of a module or class: it matters wherever anything of the module is run
            return range(1, sys.maxsize)
        if isinstance(node, ast.FunctionDef):
            # its defaults matter wherever its body is run
            return range(node.body[0].lineno, node.end_lineno + 1)
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body and node.lineno < body[0].lineno else node.end_lineno
        return range(node.lineno, max(last, node.lineno) + 1)

    def visit(self, node):
        if self.done:
            return node
        outer = self.statement
        if isinstance(node, ast.stmt):
            self.statement = node
        result = self._changed(node)
        if not self.done:
            self.statement = outer
        return result

    def _changed(self, node):
        for change in _changes(node):
            self.passed += 1
            if self.passed - 1 == self.index:
                self.line, self.lines, self.before = self.statement.lineno, self._lines(), _header(self.statement)
                new = ast.copy_location(change(), node)
                if node is self.statement:
                    self.statement = new
                return new
        return self._children(node)

    def _children(self, node):
        match node:
            case ast.Raise() | ast.JoinedStr() | ast.Import() | ast.ImportFrom() | ast.Assert() | ast.alias():
                return node
            case ast.arguments():
                node.defaults = [self.visit(d) for d in node.defaults]
                node.kw_defaults = [d and self.visit(d) for d in node.kw_defaults]
                return node
            case ast.FunctionDef() | ast.ClassDef():
                inside = isinstance(node, ast.FunctionDef)
                self.depth += inside
                if inside:
                    node.args = self.visit(node.args)
                self._body(node)
                self.depth -= inside
                return node
            case ast.AnnAssign():
                if node.value is not None:
                    node.value = self.visit(node.value)
                return node
            case ast.With():
                # the warnings that NumPy is told to keep to itself are no numbers
                self._body(node)
                return node
            case ast.keyword() if node.arg in _KEPT_KEYWORDS or node.arg == "axis":
                return node
        return self.generic_visit(node)

    def _body(self, node):
        node.body = [self.visit(statement) for statement in node.body]


def _changes(node):
    """What a node may become, each as a function that makes it."""

    def with_(**fields):
        new = copy.copy(node)
        for name, value in fields.items():
            setattr(new, name, value)
        return new

    match node:
        case ast.Compare():
            for i, op in enumerate(node.ops):
                for other in _COMPARISONS[type(op)]:
                    yield lambda i=i, other=other: with_(ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])
        case ast.BinOp() if type(node.op) in _ARITHMETIC and not (_text(node.left) or _text(node.right)):
            yield lambda: with_(op=_ARITHMETIC[type(node.op)]())
        case ast.AugAssign():
            if type(node.op) in _ARITHMETIC:
                yield lambda: with_(op=_ARITHMETIC[type(node.op)]())
            yield ast.Pass
        case ast.BoolOp():
            yield lambda: with_(op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp():
            if not isinstance(node.operand, ast.Constant):
                yield lambda: node.operand
        case ast.Constant(value=bool()):
            yield lambda: ast.Constant(not node.value)
        case ast.Constant(value=int()):
            yield lambda: ast.Constant(node.value + 1)
            yield lambda: ast.Constant(node.value - 1)
        case ast.Constant(value=float()):
            yield lambda: ast.Constant(node.value * 2 if node.value else 1.0)
        case ast.Constant(value=str()) if node.value in _WORDS:
            yield lambda: ast.Constant(_WORDS[node.value])
        case ast.Name() if node.id in _NAMES and isinstance(node.ctx, ast.Load):
            yield lambda: with_(id=_NAMES[node.id])
        case ast.Attribute() if node.attr in _NAMES:
            yield lambda: with_(attr=_NAMES[node.attr])
        case ast.Call():
            if node.args and _name(node.func) in _DROPPED_CALLS:
                yield lambda: node.args[0]
            for i, keyword in enumerate(node.keywords):
                if keyword.arg is not None and keyword.arg not in _KEPT_KEYWORDS:
                    yield lambda i=i: with_(keywords=[*node.keywords[:i], *node.keywords[i + 1 :]])
                if keyword.arg == "axis" and isinstance(keyword.value, ast.Constant) and keyword.value.value in (0, 1):
                    other = ast.keyword("axis", ast.Constant(1 - keyword.value.value))
                    yield lambda i=i, other=other: with_(keywords=[*node.keywords[:i], other, *node.keywords[i + 1 :]])
        case ast.IfExp():
            yield lambda: with_(body=node.orelse, orelse=node.body)
        case ast.If():
            if not node.orelse:
                yield ast.Pass
            if not isinstance(node.test, ast.Compare):
                yield lambda: with_(test=ast.UnaryOp(ast.Not(), node.test))
        case ast.Raise() | ast.Continue() | ast.Break():
            yield ast.Pass
        case ast.Expr(value=ast.Call()):
            yield ast.Pass


def _text(node):
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _name(function):
    return getattr(function, "attr", None) or getattr(function, "id", None)
