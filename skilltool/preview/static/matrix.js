// The matrix of the overview: search, filter, order and keys. Rows are HTML of ours, put in as they are.

/** @typedef {{html: string, group: number, text: string, name: string, findings: number[], ranks: string, states: string, is_trouble: boolean, loaded: string}} Row */
/** Where the state of the view is kept, and where rows come from.
 * @typedef {{rows: () => Promise<Row[]>, read: () => URLSearchParams, write: (state: URLSearchParams) => void}} Place */

const STEP = 40; // rows that are drawn at once; more come when the end is seen
const FIELDS = ["q", "show", "sort"];

/** @type {Place} */
let place;
/** @type {Row[]} */
let all = [];
/** @type {Row[]} */
let matching = [];
let drawn = 0;

/** @param {number} number @returns {string} */
const count = (number) => number.toLocaleString("en");
const form = () => /** @type {HTMLFormElement | null} */ (document.getElementById("filter"));
const body = () => /** @type {HTMLElement | null} */ (document.getElementById("rows"));
const links = () => /** @type {HTMLAnchorElement[]} */ (Array.from(document.querySelectorAll("#rows th a")));

/** The client whose column gives the order, if any.
 * @returns {{name: string, at: number} | null} */
function chosen() {
  const name = place.read().get("sort") ?? "";
  const head = document.querySelector(`.matrix th.client:has(button[data-sort="${CSS.escape(name)}"])`);
  return head instanceof HTMLElement ? { name, at: Number(head.dataset.column) } : null;
}

/** @param {Row} row @param {string} show @returns {boolean} */
function isShown(row, show) {
  if (show === "problems") return row.is_trouble;
  if (show === "findings") return row.findings.some(Boolean);
  if (show.startsWith("is ")) return row.states.split("\n").includes(show.slice(3));
  if (show.startsWith("not ")) return !row.loaded.split(" ").includes(show.slice(4));
  return true;
}

/** Order the rows of each group. @param {Row[]} rows @param {string} sort @param {number | undefined} column @returns {Row[]} */
function ordered(rows, sort, column) {
  if (sort === "name") return rows.toSorted((a, b) => a.group - b.group || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (sort === "findings") {
    return rows.toSorted((a, b) => a.group - b.group || b.findings[0] - a.findings[0] || b.findings[1] - a.findings[1] || b.findings[2] - a.findings[2]);
  }
  return column === undefined ? rows : rows.toSorted((a, b) => a.group - b.group || Number(b.ranks[column]) - Number(a.ranks[column]));
}

/** Draw the rows that match what is asked for, and say how many do. */
function apply() {
  const [rows, fields] = [body(), form()];
  if (!rows || !fields || !all.length) return;
  const state = place.read(), column = chosen();
  const words = (state.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const shown = state.get("show") ?? "", isAll = !words.length && !shown;
  const found = isAll ? all : all.filter((row) => words.every((word) => row.text.includes(word)) && isShown(row, shown));
  matching = ordered(found, state.get("sort") ?? "", column?.at);
  showState(column);
  if (matching === all && rows.dataset.rows) { // what came with the page
    drawn = rows.querySelectorAll("[data-row]").length;
    tellMore();
    return;
  }
  delete rows.dataset.rows;
  const focused = document.activeElement instanceof HTMLAnchorElement && rows.contains(document.activeElement) ? document.activeElement.closest("tr")?.id : "";
  rows.replaceChildren();
  drawn = 0;
  draw();
  if (focused) document.getElementById(focused)?.querySelector("a")?.focus({ preventScroll: true });
}

/** Show by which column rows are ordered, and how many match. @param {{name: string, at: number} | null} column */
function showState(column) {
  const state = place.read();
  for (const head of document.querySelectorAll(".matrix thead th")) {
    const isSorted = head.querySelector("button")?.dataset.sort === state.get("sort");
    head.toggleAttribute("aria-sort", isSorted);
    if (isSorted) head.setAttribute("aria-sort", state.get("sort") === "name" ? "ascending" : "descending");
  }
  document.querySelectorAll(".matrix col").forEach((each, at) => each.classList.toggle("chosen", at - 2 === column?.at));
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".budgets tr[data-client]"))) {
    each.classList.toggle("chosen", each.dataset.client === column?.name);
  }
  const output = document.getElementById("matches");
  if (output) output.textContent = matching.length === all.length ? output.dataset.all ?? "" : `${count(matching.length)} of ${count(all.length)} match`;
}

/** The heading of a group, empty if it has none. @param {number} group @returns {string} */
function heading(group) {
  const found = /** @type {HTMLTemplateElement | null} */ (document.getElementById("headings"));
  return found?.content.querySelector(`[data-group="${group}"]`)?.outerHTML ?? "";
}

/** Draw the next rows, each group under its heading. @param {number} most */
function draw(most = STEP) {
  const next = matching.slice(drawn, drawn + most);
  const html = next.map((row, at) => (row.group === matching[drawn + at - 1]?.group ? "" : heading(row.group)) + row.html);
  body()?.insertAdjacentHTML("beforeend", html.join(""));
  drawn += next.length;
  const client = chosen()?.name;
  if (client) for (const link of links().slice(drawn - next.length)) link.href = withClient(link, client);
  tellMore();
}

/** Say that there are more rows, if there are, with a button that draws all of them. */
function tellMore() {
  const more = document.getElementById("more"), said = more?.querySelector("span"), button = more?.querySelector("button");
  if (!more || !said || !button) return;
  more.hidden = drawn >= matching.length;
  said.textContent = `${count(drawn)} of ${count(matching.length)} rows; the others follow as you scroll`;
  button.textContent = `Show all ${count(matching.length)} rows`;
  button.hidden = false;
}

/** Draw all rows, and go to the first that was not there. */
function drawAll() {
  const before = drawn;
  draw(matching.length);
  body()?.querySelectorAll("[data-row]")[before]?.querySelector("a")?.focus();
}

/** @param {HTMLAnchorElement} link @param {string} client @returns {string} */
function withClient(link, client) {
  const address = link.getAttribute("href") ?? "";
  return `${address}${address.startsWith("#") ? "&" : "?"}client=${encodeURIComponent(client)}`;
}

/** Take what the fields say into the address. @param {HTMLFormElement} fields */
function take(fields) {
  const state = place.read();
  for (const [name, value] of new FormData(fields)) {
    if (value) state.set(name, String(value));
    else state.delete(name);
  }
  place.write(state);
  apply();
}

/** Show the overview that is in the page now, as the address says; rows are asked for again, and as many drawn. */
export async function showMatrix() {
  const fields = form(), before = drawn;
  if (!fields) return;
  const state = place.read();
  for (const name of FIELDS) {
    const field = /** @type {HTMLInputElement | null} */ (fields.elements.namedItem(name));
    if (field) field.value = state.get(name) ?? "";
  }
  apply(); // as rows were, until it is known how they are
  const rows = await place.rows(), most = Math.max(before, drawn); // somebody may have asked for all meanwhile
  all = rows;
  apply();
  if (drawn < most) draw(most - drawn);
  const more = document.getElementById("more");
  if (more) new IntersectionObserver((seen) => { if (seen.some((each) => each.isIntersecting) && drawn < matching.length) draw(); }, { rootMargin: "600px" }).observe(more);
}

/** @param {number} step */
function move(step) {
  const found = links(), at = found.indexOf(/** @type {HTMLAnchorElement} */ (document.activeElement));
  const next = at < 0 ? 0 : Math.min(Math.max(at + step, 0), found.length - 1);
  found[next]?.focus();
  found[next]?.scrollIntoView({ block: "nearest" });
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  const target = /** @type {Element} */ (event.target);
  const search = form()?.elements.namedItem("q");
  if (!(search instanceof HTMLInputElement) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (target === search && event.key === "ArrowDown") move(1);
  else if (target.closest("input, select, textarea")) return;
  else if (event.key === "/") search.focus();
  else if (event.key === "j" || (event.key === "ArrowDown" && target.closest("#rows"))) move(1);
  else if (event.key === "k" || (event.key === "ArrowUp" && target.closest("#rows"))) move(-1);
  else return;
  event.preventDefault();
}

/** Let the matrix follow what people do. @param {Place} where */
export function startMatrix(where) {
  place = where;
  document.addEventListener("input", (event) => {
    const fields = form();
    if (fields && event.target instanceof Element && fields.contains(event.target)) take(fields);
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form()) event.preventDefault();
  });
  document.addEventListener("keydown", onKey);
  document.addEventListener("click", (event) => {
    const target = /** @type {Element} */ (event.target), fields = form();
    const button = /** @type {HTMLElement | null} */ (target.closest("button[data-sort]"));
    const cell = /** @type {HTMLElement | null} */ (target.closest("#rows td[data-c]"));
    const sort = fields?.elements.namedItem("sort");
    if (target.closest("#more button")) {
      drawAll();
    } else if (button && fields && sort instanceof HTMLSelectElement) {
      sort.value = sort.value === button.dataset.sort ? "" : button.dataset.sort ?? "";
      take(fields);
    } else if (cell) {
      const link = cell.closest("tr")?.querySelector("a");
      if (link) location.href = withClient(link, cell.dataset.c?.split(", ")[0] ?? "").replace(/[?&]client=[^&]*(?=&client=)/, "");
    }
  });
}
