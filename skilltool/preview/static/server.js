// The pages of a server: they follow every change, and ask for other clients and arguments without being left.
import { showMatrix, startMatrix } from "./matrix.js";
import { compare, showMarks, startSkill } from "./skill.js";
import { swap } from "./swap.js";
import { copyOnClick, say, showCopyButtons } from "./text.js";

/** Counts requests, so that a late answer does not replace a newer one. */
let latest = 0;

/** What the address of this page asks the server for. */
const here = () => location.pathname + location.search;

/** Fetch what the address says, and show it in the place of this page. */
async function load() {
  const mine = ++latest, address = here();
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" } });
    const text = await answer.text();
    if (mine !== latest) return;
    if (address !== here()) return load(); // somebody has chosen something else meanwhile
    swap(new DOMParser().parseFromString(text, "text/html"));
    await decorate();
  } catch {
    say("skilltool preview is not responding", true);
  }
}

/** Make what a page brings work with this script. */
async function decorate() {
  showCopyButtons();
  compare();
  showMarks(/** @type {HTMLElement | null} */ (document.querySelector(".panel"))?.dataset.client ?? "");
  await showMatrix();
}

/** @param {string | URLSearchParams} query */
function keep(query) {
  const text = String(query);
  history.replaceState(null, "", `${location.pathname}${text ? "?" : ""}${text}`);
}

/** @param {HTMLFormElement} form */
function ask(form) {
  const query = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (value) query.set(name, String(value));
  keep(query);
  return load();
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
startMatrix({
  rows: async () => (await fetch("/rows")).json(),
  read: () => new URLSearchParams(location.search),
  write: keep,
});
startSkill({
  async manualOf(rule) {
    const page = new DOMParser().parseFromString(await (await fetch(`/rule/${rule}`)).text(), "text/html");
    return page.querySelector("article > div")?.innerHTML ?? "";
  },
  keep(state) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(state)) query.set(name, value);
    keep(query);
  },
});
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
    load();
  });
  events.addEventListener("error", () => say("skilltool preview has stopped or is not responding", true));
  events.addEventListener("open", () => say(""));
}

document.addEventListener("visibilitychange", listen);
listen();
