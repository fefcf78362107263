"""The expressions of redundancy.sh, evaluated by Python with fractions.

A constant is the fraction that it is written as. A missing attribute, an array or an
object makes its comparison false; so does what is no number where one is needed.
"""

import re
from fractions import Fraction


class Value:
    """A number, text or truth value; None where there is nothing."""

    def __init__(self, v):
        self.v = v if isinstance(v, (int, float, Fraction, str, bool)) else None

    def number(self):
        return isinstance(self.v, (int, float, Fraction)) and not isinstance(self.v, bool)

    def calculate(self, other, operation):
        other = other if isinstance(other, Value) else Value(other)
        if not (self.number() and other.number()):
            return Value(None)
        try:
            return Value(operation(exact(self.v), exact(other.v)))
        except ZeroDivisionError:
            return Value(None)

    def __add__(self, other):
        return self.calculate(other, lambda x, y: x + y)

    def __sub__(self, other):
        return self.calculate(other, lambda x, y: x - y)

    def __mul__(self, other):
        return self.calculate(other, lambda x, y: x * y)

    def __truediv__(self, other):
        return self.calculate(other, lambda x, y: x / y)

    __radd__ = __add__
    __rmul__ = __mul__

    def __rsub__(self, other):
        return Value(other) - self

    def __rtruediv__(self, other):
        return Value(other) / self

    def __neg__(self):
        return 0 - self

    def compare(self, other, holds):
        """holds gets -1, 0 or 1, or None for a text and a number."""
        other = other if isinstance(other, Value) else Value(other)
        if self.v is None or other.v is None:
            return False
        if self.number() and other.number():
            x, y = exact(self.v), exact(other.v)
        elif isinstance(self.v, str) and isinstance(other.v, str):
            x, y = self.v.encode("utf-8", "replace"), other.v.encode("utf-8", "replace")
        elif isinstance(self.v, bool) and isinstance(other.v, bool):
            x, y = self.v, other.v
        else:
            return holds(None)
        return holds((x > y) - (x < y))

    def __eq__(self, other):
        return self.compare(other, lambda o: o == 0)

    def __ne__(self, other):
        return self.compare(other, lambda o: o != 0)

    def __lt__(self, other):
        return self.compare(other, lambda o: o == -1)

    def __gt__(self, other):
        return self.compare(other, lambda o: o == 1)

    def __le__(self, other):
        return self.compare(other, lambda o: o in (-1, 0))

    def __ge__(self, other):
        return self.compare(other, lambda o: o in (0, 1))


def exact(v):
    return v if isinstance(v, Fraction) else Fraction(v)


class Side:
    """a or b of an expression: the attributes of a document, and how many shingles."""

    def __init__(self, members, shingles):
        self.members, self.shingles = members, shingles

    def __getattr__(self, name):
        v = self.members.get(name)
        return Side(v, None) if isinstance(v, dict) else Value(v)

    __getitem__ = __getattr__


MEASURES = {
    "containment": lambda o, a, b: Fraction(o, a),
    "jaccard": lambda o, a, b: Fraction(o, a + b - o),
    "dice": lambda o, a, b: Fraction(2 * o, a + b),
}


class Relation:
    """Constraints; those of the texts depend on three numbers alone."""

    def __init__(self, source):
        text = re.sub(r"\b\d+(\.\d+)?\b", r"Fraction('\g<0>')", source)
        parts = [part.strip() for part in text.split("&&")]
        content = [p for p in parts if any(name in p for name in MEASURES)]
        self.content = compile(" and ".join(content), source, "eval")
        self.others = compile(" and ".join(p for p in parts if p not in content) or "True", source, "eval")
        self.first = compile(re.search(r"(containment|jaccard|dice)\(\w, \w\)", source).group(), source, "eval")
        self.known = {}

    def measured(self, shared, a, b):
        sizes = {"a": a, "b": b}
        names = {name: lambda x, y, f=f: f(shared, x, y) for name, f in MEASURES.items()}
        if not eval(self.content, {**names, **sizes, "Fraction": Fraction}):
            return None
        millionths = int(eval(self.first, {**names, **sizes}) * 10**6)
        return f"{millionths // 10**6}.{millionths % 10**6:06d}"

    def similarity(self, a, b, shared):
        """None where b does not cover a; else the first measure to six digits, cut off."""
        key = shared, a.shingles, b.shingles
        if key not in self.known:
            self.known[key] = self.measured(*key)
        if self.known[key] is None or not eval(self.others, {"a": a, "b": b, "Fraction": Fraction}):
            return None
        return self.known[key]
