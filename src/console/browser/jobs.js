/** Keeps the jobs of a page up to date, and what else they change. */
import { ask, isSilence } from './ask.js'

const POLL_MS = 700

/** Fetches the page again and replaces the parts that jobs change. */
async function refresh() {
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!answer.ok || answer.redirected) return
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
  const fresh = page.querySelectorAll('[data-fresh]')
  for (const [at, part] of document.querySelectorAll('[data-fresh]').entries()) {
    const next = fresh[at]
    if (next === undefined || contentOf(next) === contentOf(part)) continue
    const focused = part.contains(document.activeElement)
    part.replaceWith(next)
    if (focused) document.querySelector('h1')?.focus()
  }
}

/** What a part shows: each page gives its forms other names. */
function contentOf(part) {
  return part.innerHTML.replaceAll(/name="sent-form" value="[^"]*"/g, '')
}

while (document.querySelector('[data-jobs="running"]') !== null) {
  await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  try {
    if (!document.hidden) await refresh()
  } catch (error) {
    // The console is being started again.
    if (!(error instanceof TypeError) && !isSilence(error)) throw error
    await ask('/session.json').catch(() => undefined)
  }
}
