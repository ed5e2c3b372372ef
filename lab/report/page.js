// SPDX-License-Identifier: Apache-2.0
// Filters, sorting and downloads. Tables and bars are in the page already; this hides and orders them.
"use strict";

const DATA = JSON.parse(document.getElementById("data").textContent);
const form = document.getElementById("filters");
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function chosen(name) {
  return new Set(all(`input[name="${name}"]:checked`, form).map((input) => input.value));
}

function shownEntries() {
  const [algorithms, families, origins] = [chosen("algorithm"), chosen("family"), chosen("origin")];
  return DATA.entries.filter(
    (entry) => algorithms.has(entry.algorithm) && families.has(entry.family) && origins.has(entry.origin),
  );
}

function scaleBars(list) {
  const lines = all("li:not([hidden])", list);
  const longest = Math.max(0, ...lines.map((line) => Number(line.dataset.value)));
  list.style.setProperty("--max", longest || 1);
  list.nextElementSibling.hidden = lines.length > 0;
}

function countRows(table) {
  const rows = all("tbody tr", table);
  const left = rows.filter((row) => !row.hidden).length;
  table.caption.dataset.count = left === rows.length ? `${left} rows` : `${left} of ${rows.length} rows`;
}

function drawCharts(entries = shownEntries()) {
  for (const [id, draw] of [["scatter", drawScatter], ["clocks", drawClocks]]) {
    const element = document.getElementById(id);
    draw(element, entries, DATA.families, DATA.origins);
    document.getElementById(`${id}-missing`).hidden = !element.hidden;
  }
}

function apply() {
  const entries = shownEntries();
  const ids = new Set(entries.map((entry) => entry.id));
  for (const element of all("[data-id]")) element.hidden = !ids.has(element.dataset.id);
  all("ol.bars").forEach(scaleBars);
  all("table.rows").forEach(countRows);
  document.getElementById("count").textContent = `${entries.length} of ${DATA.entries.length} rows`;
  drawCharts(entries);
}

// Unknown values come last, whichever way the others go.
function compare(a, b, direction) {
  if (a === "" || b === "") return (a === "") - (b === "");
  return direction * (typeof a === "number" ? a - b : a.localeCompare(b, "en"));
}

function keyOf(row, column) {
  const cell = row.cells[column];
  if (!("value" in cell.dataset)) return cell.textContent.replace("–", "");
  return cell.dataset.value === "" ? "" : Number(cell.dataset.value);
}

function sortBy(heading) {
  const table = heading.closest("table");
  const direction = heading.ariaSort === "ascending" ? -1 : 1;
  all("th[aria-sort]", table).forEach((other) => other.removeAttribute("aria-sort"));
  heading.ariaSort = direction === 1 ? "ascending" : "descending";
  const rows = [...table.tBodies[0].rows].map((row) => [keyOf(row, heading.cellIndex), row]);
  rows.sort(([a], [b]) => compare(a, b, direction));
  table.tBodies[0].append(...rows.map(([, row]) => row));
}

function makeSortable(heading) {
  const button = document.createElement("button");
  button.type = "button";
  button.append(...heading.childNodes);
  heading.append(button);
  button.addEventListener("click", () => sortBy(heading));
}

function csvCell(value) {
  const text = Array.isArray(value) ? value.join(" ") : String(value ?? "");
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function asCsv(entries) {
  const fields = Object.keys(DATA.entries[0] ?? {});
  return [fields, ...entries.map((entry) => fields.map((field) => entry[field]))]
    .map((line) => line.map(csvCell).join(",") + "\n").join("");
}

function download(name, type, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function soon(action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, 120);
  };
}

form.addEventListener("change", apply);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(apply));
document.getElementById("everything").addEventListener("click", () => {
  for (const input of all("input", form)) input.checked = true;
  apply();
});
document.getElementById("csv").addEventListener("click", () =>
  download("saltmill-lab.csv", "text/csv", asCsv(shownEntries())));
document.getElementById("json").addEventListener("click", () =>
  download("saltmill-lab.json", "application/json", `${JSON.stringify({ rows: shownEntries() }, null, 2)}\n`));
all("table.rows thead th").forEach(makeSortable);
addEventListener("resize", soon(() => drawCharts()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawCharts());
document.documentElement.classList.add("scripted");
apply();
