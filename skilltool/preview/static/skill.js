// The page of a skill: tabs, what differs between two clients, marks of the source, and manuals of rules.
import { exactText } from "./text.js";

const every = (/** @type {string} */ selector, /** @type {ParentNode} */ inside = document) =>
  /** @type {HTMLElement[]} */ (Array.from(inside.querySelectorAll(selector)));

/** @type {(rule: string) => Promise<string>} */
let manualOf;
/** @type {(state: Record<string, string>) => void} */
let keepState;

/** The tab that is shown. @returns {string} */
export function currentTab() {
  return every('[role="tab"][aria-selected="true"]')[0]?.dataset.tab ?? "result";
}

/** Show a tab in each panel. @param {string} name */
export function showTab(name) {
  if (!every(`[role="tab"][data-tab="${CSS.escape(name)}"]`).length) return;
  for (const tab of every('[role="tab"]')) {
    tab.setAttribute("aria-selected", String(tab.dataset.tab === name));
    tab.tabIndex = tab.dataset.tab === name ? 0 : -1;
  }
  for (const panel of every('[role="tabpanel"]')) panel.hidden = panel.dataset.tab !== name;
  const field = document.querySelector('#ask input[name="tab"]');
  if (field instanceof HTMLInputElement) field.value = name;
  compare();
}

/** Mark the lines that only one of two texts has, and say what is seen. */
export function compare() {
  const panels = every(".panel:not([hidden])"), remark = document.getElementById("compared");
  const texts = panels.map((panel) => every('[role="tabpanel"]:not([hidden]) .line', panel));
  document.querySelector(".columns")?.classList.toggle("compares", panels.length > 1);
  if (remark) remark.textContent = marked(texts, panels.length > 1);
}

/** @param {HTMLElement[][]} texts the lines of each text @param {boolean} isAsked @returns {string} */
function marked(texts, isAsked) {
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
  if (!found[0].length || !found[1].length) return "Nothing to compare: one of the two gives no text.";
  if (whole[0] === whole[1]) return "The two texts are identical.";
  return shares ? "\u2260 marks lines missing from the other text." : "The texts have no lines in common.";
}

/** Show in the source what one client does with it. @param {string} client */
export function showMarks(client) {
  for (const mark of every("mark[data-of]")) mark.classList.toggle("off", !mark.dataset.of?.split(" ").includes(client));
  for (const each of every("#marks .whose")) each.textContent = client;
  for (const kind of every("#marks [data-kind]")) kind.hidden = !every(`mark.${kind.dataset.kind}:not(.off)`, kind.closest("section") ?? document).some((mark) => !kind.contains(mark));
  const legend = document.getElementById("marks");
  if (legend) legend.hidden = !legend.querySelector(".of-finding") && every("#marks [data-kind]").every((kind) => kind.hidden);
  for (const line of every(".source-line.lost")) line.classList.remove("lost");
  const blocks = every(".source")[0]?.dataset.blocks ?? "";
  for (const [lines, clients] of blocks.split("; ").map((block) => block.split(" "))) {
    if (!clients?.split(",").includes(client)) continue;
    const [first, last] = lines.split("-").map(Number);
    for (let line = first; line <= last; line++) document.getElementById(`line=${line}`)?.classList.add("lost");
  }
}

/** @param {MouseEvent} event */
function onClick(event) {
  const target = /** @type {Element} */ (event.target);
  const tab = /** @type {HTMLElement | null} */ (target.closest('[role="tab"]'));
  const mark = /** @type {HTMLElement | null} */ (target.closest("mark[data-finding]"));
  const link = target.closest('a[href^="#line="], a[href^="#finding="]');
  const id = mark ? `finding=${mark.dataset.finding}` : link?.getAttribute("href")?.slice(1);
  if (tab) {
    showTab(tab.dataset.tab ?? "");
    keepState({ tab: tab.dataset.tab ?? "" });
  } else if (id) {
    reveal(document.getElementById(id));
  } else return;
  event.preventDefault();
}

/** Bring an element into view, and mark it for a moment. @param {HTMLElement | null} element */
function reveal(element) {
  if (!element) return;
  const folded = element.closest("details");
  if (folded) folded.open = true;
  element.scrollIntoView({ block: "center" });
  element.classList.add("found");
  setTimeout(() => element.classList.remove("found"), 1600);
}

/** Move between tabs with the arrow keys. @param {KeyboardEvent} event */
function onTabKey(event) {
  const tabs = every('[role="tab"]'), at = tabs.indexOf(/** @type {HTMLElement} */ (event.target));
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key] ?? 0;
  if (at >= 0 && (step || event.key === " ")) {
    const next = tabs[(at + step + tabs.length) % tabs.length];
    next.focus();
    next.click();
    event.preventDefault();
  }
}

/** Unfold the manual of a rule where its finding is. @param {Event} event */
async function onToggle(event) {
  const details = event.target;
  if (!(details instanceof HTMLDetailsElement) || !details.open || !details.dataset.rule) return;
  const place = details.querySelector(".prose");
  if (!place || details.dataset.loaded) return;
  details.dataset.loaded = "yes";
  place.innerHTML = await manualOf(details.dataset.rule);
}

/** Let pages of skills follow what people do.
 * @param {{manualOf: (rule: string) => Promise<string>, keep: (state: Record<string, string>) => void}} place */
export function startSkill(place) {
  manualOf = place.manualOf;
  keepState = place.keep;
  document.addEventListener("click", onClick);
  document.addEventListener("keydown", onTabKey);
  document.addEventListener("toggle", onToggle, true);
}
