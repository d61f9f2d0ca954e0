// The pages of a single file: each is put together when the address asks for it.
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
  const place = document.getElementById(`packed-${name}`);
  if (!place) return null;
  const raw = Uint8Array.from(atob(place.textContent ?? ""), (character) => character.charCodeAt(0));
  const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
}

/** The text for which numbers of lines stand, see `lines.py`, as its lines.
 * @param {string} runs
 * @param {string[]} kept
 * @returns {string[]} */
function linesOf(runs, kept) {
  const lines = [];
  let line = "";
  for (const run of runs.split(" ")) {
    const [, json, indent, first, more = 0] = /** @type {RegExpMatchArray} */ (run.match(/^(~?)(?:(\d+):)?(\d+)(?:\+(\d+))?$/));
    for (let number = Number(first); number <= Number(first) + Number(more); number++) {
      line += " ".repeat(Number(indent ?? 0)) + kept[number];
      if (json) line += "\\n";
      else line = (lines.push(line), "");
    }
  }
  return lines;
}

/** Pages as numbers of lines of HTML, those lines, and the lines of texts, as HTML.
 * @type {Promise<[Record<string, string>, string[], string[]]> | undefined} */
let unpacked;

async function unpack() {
  const [pages, markup, texts] = await Promise.all(["pages", "markup", "texts"].map(stored));
  return /** @type {[Record<string, string>, string[], string[]]} */ ([JSON.parse(pages ?? "{}"), markup?.split("\n"), texts?.split("\n")]);
}

/** Show a page; no if there is no such page.
 * @param {string} name
 * @returns {Promise<boolean>} */
async function put(name) {
  unpacked ??= unpack();
  const [pages, markup, texts] = await unpacked;
  if (!Object.hasOwn(pages, name)) return false;
  main.innerHTML = linesOf(pages[name], markup).join("\n");
  for (const text of /** @type {NodeListOf<HTMLElement>} */ (main.querySelectorAll("pre[data-lines]"))) {
    const html = linesOf(text.dataset.lines ?? "", texts).map((line, at, all) => `${line}${at < all.length - 1 ? "\n" : ""}`).filter(Boolean);
    text.innerHTML = html.map((line) => `<span class="line">${line}</span>`).join("");
  }
  fillSource(texts);
  return true;
}

/** Put the lines of the source between those that are marked. @param {string[]} texts */
function fillSource(texts) {
  const source = /** @type {HTMLElement | null} */ (main.querySelector("[data-source]"));
  source?.replaceChildren(...linesOf(source.dataset.source ?? "", texts).map((text, at) => {
    const marked = document.getElementById(`line=${at + 1}`), line = document.createElement("div");
    line.className = "source-line";
    line.id = `line=${at + 1}`;
    line.innerHTML = `<span class="number" aria-hidden="true">${at + 1}</span><code>${text}\n</code>`;
    return marked ?? line;
  }));
}

/** What the address says. @returns {URLSearchParams} */
const state = () => new URLSearchParams(location.hash.slice(1));

/** @param {URLSearchParams} next */
const keep = (next) => history.replaceState(null, "", `#${next}`);

/** Show what the address asks for: a skill, a client, the page about routing, or the overview. */
async function show() {
  const asked = state();
  const name = ["skill", "listing"].filter((kind) => asked.has(kind)).map((kind) => `${kind}=${asked.get(kind)}`)[0];
  const page = asked.has("routing") ? "routing" : name;
  const isPage = page !== undefined && await put(page);
  if (!isPage) {
    main.replaceChildren(...overview);
    document.title = title;
    await showMatrix();
  } else {
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
  const panel = /** @type {HTMLElement | null} */ (document.querySelector(".panel:not([hidden])"));
  showTab(asked.get("tab") ?? panel?.dataset.first ?? "result");
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
