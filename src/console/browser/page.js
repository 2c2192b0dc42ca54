/**
 * Shared by all pages: `/` focuses the search box, copy buttons, confirmation of changes
 * that cannot be undone.
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
  button.addEventListener('click', async () => {
    const text = button.closest('figure')?.querySelector('pre')?.textContent ?? ''
    await navigator.clipboard.writeText(text)
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 1500)
  })
}

for (const form of document.querySelectorAll('form[data-confirm]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.getAttribute('data-confirm') ?? '')) event.preventDefault()
  })
}
