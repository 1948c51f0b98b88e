// The demo: one scene at a time, each stepped through. What is shown comes from the data.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const formula = (f) => formulaNode(data.formulas[f]);
  // A formula that may be wider than a phone: where it is, it scrolls, by keyboard as well.
  const wideFormula = (f) => {
    const box = el("span", {class: "formula"}, formula(f));
    requestAnimationFrame(() => { if (box.scrollWidth > box.clientWidth) box.tabIndex = 0; });
    return box;
  };
  const line = (className, ...children) => el("li", {class: className}, ...children);
  const badge = (state) => el("span", {class: "badge " + state.replace(/ /g, "-"), text: state});

  // Each kind gives the number of steps and draws the first `at` of them into `into`.
  const kinds = {
    trace(scene) {
      return {steps: scene.steps.length + 1, draw(into, at) {
        const program = el("ol", {class: "stage"}), guards = el("ul", {class: "formulas"});
        scene.steps.forEach((s, i) => {
          program.append(line(i < at ? (i === at - 1 ? "now" : "done") : "ahead", el("code", {text: s.line}),
            i < at ? el("span", {class: "value", text: s.value}) : null, i < at ? el("span", {class: "kind", text: s.note}) : null));
          if (i < at) for (const f of s.recorded) guards.append(line(i === at - 1 ? "now" : "", formula(f)));
        });
        into.append(program, el("h3", {text: `Guards recorded so far: ${guards.children.length}`}), guards);
        if (at > scene.steps.length) {
          const after = el("ul", {class: "formulas"});
          for (const f of scene.after) after.append(line("now", formula(f)));
          into.append(el("h3", {text: "After simplification"}), after, el("p", {class: "answer", text: scene.counts}));
        }
      }};
    },
    check(scene) {
      let chosen = 0;
      return {steps: scene.guards.length, draw(into, at, again) {
        const tools = el("div", {class: "tools", role: "group", "aria-label": "Which call is checked"});
        scene.checks.forEach((c, i) => tools.append(el("button", {type: "button", "aria-pressed": String(i === chosen), text: c.name,
          onclick: () => { chosen = i; again(0); }})));
        const check = scene.checks[chosen], list = el("ol", {class: "stage"});
        check.steps.forEach((s, i) => {
          const guard = scene.guards[s.guard], state = i < at ? s.state : "waiting";
          list.append(line("lamp " + state.replace(/ /g, "-"), wideFormula(guard.f), el("span", {class: "kind", text: guard.family + ", " + guard.kind}),
            badge(state), i < at && s.reads ? el("span", {class: "value", text: s.reads}) : null,
            i < at && s.failure ? el("strong", {class: "value", text: s.failure}) : null));
        });
        into.append(tools, list);
        if (at >= check.steps.length) into.append(el("p", {class: "answer", text: `${check.verdict === "hit" ? "Every guard holds: hit." : "One guard is not true: recompile."} ${check.reads} values were read.`}));
      }};
    },
    stream(scene) {
      return {steps: scene.runs[0].calls.length, draw(into, at) {
        const grid = el("div", {class: "grid"});
        for (const run of scene.runs) {
          const list = el("ol", {class: "stage"});
          run.calls.slice(0, at).forEach((c, i) => {
            const failed = el("ul");
            for (const [label, text] of c.failed) failed.append(el("li", {}, el("code", {text: label}), ": " + text));
            list.append(line(i === at - 1 ? "now" : "done", el("code", {text: c.call}), badge(c.outcome), el("span", {class: "value", text: c.entry}), c.failed.length ? failed : null));
          });
          const cache = el("div", {class: "cards"});
          for (const e of run.calls[at - 1]?.entries ?? [])
            cache.append(el("details", {class: "box"}, el("summary", {text: e.label}), el("p", {}, el("code", {text: e.guards.join(" and ")}))));
          grid.append(el("section", {class: "box"}, el("h3", {text: run.name}), list, el("h3", {text: `Entries in the cache: ${run.calls[at - 1]?.entries.length ?? 0}`}), cache,
            at === run.calls.length ? el("p", {class: "answer", text: run.counts}) : null));
        }
        into.append(grid);
      }};
    },
    families(scene) {
      return {steps: scene.rows.length, draw(into, at) {
        const grid = el("div", {class: "grid"});
        for (const family of ["frame", "tensor", "global", "container"]) {
          const list = el("ol", {class: "stage"});
          scene.rows.forEach((r, i) => {
            if (r.family !== family) return;
            const shown = i < at;
            list.append(line(shown ? (i === at - 1 ? "now" : "done") : "ahead", wideFormula(r.f),
              el("span", {class: "kind", text: r.kind}),
              shown ? el("span", {class: "value", text: `reads ${r.reads}; costs ${compactNumber(r.read_cost)} to read, ${compactNumber(r.cost)} to evaluate`}) : null,
              shown ? el("span", {class: "value"}, `${r.change}: `, el("strong", {text: r.catches})) : null));
          });
          grid.append(el("section", {class: "box"}, el("h3", {text: `The ${family} family`}), list));
        }
        into.append(grid);
      }};
    },
    charts(scene) {
      return {steps: 1, draw(into) {
        const grid = el("div", {class: "grid"});
        charts.length = 0;
        for (const c of scene.charts) grid.append(chartNode(c));
        into.append(grid);
        charts.forEach((c) => c.draw());
      }};
    },
  };

  document.querySelector("h1").textContent = data.title;
  document.querySelector(".lead").textContent = data.lead;
  document.querySelector("footer").textContent = "Written by dimgate demo --html: every verdict, text and number here was computed by the library. Arrow keys step; this file needs no network.";
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const main = document.getElementById("main"), nav = document.querySelector("nav");
  main.replaceChildren();
  const scenes = data.scenes.map((scene, index) => ({...kinds[scene.kind](scene), scene, at: 0, index}));
  let current = 0, timer = null;

  const stage = el("div"), counter = el("span", {class: "note", role: "status"});
  const play = el("button", {type: "button", text: "Play", onclick: () => (timer ? stop() : start())});
  const button = (text, action) => el("button", {type: "button", text, onclick: () => { stop(); action(); }});
  const controls = el("div", {class: "tools", role: "group", "aria-label": "Steps"},
    button("Back", () => step(-1)), button("Next step", () => step(1)), play, button("All of this scene", () => show(scenes[current].steps)), counter);
  function stop() {
    clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  }
  function start() {
    play.textContent = "Pause";
    if (scenes[current].at >= scenes[current].steps) show(0);
    timer = setInterval(() => {
      if (scenes[current].at >= scenes[current].steps) stop();
      else step(1);
    }, 900);
  }
  function show(at) {
    const s = scenes[current];
    s.at = Math.max(0, Math.min(at, s.steps));
    const focused = stage.contains(document.activeElement) ? [...stage.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    stage.replaceChildren();
    s.draw(stage, s.at, show);
    if (focused >= 0) stage.querySelectorAll("button")[focused]?.focus();
    counter.textContent = `step ${s.at} of ${s.steps}`;
  }
  function step(by) {
    const s = scenes[current];
    if (by > 0 && s.at >= s.steps && current + 1 < scenes.length) open(current + 1);
    else if (by < 0 && s.at === 0 && current > 0) open(current - 1);
    else show(s.at + by);
  }
  function open(index) {
    stop();
    current = index;
    const {scene} = scenes[index];
    main.replaceChildren(el("h2", {id: scene.id, text: `${index + 1}. ${scene.title}`}), el("p", {text: scene.text}), controls, stage);
    nav.querySelectorAll("button").forEach((b, i) => (i === index ? b.setAttribute("aria-current", "step") : b.removeAttribute("aria-current")));
    show(scenes[index].steps === 1 ? 1 : scenes[index].at);
  }
  scenes.forEach((s) => nav.append(el("button", {type: "button", text: `${s.index + 1}. ${s.scene.title}`, onclick: () => open(s.index)})));
  addEventListener("keydown", (e) => {
    if (e.target.closest("input, select, textarea, .scroll") || e.ctrlKey || e.altKey || e.metaKey) return;
    if (e.key === "ArrowRight") stop(), step(1);
    if (e.key === "ArrowLeft") stop(), step(-1);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(scenes[current].at));
  // On paper all scenes stand one after the other, complete.
  addEventListener("beforeprint", () => {
    stop();
    main.replaceChildren();
    for (const s of scenes) {
      const all = el("div");
      main.append(el("h2", {text: `${s.index + 1}. ${s.scene.title}`}), el("p", {text: s.scene.text}), all);
      s.draw(all, s.steps, () => {});
    }
  });
  addEventListener("afterprint", () => open(current));
  window.dimgateDemo = {scenes, open, show};
  open(0);
})();
