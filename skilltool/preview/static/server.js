// The page of a server: follows every change, and asks for other clients and arguments without leaving the page.
import { applyFilter, startFilter } from "./filter.js";
import { swap } from "./swap.js";
import { copyOnClick, say, showCopyButtons } from "./text.js";

/** Counts requests, so that a late answer does not replace a newer one. */
let latest = 0;

/** Fetch a page and show it in the place of this one.
 * @param {string} address
 * @param {boolean} withFields */
async function load(address, withFields) {
  const mine = ++latest;
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const text = await answer.text();
    if (mine !== latest) return;
    swap(new DOMParser().parseFromString(text, "text/html"), withFields);
    decorate();
  } catch {
    say("skilltool preview does not answer", true);
  }
}

/** Make what a page brings work with this script. */
function decorate() {
  showCopyButtons();
  applyFilter();
}

/** @param {HTMLFormElement} form */
function ask(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value));
  const address = `${location.pathname}${query.size ? "?" : ""}${query}`;
  history.replaceState(null, "", address);
  return load(address, true);
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;
document.addEventListener("input", (event) => {
  const form = event.target instanceof Element ? event.target.closest("#ask") : null;
  if (!(form instanceof HTMLFormElement)) return;
  clearTimeout(typing);
  typing = setTimeout(() => ask(form), event.target instanceof HTMLSelectElement ? 0 : 200);
});
document.addEventListener("submit", (event) => {
  if (!(event.target instanceof HTMLFormElement) || event.target.id !== "ask") return;
  event.preventDefault();
  clearTimeout(typing);
  ask(event.target);
});
document.addEventListener("click", copyOnClick);
startFilter();
decorate();

// A browser opens six connections to a server, whatever the number of tabs: only a tab that is seen keeps one.
/** @type {EventSource | undefined} */
let events;
let version = document.getElementById("main")?.dataset.version;

function listen() {
  events?.close();
  events = undefined;
  if (document.hidden) return;
  events = new EventSource("/events");
  events.addEventListener("change", (event) => {
    if (event.data === version) return;
    version = event.data;
    load(location.pathname + location.search, true);
  });
  events.addEventListener("error", () => say("skilltool preview has ended, or does not answer", true));
  events.addEventListener("open", () => say(""));
}

document.addEventListener("visibilitychange", listen);
listen();
