/**
 * Shared by all pages: `/` focuses the search box, copy buttons, confirmation of changes
 * that cannot be undone. The page's own scripts follow after its first paint, which would wait
 * until they are compiled.
 */

document.addEventListener('keydown', (event) => {
  const isTyping =
    event.target instanceof HTMLElement && event.target.closest('input, textarea, select')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  const box = document.querySelector('#q')
  if (!(box instanceof HTMLInputElement)) return
  event.preventDefault()
  box.focus()
  box.select()
})

for (const button of document.querySelectorAll('button[data-copy]')) {
  const name = button.getAttribute('aria-label') ?? 'Copy'
  const show = (/** @type {string} */ text, /** @type {string} */ label) => {
    button.textContent = text
    button.setAttribute('aria-label', label)
  }
  button.addEventListener('click', async () => {
    const isCopied = await copy(button.closest('figure')?.querySelector('pre'))
    const hint = isCopied ? 'Copied' : 'Ctrl-C copies it'
    show(hint, hint)
    setTimeout(() => show('Copy', name), 1500)
  })
}

/**
 * Without HTTPS a browser lets no page write to the clipboard: then the text is selected.
 * @param {Element | null | undefined} place
 */
async function copy(place) {
  if (place == null) return false
  getSelection()?.selectAllChildren(place)
  try {
    await navigator.clipboard.writeText(place.textContent ?? '')
    return true
  } catch {
    return false
  }
}

// On a narrow screen the menu is one row that scrolls.
const menu = document.querySelector('.bar nav')
const current = menu?.querySelector('[aria-current]')
if (menu != null && current instanceof HTMLElement) {
  menu.scrollLeft = current.offsetLeft - (menu.clientWidth - current.offsetWidth) / 2
}

for (const button of document.querySelectorAll('[data-print]')) {
  button.addEventListener('click', () => print())
}

for (const form of document.querySelectorAll('form[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.getAttribute('data-confirm') ?? '')) event.preventDefault()
  })
}

// A page in the background is not painted.
if (!document.hidden) {
  await new Promise((resolve) => {
    new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
    setTimeout(resolve, 2000)
  })
}
const own = document.querySelector('script[data-scripts]')?.getAttribute('data-scripts') ?? ''
for (const name of own.split(' ').filter((one) => one !== '')) void import(`./${name}`)
