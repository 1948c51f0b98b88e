// Evaluates compact formulas (src/report/regions.hpp) exactly, as docs/guard-language.md says: integers are BigInt,
// `null` is undefined, `and or not implies` are strong Kleene, the rest is strict.
"use strict";
const dimgateEvaluate = (() => {
  const floorDiv = (a, b) => {
    const q = a / b;
    return (a % b !== 0n && (a < 0n) !== (b < 0n)) ? q - 1n : q;
  };
  const floorMod = (a, b) => a - floorDiv(a, b) * b;
  const strict = {
    Add: (...v) => v.reduce((a, b) => a + b),
    Sub: (a, b) => a - b,
    Neg: (a) => -a,
    Mul: (...v) => v.reduce((a, b) => a * b),
    FloorDiv: (a, b) => (b === 0n ? null : floorDiv(a, b)),
    Mod: (a, b) => (b === 0n ? null : floorMod(a, b)),
    CeilDiv: (a, b) => (b === 0n ? null : -floorDiv(-a, b)),
    Pow: (a, b) => (b > 4096n ? null : a ** b),
    Min: (...v) => v.reduce((a, b) => (b < a ? b : a)),
    Max: (...v) => v.reduce((a, b) => (b > a ? b : a)),
    Abs: (a) => (a < 0n ? -a : a),
    Eq: (a, b) => a === b,
    Ne: (a, b) => a !== b,
    Lt: (a, b) => a < b,
    Le: (a, b) => a <= b,
    Gt: (a, b) => a > b,
    Ge: (a, b) => a >= b,
    distinct: (...v) => new Set(v).size === v.length,
    divides: (k, e) => (k === 0n ? null : floorMod(e, k) === 0n),
    In: (e, ...v) => v.includes(e),
    iff: (a, b) => a === b,
  };
  const and = (values) => (values.includes(false) ? false : values.includes(null) ? null : true);
  const not = (v) => (v === null ? null : !v);
  function evaluate(f, at) {
    if (typeof f === "number") return BigInt(f);
    if (typeof f === "boolean") return f;
    const [op, ...rest] = f;
    if (op === "#") return BigInt(rest[0]);
    if (op === "@") return "@" + rest[0];
    if (op === "$") return at.has(rest[0]) ? at.get(rest[0]) : null;
    if (op === "Where") {
      const c = evaluate(rest[0], at);
      return c === null ? null : evaluate(rest[c ? 1 : 2], at);
    }
    const v = rest.map((e) => evaluate(e, at));
    if (op === "And") return and(v);
    if (op === "Or") return not(and(v.map(not)));
    if (op === "Not") return not(v[0]);
    if (op === "implies") return not(and([v[0], not(v[1])]));
    if (v.includes(null) || !(op in strict)) return null;
    return strict[op](...v);
  }
  return evaluate;
})();
// The symbols of a compact formula.
function dimgateSymbols(f, into = new Set()) {
  if (!Array.isArray(f)) return into;
  if (f[0] === "$") into.add(f[1]);
  else if (f[0] !== "#" && f[0] !== "@") f.slice(1).forEach((e) => dimgateSymbols(e, into));
  return into;
}
