// Exact texts: what is shown as labels is copied as the characters that they stand for.

/** The text of an element, with the characters that labels stand for.
 * @param {Node} node
 * @returns {string} */
export function exactText(node) {
  if (node instanceof HTMLElement && node.dataset.c !== undefined) {
    return String.fromCodePoint(parseInt(node.dataset.c, 16)).repeat(Number(node.dataset.n));
  }
  if (node.nodeType === Node.TEXT_NODE) return node.nodeValue ?? "";
  return Array.from(node.childNodes, exactText).join("");
}

/** Show a short message, which screen readers say.
 * @param {string} message
 * @param {boolean} [stays] */
export function say(message, stays = false) {
  const status = /** @type {HTMLElement} */ (document.getElementById("status"));
  status.textContent = message;
  if (!stays) setTimeout(() => { if (status.textContent === message) status.textContent = ""; }, 2500);
}

/** Let each copy button copy the exact text of its section. */
export function showCopyButtons() {
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("button.copy"))) {
    button.hidden = false;
  }
}

/** Copy the text beside the button that was pressed.
 * @param {Event} event */
export async function copyOnClick(event) {
  const target = /** @type {Element} */ (event.target);
  const button = target.closest("button.copy");
  const text = button?.closest(".text")?.querySelector("pre, code");
  if (!text) return;
  try {
    await navigator.clipboard.writeText(exactText(text));
    say("Copied");
  } catch {
    say("The browser does not allow copying; select the text instead");
  }
}
