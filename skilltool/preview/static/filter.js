// The filter of the overview: rows whose text and state match stay.

/** @returns {HTMLFormElement | null} */
function form() {
  return /** @type {HTMLFormElement | null} */ (document.getElementById("filter"));
}

/** Hide the rows that do not match, and say how many do. */
export function applyFilter() {
  const filter = form();
  if (!filter) return;
  filter.hidden = false;
  const data = new FormData(filter);
  const words = String(data.get("search") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const show = String(data.get("show") ?? "");
  const rows = /** @type {HTMLElement[]} */ (Array.from(document.querySelectorAll("tr[data-row]")));
  let shown = 0;
  for (const row of rows) {
    const text = row.dataset.text ?? "";
    row.hidden = !(words.every((word) => text.includes(word)) && isShown(row, show));
    shown += row.hidden ? 0 : 1;
  }
  const matches = document.getElementById("matches");
  if (matches) matches.textContent = shown === rows.length ? `${rows.length} skills` : `${shown} of ${rows.length} skills`;
}

/** @param {HTMLElement} row @param {string} show @returns {boolean} */
function isShown(row, show) {
  if (show === "findings") return row.dataset.findings !== "0";
  if (show === "trouble") return row.dataset.trouble === "yes";
  if (show.startsWith("not ")) return !(row.dataset.loaded ?? "").split(" ").includes(show.slice(4));
  return true;
}

/** Let the filter follow what is typed. */
export function startFilter() {
  document.addEventListener("input", (event) => {
    if (event.target instanceof Element && event.target.closest("#filter")) applyFilter();
  });
  document.addEventListener("submit", (event) => {
    if (event.target === form()) event.preventDefault();
  });
}
