"""Evaluates SMT-LIB2 terms at points, by the standard's own definitions (Euclidean div and mod).

Reads lines `NAME=VALUE TAB ... TAB TERM TAB EXPECTED`; prints each that differs and at last `failures N`.
A value is true, false, an integer, or bvN for the 64 bits of a double. Where Python has z3, it is asked too (about
every tenth line).
"""
import struct
import sys


def tokens(text):
    i = 0
    while i < len(text):
        c = text[i]
        if c in '()':
            yield c
            i += 1
        elif c == '|':
            j = text.index('|', i + 1)
            yield text[i:j + 1]
            i = j + 1
        elif c.isspace():
            i += 1
        else:
            j = i
            while j < len(text) and not text[j].isspace() and text[j] not in '()':
                j += 1
            yield text[i:j]
            i = j


def read(text):
    stack = [[]]
    for t in tokens(text):
        if t == '(':
            stack.append([])
        elif t == ')':
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(t)
    (term,) = stack[0]
    return term


def double(bits):
    return struct.unpack('<d', struct.pack('<Q', bits))[0]


def euclid_mod(a, b):
    return a % abs(b)


def euclid_div(a, b):
    return (a - euclid_mod(a, b)) // b


def chain(test):
    return lambda *v: all(test(x, y) for x, y in zip(v, v[1:]))


def product(*v):
    out = 1
    for x in v:
        out *= x
    return out


OPS = {
    '+': lambda *v: sum(v), '*': product, '-': lambda a, *b: -a if not b else a - sum(b),
    # Division by zero is any value in SMT; a term that lets it decide would be wrong for some, so try two.
    'div': lambda a, b: ZERO if b == 0 else euclid_div(a, b),
    'mod': lambda a, b: ZERO if b == 0 else euclid_mod(a, b),
    'abs': abs, '=': chain(lambda x, y: x == y), 'distinct': lambda *v: len(set(v)) == len(v),
    '<': chain(lambda x, y: x < y), '<=': chain(lambda x, y: x <= y),
    '>': chain(lambda x, y: x > y), '>=': chain(lambda x, y: x >= y),
    'and': lambda *v: all(v), 'or': lambda *v: any(v), 'not': lambda p: not p,
    'ite': lambda c, x, y: x if c else y,
    'fp.eq': lambda x, y: x == y, 'fp.isNaN': lambda x: x != x,
}
ZERO = 0


def evaluate(term, env):
    if isinstance(term, str):
        if term in env:
            return env[term]
        return {'true': True, 'false': False}[term] if term in ('true', 'false') else int(term)
    head = term[0]
    if head == 'let':
        inner = dict(env)
        while not isinstance(term, str) and term[0] == 'let':
            ((name, value),) = term[1]
            inner[name] = evaluate(value, inner)
            term = term[2]
        return evaluate(term, inner)
    if head == '_':
        assert term[1].startswith('bv') and term[2] == '64', term
        return int(term[1][2:])
    if head == ['_', 'to_fp', '11', '53']:
        return double(evaluate(term[1], env))
    return OPS[head](*[evaluate(t, env) for t in term[1:]])


def value_of(text):
    if text in ('true', 'false'):
        return text == 'true'
    return int(text[2:]) if text.startswith('bv') else int(text)


def numeral(n):
    return str(n) if n >= 0 else f'(- {-n})'


def z3_agrees(z3, pairs, text, expected):
    script = '(set-logic ALL)\n'
    for pair in pairs:
        name, _, value = pair.rpartition('=')
        sort, literal = 'Int', value
        if value in ('true', 'false'):
            sort = 'Bool'
        elif value.startswith('bv'):
            sort, literal = '(_ BitVec 64)', f'(_ {value} 64)'
        else:
            literal = numeral(int(value))
        script += f'(declare-const {name} {sort})(assert (= {name} {literal}))\n'
    wanted = z3.sat
    if expected == 'False':
        wanted = z3.unsat
    if expected in ('True', 'False'):
        script += f'(assert {text})'
    else:
        script += f'(assert (= {text} {numeral(int(expected))}))'
    solver = z3.Solver()
    solver.from_string(script)
    return solver.check() == wanted


def main():
    global ZERO
    try:
        import z3
    except ImportError:
        z3 = None
    sys.setrecursionlimit(100000)
    failures = 0
    for number, line in enumerate(open(sys.argv[1])):
        *pairs, text, expected = line.rstrip('\n').split('\t')
        env = {}
        for pair in pairs:
            name, _, value = pair.rpartition('=')
            env[name] = value_of(value)
        term = read(text)
        for ZERO in (0, 1):
            got = str(evaluate(term, env))
            if got != expected:
                failures += 1
                if failures <= 5:
                    print(text, 'at', pairs, 'is', got, 'not', expected)
        if z3 is not None and number % 10 == 0 and not z3_agrees(z3, pairs, text, expected):
            failures += 1
            print('z3:', text, 'at', pairs, 'is not', expected)
    print('failures', failures)


main()
