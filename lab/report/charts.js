// SPDX-License-Identifier: Apache-2.0
// The two charts. Both are drawn anew from the rows that are shown; nothing is kept between.
"use strict";

const SYMBOLS = { own: "circle", "same-tools": "diamond", published: "square-open" };
const COLOURS = { own: "--own", "same-tools": "--same-tools", published: "--published" };
const DASHES = { ecp5: "solid", xc7: "dash", cyclonev: "dashdot" };
const MARGIN = { l: 58, r: 20, t: 12, b: 54 };
const CONFIG = { displayModeBar: false, responsive: false, scrollZoom: false };

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const grouped = (value, places = 0) =>
  value.toLocaleString("en-US", { maximumFractionDigits: places });

function rate(megabits) {
  return megabits >= 1000 ? `${grouped(megabits / 1000, 2)} Gbit/s` : `${grouped(megabits, 2)} Mbit/s`;
}

// Rows that no other row beats in both area and rate, by area.
function pareto(rows) {
  const ordered = [...rows].sort((a, b) => a.lut - b.lut || b.mbit_s - a.mbit_s);
  let best = -Infinity;
  return ordered.filter((row) => row.mbit_s > best && ((best = row.mbit_s), true));
}

// A line for each family and unit in which one row can be compared with another.
function steps(points) {
  return [...Map.groupBy(points, (row) => `${row.family} ${row.lut_unit}`)]
    .map(([group, rows]) => ({ group, dash: DASHES[rows[0].family], best: pareto(rows) }))
    .filter(({ dash, best }) => dash && best.length > 1);
}

// 1, 2, 5 of each decade; whole decades only when there are many.
function ticks([low, high], text) {
  const steps = high - low > 2.5 ? [1] : [1, 2, 5];
  const values = [];
  for (let decade = Math.floor(low); decade <= high; decade++)
    for (const step of steps) values.push(step * 10 ** decade);
  const inside = values.filter((value) => Math.log10(value) >= low && Math.log10(value) <= high);
  return { tickmode: "array", tickvals: inside, ticktext: inside.map(text) };
}

function span(values, padding) {
  const logs = values.map(Math.log10);
  return [Math.min(...logs) - padding, Math.max(...logs) + padding];
}

function wrapped(text, width = 46) {
  const lines = [""];
  for (const word of text.split(" "))
    if (lines.at(-1).length + word.length > width) lines.push(word);
    else lines.push(`${lines.pop()} ${word}`.trim());
  return escaped(lines.join("\n")).replaceAll("\n", "<br>");
}

function hover(row, families, origins) {
  const facts = [
    `${rate(row.mbit_s)} in ${grouped(row.lut)} ${row.lut_unit}`,
    row.mbit_s_per_lut && `${grouped(row.mbit_s_per_lut, 3)} Mbit/s per LUT`,
    row.fmax_mhz && `${grouped(row.fmax_mhz, 1)} MHz`,
    row.cycles_per_block && `${grouped(row.cycles_per_block)} cycles per block`,
    row.ff && `${grouped(row.ff)} FF`,
    row.mult ? `${row.mult} multipliers` : "",
  ];
  const how = row.origin === "own" ? row.status : row.origin === "same-tools" ? "measured: same tools" : "published";
  return [
    `<b>${escaped(row.name)}</b>`,
    `${row.algorithm}, ${escaped(row.origin === "published" ? row.device : families[row.family])}`,
    ...facts.filter(Boolean),
    wrapped(row.contains),
    `<i>${escaped(how)}</i>`,
    row.source && wrapped(row.source),
  ].filter(Boolean).join("<br>");
}

// Where each point's name can stand without touching another name or mark; "" where there is no room.
function labels(rows, xSpan, ySpan, width, height, notes, fronts) {
  const x = (row) => ((Math.log10(row.lut) - xSpan[0]) / (xSpan[1] - xSpan[0])) * width;
  const y = (row) => ((ySpan[1] - Math.log10(row.mbit_s)) / (ySpan[1] - ySpan[0])) * height;
  const taken = rows.map((row) => [x(row) - 6, y(row) - 6, x(row) + 6, y(row) + 6]);
  for (const note of notes) {
    const [px, py] = [x({ lut: 10 ** note.x }), y({ mbit_s: 10 ** note.y })];
    taken.push([px - 80, py, px, py + 18]);
  }
  for (const { best } of fronts)
    best.slice(1).forEach((row, index) => {
      const before = best[index];
      taken.push([x(before), y(before) - 1, x(row), y(before) + 1], [x(row) - 1, y(row), x(row) + 1, y(before)]);
    });
  const free = (box) =>
    box[0] > 2 && box[1] > 2 && box[2] < width - 2 && box[3] < height - 2 &&
    taken.every((other) => box[2] < other[0] || box[0] > other[2] || box[3] < other[1] || box[1] > other[3]);
  const priority = Object.keys(SYMBOLS);
  const order = rows.map((_, index) => index)
    .sort((a, b) => priority.indexOf(rows[a].origin) - priority.indexOf(rows[b].origin));
  const made = rows.map(() => ({ text: "", position: "top center" }));
  for (const index of order) {
    const [px, py, half] = [x(rows[index]), y(rows[index]), rows[index].name.length * 3.4];
    const boxes = {
      "top center": [px - half, py - 22, px + half, py - 8],
      "middle right": [px + 9, py - 7, px + 9 + 2 * half, py + 7],
      "middle left": [px - 9 - 2 * half, py - 7, px - 9, py + 7],
      "bottom center": [px - half, py + 8, px + half, py + 22],
    };
    const position = Object.keys(boxes).find((name) => free(boxes[name]));
    if (!position) continue;
    taken.push(boxes[position]);
    made[index] = { text: rows[index].name, position };
  }
  return made;
}

function base() {
  const axis = {
    gridcolor: colour("--line"), linecolor: colour("--line"), zeroline: false, fixedrange: true,
    tickfont: { color: colour("--muted") }, title: { font: { color: colour("--muted"), size: 13 } },
  };
  return {
    axis,
    layout: {
      paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)", showlegend: false, margin: MARGIN,
      font: { family: colour("--sans"), size: 12, color: colour("--ink") }, hovermode: "closest", dragmode: false,
      hoverlabel: { bgcolor: colour("--card"), bordercolor: colour("--muted"), align: "left",
        font: { family: colour("--sans"), size: 12.5, color: colour("--ink") } },
    },
  };
}

function equalRates(xSpan, ySpan) {
  const lines = { x: [], y: [], name: "equal rate per LUT", mode: "lines", hoverinfo: "skip",
    line: { color: colour("--muted"), width: 1, dash: "dot" }, opacity: 0.45 };
  const notes = [];
  for (const power of [-2, -1, 0, 1]) {
    const left = Math.max(xSpan[0], ySpan[0] - power);
    const right = Math.min(xSpan[1], ySpan[1] - power);
    if (right - left < 0.25) continue;
    lines.x.push(10 ** left, 10 ** right, null);
    lines.y.push(10 ** (left + power), 10 ** (right + power), null);
    notes.push({ x: right, y: right + power, text: `${10 ** power} per LUT`, showarrow: false, xanchor: "right",
      yanchor: "top", font: { size: 11, color: colour("--muted") } });
  }
  return [lines, notes];
}

function drawScatter(element, rows, families, origins) {
  const points = rows.filter((row) => row.lut && row.mbit_s);
  element.hidden = points.length === 0;
  if (element.hidden) return void Plotly.purge(element);
  const { axis, layout } = base();
  const [xSpan, ySpan] = [span(points.map((p) => p.lut), 0.12), span(points.map((p) => p.mbit_s), 0.2)];
  const [width, height] = [element.clientWidth - MARGIN.l - MARGIN.r, element.clientHeight - MARGIN.t - MARGIN.b];
  const [lines, notes] = equalRates(xSpan, ySpan);
  const fronts = steps(points);
  const names = labels(points, xSpan, ySpan, width, height, notes, fronts);
  const traces = [lines];
  for (const { group, dash, best } of fronts)
    traces.push({ name: `Pareto: ${group}`, x: best.map((p) => p.lut), y: best.map((p) => p.mbit_s), mode: "lines",
      hoverinfo: "skip", opacity: dash === "solid" ? 0.75 : 0.5,
      line: { shape: "hv", color: colour(dash === "solid" ? "--own" : "--muted"), width: dash === "solid" ? 1.8 : 1.2, dash } });
  for (const origin of Object.keys(SYMBOLS).reverse()) {
    const index = points.map((_, i) => i).filter((i) => points[i].origin === origin);
    const mine = index.map((i) => points[i]);
    traces.push({
      name: origins[origin], meta: origin, mode: "markers+text", customdata: mine.map((p) => p.id),
      x: mine.map((p) => p.lut), y: mine.map((p) => p.mbit_s),
      text: index.map((i) => names[i].text), textposition: index.map((i) => names[i].position),
      textfont: { size: 11.5, color: colour(origin === "own" ? "--ink" : "--muted") },
      hovertext: mine.map((p) => hover(p, families, origins)), hovertemplate: "%{hovertext}<extra></extra>",
      marker: { symbol: SYMBOLS[origin], size: origin === "own" ? 11 : 9, color: colour(COLOURS[origin]),
        line: { width: origin === "published" ? 1.8 : 1, color: colour(origin === "published" ? COLOURS[origin] : "--paper") } },
      cliponaxis: false,
    });
  }
  Plotly.react(element, traces, {
    ...layout, width: element.clientWidth, height: element.clientHeight, annotations: notes,
    xaxis: { ...axis, type: "log", range: xSpan, title: { ...axis.title, text: "LUTs" }, ...ticks(xSpan, (v) => grouped(v)) },
    yaxis: { ...axis, type: "log", range: ySpan, title: { ...axis.title, text: "bit/s" },
      ...ticks(ySpan, (v) => (v >= 1000 ? `${grouped(v / 1000)} G` : `${grouped(v, 3)} M`)) },
  }, CONFIG);
}

function drawClocks(element, rows) {
  const placed = rows.filter((row) => row.origin === "own" && row.fmax_seeds_mhz.some((clock) => clock !== null)).reverse();
  element.hidden = placed.length === 0;
  if (element.hidden) return void Plotly.purge(element);
  element.style.height = `${placed.length * 36 + 84}px`;
  const { axis, layout } = base();
  const ranges = { x: [], y: [], mode: "lines", hoverinfo: "skip", name: "range", line: { color: colour("--own"), width: 6 }, opacity: 0.22 };
  const seeds = { x: [], y: [], text: [], mode: "markers", name: "seeds", hovertemplate: "%{text}<extra></extra>",
    marker: { size: 9, color: colour("--own") } };
  for (const row of placed) {
    const known = row.fmax_seeds_mhz.filter((clock) => clock !== null);
    ranges.x.push(Math.min(...known), Math.max(...known), null);
    ranges.y.push(row.name, row.name, null);
    row.fmax_seeds_mhz.forEach((clock, index) => {
      if (clock === null) return;
      seeds.x.push(clock);
      seeds.y.push(row.name);
      seeds.text.push(`<b>${escaped(row.name)}</b><br>seed ${row.seeds[index]}: ${clock.toFixed(1)} MHz`);
    });
  }
  const marks = (name, field, marker) => {
    const mine = placed.filter((row) => row[field] !== null);
    return { name, mode: "markers", x: mine.map((row) => row[field]), y: mine.map((row) => row.name), marker,
      hovertemplate: `<b>%{y}</b><br>${name}: %{x:.1f} MHz<extra></extra>` };
  };
  const median = marks("median", "fmax_mhz", { symbol: "line-ns", size: 20, line: { width: 2.5, color: colour("--ink") } });
  const wrapped = marks("with registered ports", "registered_fmax_mhz",
    { symbol: "diamond-open", size: 11, color: colour("--same-tools"), line: { width: 2 } });
  Plotly.react(element, [ranges, seeds, median, wrapped], {
    ...layout, width: element.clientWidth, height: element.clientHeight,
    xaxis: { ...axis, title: { ...axis.title, text: "MHz" }, nticks: 6 },
    yaxis: { ...axis, automargin: true, gridcolor: "rgba(0,0,0,0)", tickfont: { color: colour("--ink") }, type: "category" },
    margin: { ...MARGIN, l: 10 },
  }, CONFIG);
}
