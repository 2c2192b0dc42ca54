/**
 * Sends requests to the console. Errors have a text for the person. A page whose session has ended
 * works again after a sign-in in another tab.
 */

/** An error with a text for the person. */
class ConsoleError extends Error {
  /** @param {string} text @param {'signIn' | 'silence' | 'refusal'} kind */
  constructor(text, kind) {
    super(text)
    this.kind = kind
  }
}

const SILENCE = 'The console does not answer. Is it still running? Try again.'
let csrf = document.body.dataset.csrf ?? ''

/**
 * Returns the JSON of an answer. Throws errors for `showError`.
 *
 * @param {string | URL} path
 * @param {{ method?: string, body?: BodyInit, headers?: Record<string, string> }} [more]
 * @returns {Promise<any>}
 */
export async function ask(path, { method = 'GET', body, headers = {} } = {}) {
  for (let attempt = 1; ; attempt += 1) {
    const own = { ...headers, accept: 'application/json', 'x-csrf-token': csrf }
    const response = await reach(path, { method, headers: own, ...(body && { body }) })
    const answer = await response.json().catch(() => ({}))
    if (response.ok) return answer
    if (answer.stale !== true || attempt > 1) {
      const text = answer.error ?? `The console answered ${response.status} to ${path}.`
      throw new ConsoleError(text, response.status === 401 ? 'signIn' : 'refusal')
    }
    csrf = (await ask('/session.json')).csrf
  }
}

/** @param {string | URL} path @param {RequestInit} request */
async function reach(path, request) {
  try {
    return await fetch(path, request)
  } catch {
    if (request.method === 'GET') throw new ConsoleError(SILENCE, 'silence')
    // A refusal that comes while a file is being sent breaks the connection.
    await ask('/session.json')
    throw new ConsoleError('The connection broke while this was sent. Try again.', 'silence')
  }
}

/** Whether asking again may help. @param {unknown} error */
export function isSilence(error) {
  return error instanceof ConsoleError && error.kind === 'silence'
}

/**
 * Shows an error in an element. If the session has ended, adds a link to sign in in another tab, so
 * that this page keeps what was filled in.
 *
 * @param {Element} place
 * @param {unknown} error
 */
export function showError(place, error) {
  place.classList.add('error')
  if (!(error instanceof ConsoleError)) {
    place.textContent = 'This page has a defect: load it again. Its words are in the browser’s log.'
    throw error
  }
  place.textContent = error.message
  if (error.kind !== 'signIn') return
  const link = document.createElement('a')
  link.href = '/sign-in'
  link.target = '_blank'
  link.textContent = 'Sign in again in another tab'
  place.append(' ', link, ', then repeat it here: this page keeps what you filled in.')
}
