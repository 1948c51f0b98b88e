// Puts the page together from the data.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  document.querySelector("h1").textContent = data.title;
  document.querySelector(".lead").textContent = data.lead;
  const main = document.getElementById("main");
  main.replaceChildren();
  const tiles = el("ul", {class: "tiles"});
  for (const t of data.tiles) tiles.append(el("li", {}, el("span", {text: t.label}), el("b", {text: t.value}), el("span", {text: t.note})));
  main.append(tiles);
  const nav = document.querySelector("nav");
  const draw = {table: (b) => el("div", {class: "box wide"}, tableNode(b)), chart: chartNode, cards: cardsNode,
                entries: (b) => entriesNode(b, data), regions: regionsNode};
  for (const s of data.sections) {
    nav.append(el("a", {href: "#" + s.id, text: s.title}));
    const grid = el("div", {class: "grid"});
    for (const block of s.blocks) grid.append(draw[block.type](block));
    main.append(el("section", {"aria-labelledby": s.id}, el("h2", {id: s.id, text: s.title}), s.text ? el("p", {text: s.text}) : null, grid));
  }
  document.querySelector("footer").textContent = "Written by dimgate report. Charts: Chart.js 3.9.1 (MIT). This file needs no network.";
  Chart.defaults.font.family = getComputedStyle(document.body).fontFamily;
  const all = () => charts.forEach((c) => c.draw());
  all();
  for (const query of ["(prefers-color-scheme: dark)", "print"]) matchMedia(query).addEventListener("change", all);
  addEventListener("beforeprint", () => {
    document.querySelectorAll("section.box > details:not(.entry)").forEach((d) => { d.open = true; });
    charts.forEach((c) => c.resize());
  });
})();
