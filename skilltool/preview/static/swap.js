// Replaces the content of the page and keeps where the reader is: scrolling, focus, fields, what is open.

/** @typedef {{page: number, inner: Map<string, number>, open: Map<string, boolean>, fields: Map<string, string>, focus: string, caret: [number, number] | null}} Place */

const FOCUSED = "input[name], select[name], form button, tr[id] a, [role=tab], [id]";
const FIELDS = "input[name], select[name]";

/** @param {Element} element @returns {string} */
function nameOf(element) {
  const form = element.closest("form");
  const row = element.closest("tr[id]")?.id ?? "";
  return `${form?.id ?? ""} ${row} ${element.getAttribute("name") ?? element.id ?? ""}`;
}

/** @param {Element} element @returns {string} */
function regionOf(element) {
  return element.id || element.closest("[id]")?.id + " " + (element.getAttribute("aria-label") ?? element.className);
}

/** Remember where the reader is. @returns {Place} */
function remember() {
  const inner = new Map(), open = new Map(), fields = new Map();
  for (const each of document.querySelectorAll("main pre, main .scroll, main .source, main .rendered")) {
    if (each.scrollTop || each.scrollLeft) inner.set(regionOf(each), each.scrollTop);
  }
  for (const each of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-keep]"))) {
    open.set(each.dataset.keep ?? "", each.open);
  }
  for (const each of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(FIELDS))) {
    fields.set(nameOf(each), each.value);
  }
  const active = document.activeElement;
  const field = active instanceof HTMLInputElement ? active : null;
  const caret = field && field.selectionStart !== null ? /** @type {[number, number]} */ ([field.selectionStart, field.selectionEnd]) : null;
  const focus = active && active.matches(FOCUSED) ? nameOf(active) : "";
  return { page: window.scrollY, inner, open, fields, focus, caret };
}

/** @param {Place} place */
function restore(place) {
  for (const each of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details[data-keep]"))) {
    const was = place.open.get(each.dataset.keep ?? "");
    if (was !== undefined) each.open = was;
  }
  for (const each of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll(FIELDS))) {
    const was = place.fields.get(nameOf(each));
    if (was !== undefined) each.value = was;
  }
  if (place.focus.trim()) {
    const same = Array.from(document.querySelectorAll(FOCUSED)).find((each) => nameOf(each) === place.focus);
    if (same instanceof HTMLElement) same.focus({ preventScroll: true });
    if (same instanceof HTMLInputElement && place.caret) same.setSelectionRange(...place.caret);
  }
  for (const each of document.querySelectorAll("main pre, main .scroll, main .source, main .rendered")) {
    each.scrollTop = place.inner.get(regionOf(each)) ?? 0;
  }
  window.scrollTo({ top: place.page });
}

/** Take the content of another document for that of this one.
 * @param {Document} next */
export function swap(next) {
  const place = remember();
  const old = document.getElementById("main"), main = next.getElementById("main");
  if (!old || !main) return;
  old.replaceWith(document.adoptNode(main));
  document.title = next.title;
  restore(place);
}
