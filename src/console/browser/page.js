/**
 * Shared by all pages, and read before anything is painted, so that nothing that a person does is
 * lost: `/` focuses the search box, buttons copy and print, changes that cannot be undone are
 * confirmed. The page's own scripts follow after its first paint, which would wait until they are
 * compiled; a button that is pressed before they are there is pressed again then.
 */
{
  /** A change that is sent again within this time was clicked twice, in milliseconds. */
  const TWICE_MS = 3000
  const own = (document.currentScript?.getAttribute('data-late') ?? '').split(' ').filter(Boolean)
  let isLate = own.length > 0
  /** @type {HTMLButtonElement | undefined} */
  let pressed

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

  document.addEventListener('click', ({ target }) => {
    const place = target instanceof Element ? target : null
    const button = place?.closest('button')
    // Filters keep the view of a map.
    const link = place?.closest('.chips a')
    if (link instanceof HTMLAnchorElement) link.hash = location.hash
    if (button == null) return
    if (button.matches('[data-copy]')) void copyFor(button)
    else if (button.matches('[data-print]')) print()
    else if (isLate && button.form === null && button.closest('#map') === null) pressed = button
  })

  document.addEventListener('submit', (event) => {
    const form = /** @type {HTMLFormElement} */ (event.target)
    if (form.matches('#tools form')) form.setAttribute('action', `/map${location.hash}`)
    const question = form.getAttribute('data-confirm')
    const isTwice = event.timeStamp - Number(form.dataset.sentAt ?? -TWICE_MS) < TWICE_MS
    if (isTwice || (question !== null && !confirm(question))) event.preventDefault()
    else if (form.method === 'post') form.dataset.sentAt = String(event.timeStamp)
  })

  document.addEventListener('DOMContentLoaded', async () => {
    centreMenu()
    // A page in the background is not painted.
    if (!document.hidden) {
      await new Promise((resolve) => {
        new PerformanceObserver(resolve).observe({ type: 'paint', buffered: true })
        setTimeout(resolve, 2000)
      })
    }
    await Promise.all(own.filter((name) => name.endsWith('.css')).map(addStyle))
    const scripts = own.filter((name) => name.endsWith('.js'))
    await Promise.allSettled(scripts.map((name) => import(`./${name}`)))
    isLate = false
    pressed?.click()
  })

  /** @param {HTMLButtonElement} button */
  async function copyFor(button) {
    button.dataset.name ??= button.getAttribute('aria-label') ?? 'Copy'
    const { name } = button.dataset
    const show = (/** @type {string} */ text, /** @type {string} */ label) => {
      button.textContent = text
      button.setAttribute('aria-label', label)
    }
    const isCopied = await copy(button.closest('figure')?.querySelector('pre'))
    const hint = isCopied ? 'Copied' : 'Ctrl-C copies it'
    show(hint, hint)
    setTimeout(() => show('Copy', name ?? ''), 1500)
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

  /** On a narrow screen the menu is one row that scrolls. */
  function centreMenu() {
    const menu = document.querySelector('.bar nav')
    const current = menu?.querySelector('[aria-current]')
    if (menu == null || !(current instanceof HTMLElement)) return
    menu.scrollLeft = current.offsetLeft - (menu.clientWidth - current.offsetWidth) / 2
  }

  /** Adds a style after that of all pages, before the page's own. @param {string} name */
  async function addStyle(name) {
    const first = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=stylesheet]'))
    const link = document.createElement('link')
    link.rel = 'stylesheet'
    link.href = new URL(name, first.href).href
    await new Promise((resolve) => {
      link.onload = link.onerror = resolve
      first.after(link)
    })
  }
}
