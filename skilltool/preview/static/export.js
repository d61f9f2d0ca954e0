// The pages of a single file: unpacks the page of a skill when it is asked for, and compares two clients.
import { applyFilter, startFilter } from "./filter.js";
import { copyOnClick, exactText, showCopyButtons } from "./text.js";

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const overview = Array.from(main.childNodes);
const title = document.title;

/** The page of a skill as HTML, which is stored compressed; none if there is no such skill.
 * @param {string} name
 * @returns {Promise<string | null>} */
async function pageOf(name) {
  const stored = document.getElementById(`page=${name}`);
  if (!stored) return null;
  const raw = Uint8Array.from(atob(stored.textContent ?? ""), (character) => character.charCodeAt(0));
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
  const findings = new Map(Array.from(source.querySelectorAll("[data-at]"), (each) => [each.getAttribute("data-at"), each]));
  source.replaceChildren(...numbersIn(source.dataset.source ?? "").flatMap((number, at) => {
    const line = document.createElement("div"), finding = findings.get(String(at + 1));
    line.className = `source-line${finding ? " has-finding" : ""}`;
    line.id = `line=${at + 1}`;
    line.innerHTML = `<span class="number" aria-hidden="true">${at + 1}</span><code>${lines[number]}\n</code>`;
    return finding ? [line, finding] : [line];
  }));
}

/** Show what the address asks for: a skill, a line of it, a client, or the overview. */
async function show() {
  const [kind, value = ""] = decodeURIComponent(location.hash.slice(1)).split("=", 2);
  if (kind === "line") return document.getElementById(`line=${value}`)?.scrollIntoView();
  const page = kind === "skill" ? await pageOf(value) : null;
  if (page === null) {
    main.replaceChildren(...overview);
    document.title = title;
    applyFilter();
    document.getElementById(`client=${value}`)?.scrollIntoView();
  } else {
    main.innerHTML = page;
    fill();
    document.title = `${main.querySelector("h1")?.textContent} - ${title}`;
    choose();
    window.scrollTo({ top: 0 });
    main.focus({ preventScroll: true });
  }
  showCopyButtons();
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
  document.querySelector(".columns")?.classList.toggle("compares", shown.length > 1);
  document.querySelector(".panels")?.classList.toggle("compares", shown.length > 1);
  const result = compare(shown.map((panel) => Array.from(panel.querySelectorAll('[id^="result-"] .line'))), shown.length > 1);
  const remark = document.getElementById("compared");
  if (remark) remark.textContent = result;
}

/** Mark the lines that only one of two texts has, and say what is seen.
 * @param {Element[][]} texts the lines of each text
 * @param {boolean} isAsked whether two are compared
 * @returns {string} */
function compare(texts, isAsked) {
  const found = texts.map((lines) => lines.map((line) => exactText(line).replace(/\n$/, "")));
  const whole = found.map((lines) => lines.join("\n"));
  const sets = found.map((lines) => new Set(lines));
  const shares = isAsked && found[0].some((line) => line.trim() && sets[1].has(line));
  const marks = isAsked && shares && whole[0] !== whole[1];
  texts.forEach((lines, side) => lines.forEach((line, number) => {
    const text = found[side][number];
    line.classList.toggle("differs", marks && text.trim() !== "" && !sets[1 - side].has(text));
  }));
  if (!isAsked) return "";
  if (!found[0].length || !found[1].length) return "Nothing to compare: one of the two does not load this skill.";
  if (whole[0] === whole[1]) return "Both give the same text.";
  return shares ? "\u2260 marks the lines that the other text does not have." : "The texts have no line in common.";
}

document.addEventListener("change", (event) => {
  if (event.target instanceof Element && event.target.closest("#ask")) choose();
});
document.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("click", copyOnClick);
window.addEventListener("hashchange", show);
startFilter();
applyFilter();
show();
