// Shapes as points over two chosen dims, and the regions where each entry's guards hold.
"use strict";
function integerAxis(min, max) {
  return {min, max, afterBuildTicks: integerTicks};
}
function regionsNode(block) {
  const dims = block.dims;
  const used = (d) => new Set(block.points.map((p) => p[d])).size;
  const order = dims.map((_, i) => i).sort((a, b) => used(b) - used(a));
  const state = {x: order[0], y: order.length > 1 && used(order[1]) > 1 ? order[1] : -1, set: Math.max(0, block.sets.length - 1), window: null,
                 fixed: (block.points[0] ?? dims.map(() => 1)).slice(0, dims.length)};
  const name = "regions" + ++unique;
  const canvas = el("canvas", {role: "img"});
  const holder = el("div", {class: "canvas", style: "height:380px"}, canvas);
  const legend = el("ul", {class: "legend"});
  const answer = el("p", {class: "answer", role: "status"});
  const tools = el("div", {class: "tools"});
  const tableHolder = el("div");
  let chart = null;

  const entries = () => (block.sets[state.set]?.entries ?? []);
  const constant = (entry) => { // an entry for one shape: {dim: value}
    if (!entry.pins) {
      entry.pins = {};
      for (const [f] of entry.guards) {
        if (f[0] !== "Eq" || !Array.isArray(f[1]) || f[1][0] !== "$" || typeof f[2] !== "number") { entry.pins = null; break; }
        entry.pins[f[1][1]] = f[2];
      }
      if (entry.pins && dims.some((d) => !(d in entry.pins))) entry.pins = null;
      entry.pins ??= false;
    }
    return entry.pins;
  };
  const holds = (entry, at) => entry.guards.every(([f]) => dimgateEvaluate(f, at) === true);
  const point = (x, y) => {
    const at = new Map(dims.map((d, i) => [d, BigInt(state.fixed[i])]));
    at.set(dims[state.x], BigInt(x));
    if (state.y >= 0) at.set(dims[state.y], BigInt(y));
    return at;
  };
  const fit = () => {
    const range = (d) => {
      const v = block.points.map((p) => p[d]);
      const lo = v.length ? Math.min(...v) : 0, hi = v.length ? Math.max(...v) : 64;
      const pad = Math.max(1, Math.ceil((hi - lo) * .05));
      return [Math.max(lo - pad, Math.min(lo, 0)), hi + pad];
    };
    const [x0, x1] = range(state.x), [y0, y1] = state.y >= 0 ? range(state.y) : [0, 1];
    state.window = {x0, x1, y0, y1};
  };
  // One shape for each cell, spread inside it by a fixed rule, so that residues show as a mixture and not as stripes.
  const sample = (lo, hi, i, n, salt) => {
    const a = lo + Math.floor((hi - lo + 1) * i / n), b = lo + Math.floor((hi - lo + 1) * (i + 1) / n);
    return a + (b > a + 1 ? Math.floor(((Math.sin((i + 1) * 12.9898 + salt * 78.233) * 43758.5453) % 1 + 1) % 1 * (b - a)) : 0);
  };
  const raster = {
    id: "raster",
    beforeDatasetsDraw(c) {
      const {x0, x1, y0, y1} = state.window, {ctx, chartArea: a} = c;
      const general = entries().map((e, i) => [e, i]).filter(([e]) => !constant(e)).slice(0, 24);
      const nx = Math.min(x1 - x0 + 1, 160), ny = state.y >= 0 ? Math.min(y1 - y0 + 1, 90) : 1;
      const w = (a.right - a.left) / nx, h = (a.bottom - a.top) / ny;
      ctx.save();
      ctx.globalAlpha = .38;
      for (let i = 0; i < nx; ++i) {
        for (let j = 0; j < ny; ++j) {
          const at = point(sample(x0, x1, i, nx, j), state.y >= 0 ? sample(y0, y1, j, ny, i) : 0);
          const hit = general.find(([e]) => holds(e, at));
          if (!hit) continue;
          ctx.fillStyle = seriesColor(hit[1]);
          ctx.fillRect(a.left + i * w, a.bottom - (j + 1) * h, w + .5, h + .5);
        }
      }
      ctx.globalAlpha = .9;
      entries().forEach((e, i) => {
        const pins = constant(e);
        if (!pins) return;
        const x = c.scales.x.getPixelForValue(pins[dims[state.x]]);
        const y = state.y >= 0 ? c.scales.y.getPixelForValue(pins[dims[state.y]]) : (a.top + a.bottom) / 2;
        if (x < a.left || x > a.right || y < a.top || y > a.bottom) return;
        ctx.strokeStyle = seriesColor(i);
        ctx.strokeRect(x - 4, y - 4, 8, 8);
      });
      ctx.restore();
    },
  };
  const draw = () => {
    chart?.destroy();
    const {x0, x1, y0, y1} = state.window;
    const seen = block.points.map((p) => ({x: p[state.x], y: state.y >= 0 ? p[state.y] : .5, n: p[dims.length]}))
      .filter((p) => p.x >= x0 && p.x <= x1 && p.y >= y0 && p.y <= y1);
    const most = Math.max(1, ...seen.map((p) => p.n));
    canvas.setAttribute("aria-label", `${block.title}: ${dims[state.x]}${state.y >= 0 ? " by " + dims[state.y] : ""}, ` +
      `${seen.length} shapes, ${entries().length} entries of ${block.sets[state.set]?.name ?? "no policy"}. The table below holds them.`);
    chart = new Chart(canvas, {
      type: "scatter",
      data: {datasets: [{data: seen, backgroundColor: color("text"), pointRadius: seen.map((p) => 1.5 + 3.5 * Math.sqrt(p.n / most))}]},
      options: {
        animation: false, responsive: true, maintainAspectRatio: false,
        scales: {x: {...axis(dims[state.x]), ...integerAxis(x0 - .5, x1 + .5)},
                 y: {...axis(state.y >= 0 ? dims[state.y] : ""), ...integerAxis(state.y >= 0 ? y0 - .5 : 0, state.y >= 0 ? y1 + .5 : 1), display: state.y >= 0}},
        plugins: {legend: {display: false}, tooltip: {callbacks: {label: (c) => `${dims[state.x]} = ${c.raw.x}` + (state.y >= 0 ? `, ${dims[state.y]} = ${c.raw.y}` : "") + `: ${c.raw.n} ${c.raw.n === 1 ? "time" : "times"}`}}},
      },
      plugins: [raster],
    });
    drawLegend();
  };
  const drawLegend = () => {
    legend.replaceChildren();
    entries().slice(0, 12).forEach((e, i) => {
      const swatch = el("i");
      swatch.style.background = seriesColor(i);
      legend.append(el("li", {}, swatch, e.name + ": ", el("code", {text: e.guards.map((g) => g[1]).join(" and ") || "every shape"}), e.all ? "" : " (some guards could not be drawn)"));
    });
    const more = entries().length - 12 + (block.sets[state.set]?.left_out ?? 0);
    if (more > 0) legend.append(el("li", {class: "note", text: `and ${more} more entries`}));
    legend.append(el("li", {class: "note", text: `${block.shapes} shapes seen; larger dots came more often`}));
  };
  const serve = () => {
    const at = new Map(dims.map((d, i) => [d, BigInt(state.fixed[i])]));
    const index = entries().findIndex((e) => holds(e, at));
    if (index >= 0) answer.textContent = `${dims.map((d, i) => `${d} = ${state.fixed[i]}`).join(", ")}: hit, ${entries()[index].name}`;
    else {
      const first = entries().length ? entries().map((e) => e.guards.find(([f]) => dimgateEvaluate(f, at) !== true)?.[1]).filter(Boolean) : [];
      answer.textContent = `${dims.map((d, i) => `${d} = ${state.fixed[i]}`).join(", ")}: recompile` + (first.length ? `, fails ${first.slice(0, 3).join("; ")}${first.length > 3 ? "; …" : ""}` : "");
    }
  };
  const pick = (label, options, value, change) => {
    const select = el("select");
    options.forEach(([v, text]) => select.append(el("option", {value: v, text: shortLabel(text, 40), selected: v === value})));
    select.addEventListener("change", () => change(Number(select.value)));
    tools.append(el("label", {}, label, select));
  };
  const redraw = () => { draw(); serve(); };
  if (block.sets.length) pick("entries of", block.sets.map((s, i) => [i, s.name]), state.set, (v) => { state.set = v; redraw(); });
  if (dims.length > 1) {
    pick("across", dims.map((d, i) => [i, d]), state.x, (v) => { state.x = v; fit(); redraw(); });
    pick("up", [[-1, "nothing"], ...dims.map((d, i) => [i, d])], state.y, (v) => { state.y = v === state.x ? -1 : v; fit(); redraw(); });
  }
  dims.forEach((d, i) => {
    const input = el("input", {type: "number", step: "1", value: state.fixed[i]});
    input.addEventListener("change", () => { state.fixed[i] = Math.trunc(Number(input.value)) || 0; input.value = state.fixed[i]; redraw(); });
    tools.append(el("label", {}, d + " =", input));
  });
  const zoom = (factor) => () => {
    const w = state.window;
    for (const [lo, hi] of state.y >= 0 ? [["x0", "x1"], ["y0", "y1"]] : [["x0", "x1"]]) {
      const middle = (w[lo] + w[hi]) / 2, half = Math.max(2, (w[hi] - w[lo]) / 2 * factor);
      w[lo] = Math.floor(Math.max(middle - half, Math.min(0, w[lo]))), w[hi] = Math.ceil(middle + half);
    }
    draw();
  };
  const move = (dx, dy) => () => {
    const w = state.window, sx = Math.ceil((w.x1 - w.x0) / 4) * dx, sy = Math.ceil((w.y1 - w.y0) / 4) * dy;
    w.x0 += sx, w.x1 += sx;
    if (state.y >= 0) w.y0 += sy, w.y1 += sy;
    draw();
  };
  const buttons = el("div", {class: "tools", role: "group", "aria-label": "View of the plot"});
  for (const [text, label, action] of [["+", "Zoom in", zoom(.5)], ["−", "Zoom out", zoom(2)], ["←", "Left", move(-1, 0)], ["→", "Right", move(1, 0)],
                                       ["↑", "Up", move(0, 1)], ["↓", "Down", move(0, -1)], ["All", "Show all shapes", () => { fit(); draw(); }]])
    buttons.append(el("button", {type: "button", "aria-label": label, title: label, text, onclick: action}));
  const rows = [...block.points].slice(0, 400).map((p) => p);
  tableHolder.append(el("details", {}, el("summary", {text: "Table: shapes seen" + (block.points.length > 400 ? " (the 400 most frequent)" : "")}),
    tableNode({caption: "Shapes seen", columns: [...dims.map((title) => ({title, num: true})), {title: "times", num: true}], rows})));
  const box = el("section", {class: "box wide", id: name});
  const parts = [tools, answer, holder, buttons, legend, tableHolder];
  const first = () => { if (!state.window) { fit(); serve(); } draw(); };
  if (block.folded) {
    const fold = el("details", {class: "fold"}, el("summary", {text: block.title}), ...parts);
    fold.addEventListener("toggle", () => fold.open && first());
    box.append(fold);
  } else box.append(el("h3", {text: block.title}), ...parts);
  charts.push({draw: () => { if (holder.clientWidth) first(); }, resize: () => chart?.resize()});
  box.regions = {state, entries, holds, dims, redraw};
  return box;
}
