/** Suggests addresses that begin with what is typed. */

const WAIT_MS = 80
const input = document.querySelector('input[data-suggest]')
const list = document.querySelector('#suggestions')

if (input instanceof HTMLInputElement && list !== null) {
  let timer = 0
  /** Only the newest answer counts. */
  let asked = 0
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(async () => {
      asked += 1
      const mine = asked
      const within = new FormData(/** @type {HTMLFormElement} */ (input.form)).get('in') ?? ''
      const query = new URLSearchParams({ q: input.value, in: String(within) })
      const response = await fetch(`/suggest?${query}`, { headers: { accept: 'application/json' } })
      if (!response.ok || mine !== asked) return
      const { suggestions } = await response.json()
      list.replaceChildren(
        ...suggestions.map((/** @type {string} */ text) => new Option(text, text)),
      )
    }, WAIT_MS)
  })
}
