/** Drops or chooses a roll on the page of imports. */
import { ask, showError } from './ask.js'

const drop = /** @type {HTMLElement | null} */ (document.querySelector('[data-drop]'))
if (drop !== null) listen(drop)

/** @param {HTMLElement} drop */
function listen(drop) {
  const state = /** @type {HTMLElement} */ (drop.querySelector('[data-state]'))
  const input = /** @type {HTMLInputElement} */ (drop.querySelector('input'))
  const send = async (/** @type {File | undefined} */ file) => {
    if (file === undefined) return
    state.classList.remove('error')
    state.textContent = `${file.name} is being copied …`
    try {
      const headers = {
        'content-type': 'application/octet-stream',
        'x-file-name': encodeURIComponent(file.name),
      }
      const { path } = await ask('/imports/upload', { method: 'POST', headers, body: file })
      location.assign(path)
    } catch (error) {
      // The same file can be chosen again.
      input.value = ''
      showError(state, error)
    }
  }
  input.addEventListener('change', () => send(input.files?.[0]))
  // One may have been chosen before this script was there.
  send(input.files?.[0])
  for (const name of ['dragenter', 'dragover']) {
    drop.addEventListener(name, (event) => {
      event.preventDefault()
      drop.classList.add('over')
    })
  }
  for (const name of ['dragleave', 'drop']) {
    drop.addEventListener(name, () => drop.classList.remove('over'))
  }
  // Without this, a file dropped beside the box would replace the page.
  addEventListener('dragover', (event) => event.preventDefault())
  addEventListener('drop', (event) => {
    event.preventDefault()
    const files = event.dataTransfer?.files ?? []
    if (files.length < 2) {
      send(files[0])
      return
    }
    state.classList.add('error')
    state.textContent = 'One file at a time: put files that belong together into a ZIP.'
  })
}
