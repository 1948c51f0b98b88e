// Elements of a page: tables, charts, cards, entries. Texts are set as text, never as markup.
"use strict";
function el(tag, options = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
const seriesColor = (i) => color("s" + (i % 8));
const compactNumber = (v) => Number(v).toLocaleString("en", {maximumFractionDigits: 3});
let unique = 0;

// ---- formulas ------------------------------------------------------------------------------
const mathTags = new Set(["math", "mrow", "mi", "mn", "mo", "mtext", "msub", "msup", "mfrac", "mtable", "mtr", "mtd"]);
// Copies MathML element by element: no other element and no attribute but mathvariant gets in.
function copyMath(from) {
  const tag = from.localName;
  if (!mathTags.has(tag)) return document.createTextNode(from.textContent);
  const to = document.createElementNS("http://www.w3.org/1998/Math/MathML", tag);
  const variant = from.getAttribute("mathvariant");
  if (variant === "normal" || variant === "monospace") to.setAttribute("mathvariant", variant);
  for (const child of from.childNodes)
    to.append(child.nodeType === Node.ELEMENT_NODE ? copyMath(child) : document.createTextNode(child.textContent));
  return to;
}
function formulaNode(formula) {
  if (formula.mathml) {
    const read = new DOMParser().parseFromString(formula.mathml, "application/xml");
    if (!read.querySelector("parsererror")) {
      const math = copyMath(read.documentElement);
      math.setAttribute("title", formula.text);
      return math;
    }
  }
  return el("code", {text: formula.text});
}
async function copyText(text, what) {
  const said = document.getElementById("said");
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", {"aria-hidden": "true"});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  said.textContent = what + " copied";
}
function copyButtons(formula) {
  const row = el("div", {class: "copy"});
  for (const [key, name] of [["text", "text"], ["latex", "LaTeX"], ["mathml", "MathML"]])
    if (formula[key]) row.append(el("button", {type: "button", text: "Copy " + name, onclick: () => copyText(formula[key], name)}));
  return row;
}

// ---- tables --------------------------------------------------------------------------------
function tableNode(block) {
  const head = el("tr");
  for (const c of block.columns) head.append(el("th", {scope: "col", class: c.num && "num", text: c.title}));
  const body = el("tbody");
  for (const row of block.rows) {
    const line = el("tr");
    row.forEach((cell, i) => line.append(el("td", {
      class: block.columns[i].num ? "num" : String(cell).length <= 28 && "short",
      text: typeof cell === "number" && block.columns[i].num ? compactNumber(cell) : cell,
    })));
    body.append(line);
  }
  const scroll = el("div", {class: "scroll", role: "region", tabindex: "0", "aria-label": block.caption || "table"});
  scroll.append(el("table", {}, el("caption", {text: block.caption}), el("thead", {}, head), body));
  return scroll;
}

// ---- charts --------------------------------------------------------------------------------
const charts = [];
function axis(title, log) {
  return {
    type: log ? "logarithmic" : "linear",
    title: {display: Boolean(title), text: title, color: color("soft")},
    ticks: {color: color("soft"), maxRotation: 0, autoSkipPadding: 12,
            callback: (v) => (log && !/^[125]0*$/.test(String(v)) ? null : Number(v).toLocaleString("en"))},
    grid: {color: color("grid")},
  };
}
function shortLabel(text, room) {
  return text.length > room ? text.slice(0, room - 1) + "…" : text;
}
const integerTicks = (a) => { a.ticks = a.ticks.filter((t) => Number.isInteger(t.value)); };
function categoryAxis(labels, room) {
  return {
    type: "linear", reverse: true, min: -0.5, max: labels.length - 0.5,
    ticks: {color: color("text"), stepSize: 1, autoSkip: false, callback: (v) => (Number.isInteger(v) ? shortLabel(labels[v] ?? "", room) : null)},
    afterBuildTicks: (a) => { a.ticks = labels.map((_, i) => ({value: i})); },
    grid: {color: color("grid")},
  };
}
function chartConfig(block, room) {
  const bar = block.kind === "bar";
  const datasets = block.series.map((s, i) => ({
    label: s.name,
    data: bar ? s.points : s.points.map(([x, y, text]) => ({x, y, text})),
    borderColor: seriesColor(i), backgroundColor: seriesColor(i), borderWidth: bar ? 0 : 2,
    showLine: block.kind === "line", stepped: block.kind === "line" && block.log ? "before" : false,
    pointRadius: block.kind === "timeline" ? 5 : (s.points.length > 60 ? 0 : 3),
    pointStyle: ["circle", "triangle", "rect", "crossRot"][block.kind === "timeline" ? i % 4 : 0],
    maxBarThickness: 26, minBarLength: 2,
  }));
  const scales = bar
    ? {x: {...axis(block.x, block.log), ...(block.log ? {min: 0.5} : {beginAtZero: true})},
       y: {type: "category", ticks: {color: color("text"), autoSkip: false, callback(v) { return shortLabel(this.getLabelForValue(v), room); }}, grid: {display: false}}}
    : {x: {...axis(block.x, false), ...(/^seconds/.test(block.x) ? {} : {afterBuildTicks: integerTicks})}, y: block.kind === "timeline" ? categoryAxis(block.labels, room) : axis(block.y, block.log)};
  return {
    type: bar ? "bar" : "scatter",
    data: bar ? {labels: block.labels, datasets} : {datasets},
    options: {
      indexAxis: bar ? "y" : "x", animation: false, responsive: true, maintainAspectRatio: false, scales,
      plugins: {
        legend: {display: datasets.length > 1, labels: {color: color("text"), usePointStyle: !bar, boxWidth: 12}},
        tooltip: {callbacks: {label: (c) => c.raw.text ?? `${c.dataset.label}: ` + (bar ? compactNumber(c.raw) : `(${compactNumber(c.raw.x)}, ${compactNumber(c.raw.y)})`)}},
      },
    },
  };
}
function chartNode(block) {
  const rows = block.kind === "line" ? 0 : block.labels.length;
  const height = block.kind === "line" ? 280 : Math.max(block.kind === "bar" ? 90 : 120, 70 + rows * (block.kind === "bar" ? 34 * Math.max(1, block.series.length * .6) : 30));
  const canvas = el("canvas", {role: "img", "aria-label": block.about + ". The table below holds the numbers."});
  const holder = el("div", {class: "canvas", style: `height:${height}px`}, canvas);
  const box = el("section", {class: "box" + (block.wide ? " wide" : "")},
    el("h3", {text: block.title}), holder,
    el("details", {}, el("summary", {text: "Table: " + block.title}), tableNode(block.table)));
  let chart = null;
  charts.push({
    draw() {
      chart?.destroy();
      chart = new Chart(canvas, chartConfig(block, holder.clientWidth < 500 ? 14 : 34));
    },
    resize: () => chart?.resize(),
  });
  return box;
}

// ---- cards ---------------------------------------------------------------------------------
function cardsNode(block) {
  const list = el("div", {class: "cards two wide"});
  for (const item of block.items) {
    const lines = el("dl");
    for (const [label, text] of item.lines) {
      const code = label === "Your line" || label === "Do" && /^[\w.]+\([^()]*\)$/.test(text);
      lines.append(el("dt", {text: label}), el("dd", {}, code ? el("code", {text}) : document.createTextNode(text)));
    }
    list.append(el("article", {class: "box"},
      el("h3", {}, item.title, el("span", {class: "badge " + item.badge, text: item.badge})),
      el("div", {class: "note", text: item.note}), lines));
  }
  if (block.left_out) list.append(el("p", {class: "note", text: `${block.left_out} more are left out.`}));
  return list;
}

// ---- entries -------------------------------------------------------------------------------
function guardBody(guard, index, entry, formulas) {
  const inside = el("div", {class: "inside"});
  const lines = el("dl");
  const line = (label, content) => content && lines.append(el("dt", {text: label}), el("dd", {}, content));
  const formula = guard.f === undefined ? {text: guard.text} : formulas[guard.f];
  line("Text", el("code", {text: formula.text}));
  if (formula.latex) line("LaTeX", el("code", {text: formula.latex}));
  if (guard.where) line("Place", el("code", {text: guard.where}));
  if (guard.line) line("Source line", el("code", {text: guard.line}));
  if (guard.why) line("Why it exists", guard.why);
  if (guard.became === "implied") {
    const by = el("span", {}, "by ");
    guard.by.forEach((k, i) => {
      if (i) by.append(", ");
      const other = entry.recorded[k];
      by.append(el("code", {text: other.f === undefined ? other.text : formulas[other.f].text}), ` (guard ${k + 1})`);
    });
    guard.facts.forEach((fact, i) => by.append(guard.by.length + i ? ", " : "", el("code", {text: fact})));
    if (!guard.by.length && !guard.facts.length) by.append("nothing: it always holds");
    line("Implied", by);
    line("Proof", "stage " + guard.proof + " of the prover");
  }
  if (guard.became === "kept") line("Kept", "no proof from the others: it has to be checked");
  if (guard.became === "outside") line("Kept", "outside the formula language: it has to be checked");
  if (guard.remove && guard.became !== "implied") line("What would remove it", guard.remove);
  if (guard.cost) line("Cost of a check", `about ${compactNumber(guard.cost)} simple tests`);
  inside.append(lines, copyButtons(formula));
  return inside;
}
function guardNode(guard, index, entry, formulas) {
  const node = guard.f === undefined ? el("code", {text: guard.text}) : formulaNode(formulas[guard.f]);
  const details = el("details", {},
    el("summary", {}, el("span", {class: "formula"}, node),
      el("span", {class: "kind", text: guard.kind}), el("span", {class: "badge " + guard.became, text: guard.became})));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(guardBody(guard, index, entry, formulas));
  });
  return el("li", {class: guard.became === "implied" && "gone"}, details);
}
const firstGuards = 40;
function guardList(entry, formulas) {
  const list = el("ul", {class: "guards"});
  const show = (from, to) => entry.recorded.slice(from, to).forEach((g, i) => list.append(guardNode(g, from + i, entry, formulas)));
  show(0, firstGuards);
  const holder = el("div", {}, list);
  if (entry.recorded.length > firstGuards) {
    const more = el("button", {type: "button", text: `Show the other ${entry.recorded.length - firstGuards} guards`});
    more.addEventListener("click", () => { more.remove(); show(firstGuards, entry.recorded.length); });
    holder.append(more);
  }
  return holder;
}
function entryNode(entry, formulas, open) {
  const details = el("details", {class: "entry", open: open},
    el("summary", {text: `${entry.title}: ${entry.recorded.length} recorded, ${entry.readable.length} after`}));
  const fill = () => {
    if (details.children.length > 1) return;
    if (entry.note) details.append(el("p", {class: "note", text: entry.note + "."}));
    details.append(el("h3", {text: "After simplification"}));
    const after = el("ul", {class: "formulas"});
    const shown = entry.readable.slice(0, 60);
    for (const f of shown) after.append(el("li", {tabindex: "0", role: "listitem"}, formulaNode(formulas[f])));
    if (!entry.readable.length) after.append(el("li", {text: "no guard: every call is served"}));
    details.append(after);
    if (entry.readable.length > shown.length) details.append(el("p", {class: "note", text: `and ${entry.readable.length - shown.length} more, each kept as recorded or merged`}));
    if (entry.readable.length) {
      const all = entry.readable.map((f) => formulas[f]);
      details.append(copyButtons({text: all.map((f) => f.text).join("\n"), latex: all.map((f) => f.latex ?? "\\texttt{…}").join(" \\\\\n")}));
    }
    if (entry.proofs.length) {
      details.append(el("details", {}, el("summary", {text: `Proofs of the readable form (${entry.proofs.length})`}),
        tableNode({caption: "Proved", columns: [{title: "claim"}, {title: "verdict"}, {title: "stage"}], rows: entry.proofs})));
    }
    details.append(el("h3", {text: "Before: as recorded"}));
    if (entry.recorded.length) details.append(guardList(entry, formulas));
    else details.append(el("p", {class: "note", text: "nothing was recorded"}));
  };
  details.addEventListener("toggle", () => details.open && fill());
  if (open) fill();
  return el("section", {class: "box"}, details);
}
function entriesNode(block, data) {
  const list = el("div", {class: "cards wide"});
  block.entries.forEach((e, i) => list.append(entryNode(e, data.formulas, i === 0)));
  if (block.left_out) list.append(el("p", {class: "note", text: `${block.left_out} more entries are left out.`}));
  return list;
}
