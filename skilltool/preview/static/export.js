// The pages of a single file: each is unpacked when the address asks for it.
import { showMatrix, startMatrix } from "./matrix.js";
import { compare, showMarks, showTab, startSkill } from "./skill.js";
import { copyOnClick, showCopyButtons } from "./text.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const overview = Array.from(main.childNodes);
const title = document.title;

/** What the file holds under a name, which is compressed; none if there is no such thing.
 * @param {string} name
 * @returns {Promise<string | null>} */
async function stored(name) {
  const place = document.getElementById(name);
  if (!place) return null;
  const raw = Uint8Array.from(atob(place.textContent ?? ""), (character) => character.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** The numbers in `0-2 7`: 0, 1, 2, 7.
 * @param {string} runs
 * @returns {number[]} */
function numbersIn(runs) {
  return runs.split(" ").filter(Boolean).flatMap((run) => {
    const [first, last = first] = run.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  });
}

/** Fill in the lines of all texts of a page, each of which it has once. */
function fill() {
  const lines = Array.from(main.querySelectorAll("ol.lines > li"), (line) => line.innerHTML);
  for (const text of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("pre[data-lines]"))) {
    const numbers = numbersIn(text.dataset.lines ?? "");
    const html = numbers.map((number, at) => `${lines[number]}${at < numbers.length - 1 ? "\n" : ""}`).filter(Boolean);
    text.innerHTML = html.map((line) => `<span class="line">${line}</span>`).join("");
  }
  const source = /** @type {HTMLElement | null} */ (main.querySelector("[data-source]"));
  if (!source) return;
  const marked = new Map(Array.from(source.querySelectorAll("[data-at]"), (each) => [each.getAttribute("data-at"), each]));
  source.replaceChildren(...numbersIn(source.dataset.source ?? "").map((number, at) => {
    const line = marked.get(String(at + 1)) ?? document.createElement("div");
    line.id = `line=${at + 1}`;
    if (!line.className) line.className = "source-line";
    if (!line.firstChild) line.innerHTML = `<span class="number" aria-hidden="true">${at + 1}</span><code>${lines[number]}\n</code>`;
    return line;
  }));
}

/** What the address says. @returns {URLSearchParams} */
const state = () => new URLSearchParams(location.hash.slice(1));

/** @param {URLSearchParams} next */
const keep = (next) => history.replaceState(null, "", `#${next}`);

/** Show what the address asks for: a skill, a client, or the overview. */
async function show() {
  const asked = state(), skill = asked.get("skill"), client = asked.get("listing");
  const page = skill !== null ? await stored(`page=${skill}`) : client !== null ? await stored(`listing=${client}`) : null;
  if (page === null) {
    main.replaceChildren(...overview);
    document.title = title;
    await showMatrix();
  } else {
    main.innerHTML = page;
    fill();
    document.title = `${main.querySelector("h1")?.textContent} - ${title}`;
    open(asked);
    window.scrollTo({ top: 0 });
    main.focus({ preventScroll: true });
  }
  showCopyButtons();
}

/** Choose the clients and the tab that the address names. @param {URLSearchParams} asked */
function open(asked) {
  for (const name of ["client", "with"]) {
    const field = document.querySelector(`#ask select[name="${name}"]`), value = asked.get(name);
    if (field instanceof HTMLSelectElement && value !== null && Array.from(field.options).some((each) => each.value === value)) field.value = value;
  }
  if (!document.getElementById("ask")) return;
  choose();
  showTab(asked.get("tab") ?? "result");
}

/** Show the clients that are selected, and mark what differs between two. */
function choose() {
  const form = document.getElementById("ask");
  if (!(form instanceof HTMLFormElement)) return;
  const data = new FormData(form);
  const first = String(data.get("client")), second = String(data.get("with") ?? "");
  const panels = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll(".panel")));
  for (const panel of panels) panel.hidden = ![first, second].includes(panel.dataset.client ?? "");
  const shown = panels.filter((panel) => !panel.hidden);
  shown.sort((a) => (a.dataset.client === first ? -1 : 1)).forEach((panel) => panel.parentElement?.append(panel));
  showMarks(first);
  compare();
}

document.addEventListener("change", (event) => {
  const field = event.target;
  if (!(field instanceof HTMLSelectElement) || !field.closest("#ask")) return;
  const next = state();
  if (field.value) next.set(field.name, field.value);
  else next.delete(field.name);
  keep(next);
  choose();
});
document.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("click", copyOnClick);
window.addEventListener("hashchange", show);
startMatrix({ rows: async () => JSON.parse((await stored("rows")) ?? "[]"), read: state, write: keep });
startSkill({
  manualOf: async (rule) => JSON.parse((await stored("manuals")) ?? "{}")[rule] ?? "",
  keep(chosen) {
    const next = state();
    for (const [name, value] of Object.entries(chosen)) next.set(name, value);
    keep(next);
  },
});
show();
