/** Suggests addresses that begin with the typed text in each search box. */
import { ask } from './ask.js'

const WAIT_MS = 80

for (const input of document.querySelectorAll('input[data-suggest]')) {
  if (input instanceof HTMLInputElement && input.list !== null) suggest(input, input.list)
}

/** @param {HTMLInputElement} input @param {HTMLElement} list */
function suggest(input, list) {
  let timer = 0
  /** Only the newest answer is shown. */
  let asked = 0
  const askSoon = () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      asked += 1
      const mine = asked
      const within = new FormData(/** @type {HTMLFormElement} */ (input.form)).get('in') ?? ''
      const query = new URLSearchParams({ q: input.value, in: String(within) })
      // If suggestions fail, the search still works and shows what is wrong.
      const { suggestions } = await ask(`/suggest?${query}`).catch(() => ({ suggestions: [] }))
      if (mine !== asked) return
      list.replaceChildren(
        ...suggestions.map((/** @type {string} */ text) => new Option(text, text)),
      )
    }, WAIT_MS)
  }
  input.addEventListener('input', askSoon)
  // Scripts load after the first paint: letters may have been typed before.
  if (document.activeElement === input && input.value !== input.defaultValue) askSoon()
}
