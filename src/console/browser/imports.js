/** Dropping a file; then its columns, mapping, preview, dry run and load. */
import { showColumns, showPreview } from './import-tables.js'

const POLL_MS = 400
const csrf = document.body.dataset.csrf ?? ''
const headers = { 'x-csrf-token': csrf, accept: 'application/json' }

const drop = /** @type {HTMLElement | null} */ (document.querySelector('[data-drop]'))
if (drop !== null) listenForFiles(drop)
const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-upload]'))
if (place !== null) await openUpload(place)

/** @param {HTMLElement} drop */
function listenForFiles(drop) {
  const state = /** @type {HTMLElement} */ (drop.querySelector('[data-state]'))
  const input = /** @type {HTMLInputElement} */ (drop.querySelector('input'))
  const send = async (/** @type {File | undefined} */ file) => {
    if (file === undefined) return
    state.textContent = `${file.name} is being copied …`
    const response = await fetch('/imports/upload', {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'x-file-name': encodeURIComponent(file.name),
      },
      body: file,
    })
    const { path, error } = await response.json()
    if (path === undefined) state.textContent = error
    else location.assign(path)
  }
  input.addEventListener('change', () => send(input.files?.[0]))
  drop.addEventListener('dragover', (event) => event.preventDefault())
  drop.addEventListener('drop', (event) => {
    event.preventDefault()
    send(event.dataTransfer?.files[0])
  })
}

/** @param {HTMLElement} place */
async function openUpload(place) {
  const find = (/** @type {string} */ name) =>
    /** @type {any} */ (place.querySelector(`[data-${name}]`))
  const [state, mapping, columns, preview] = ['state', 'mapping', 'columns', 'preview'].map(find)
  const base = `/imports/${place.dataset.upload}`
  const fields = (place.dataset.fields ?? '').split(' ')
  const say = (/** @type {string} */ text, bad = false) => {
    state.textContent = text
    state.classList.toggle('error', bad)
  }

  /** @param {any} result */
  function showInspection(result) {
    isInspecting = false
    mapping.value = JSON.stringify(result.draft, null, 2)
    showColumns(columns, result.columns, fields, mapping, () => run('try'))
    const warnings = result.warnings.length === 0 ? '' : ` ${result.warnings.join(' ')}`
    say(
      `${result.rows.toLocaleString('en-US')} rows, ${result.columns.length} columns.${warnings} Check which field each column fills, then try it.`,
    )
    void run('try')
  }

  /** Only the newest of the jobs that the page started counts. */
  let newest = 0
  /** The job under way, which a newer one stops: two at once would meet in the same mapping. */
  let stoppable = place.dataset.job ?? ''
  let isLoading = false
  /** An inspection ends with a dry run, so none is started beside it. */
  let isInspecting = place.dataset.job !== ''
  /** Jobs run one after the other; the first is the one that the upload started. */
  let last = Promise.resolve()

  /** @param {string} what */
  async function run(what) {
    if (isLoading || (what === 'try' && isInspecting)) return
    newest += 1
    const mine = newest
    const isNewest = () => mine === newest
    isLoading = what === 'load'
    isInspecting = what === 'inspect'
    begin()
    last = last.then(() =>
      isNewest() ? finish(() => runNow(what, isNewest), isNewest) : undefined,
    )
    await last
  }

  function begin() {
    place.setAttribute('aria-busy', 'true')
    find('load').disabled = true
    find('try').disabled = true
    if (stoppable === '') return
    void fetch(`/jobs/${stoppable}/stop`, { method: 'POST', headers }).catch(() => undefined)
    stoppable = ''
  }

  /** Runs work and says so if the console does not answer. @param {() => Promise<unknown>} work @param {() => boolean} isNewest */
  async function finish(work, isNewest) {
    try {
      await work()
    } catch {
      if (isNewest()) say('The console does not answer. Is it still running? Try again.', true)
    }
    if (!isNewest()) return
    isLoading = false
    isInspecting = false
    place.setAttribute('aria-busy', 'false')
  }

  /** @param {string} what @param {() => boolean} isNewest */
  async function runNow(what, isNewest) {
    const form = new URLSearchParams({ mapping: mapping.value })
    for (const input of place.querySelectorAll('[data-place] input')) {
      form.set(/** @type {any} */ (input).name, /** @type {any} */ (input).value)
    }
    for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (
      place.querySelectorAll('[data-flag]')
    )) {
      if (box.checked) form.set(box.dataset.flag ?? '', 'yes')
    }
    const response = await fetch(`${base}/${what}`, { method: 'POST', headers, body: form })
    const { job, error } = await response.json()
    if (isNewest()) find('try').disabled = false
    if (job === undefined) return isNewest() ? say(error, true) : undefined
    if (what !== 'load') stoppable = job
    if (!isNewest()) begin()
    const ended = await follow(job, (line) => isNewest() && say(line))
    if (!isNewest()) return undefined
    stoppable = ''
    if (ended.error !== null) return say(wordForPage(ended.error), true)
    if (what === 'inspect') return showInspection(ended.result)
    if (what === 'try') {
      showPreview(preview, ended.result)
      find('load').disabled = false
      return say(describeTry(ended.result), ended.result.refused != null)
    }
    const { loaded, updated, removed, rejected } = ended.result
    say(`Loaded: ${loaded} new, ${updated} changed, ${removed} removed, ${rejected} rejected rows.`)
    const link = document.createElement('a')
    const [county] = ended.result.counties ?? []
    link.href = county === undefined ? '/map' : `/map?in=${county}`
    link.textContent = 'See it on the map'
    state.append(' ', link)
    find('try').disabled = true
    return undefined
  }

  find('try').addEventListener('click', () => run('try'))
  find('load').addEventListener('click', () => run('load'))
  for (const box of place.querySelectorAll('[data-flag]')) {
    box.addEventListener('change', () => run('try'))
  }
  mapping.addEventListener('change', () => run('try'))
  find('place').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault()
    run('inspect')
  })
  if (place.dataset.job === '') {
    await run('inspect')
    return
  }
  const isFirst = () => newest === 0
  place.setAttribute('aria-busy', 'true')
  last = finish(async () => {
    const inspected = await follow(place.dataset.job ?? '', (line) => isFirst() && say(line))
    // The file may be read again already.
    if (!isFirst()) return
    stoppable = ''
    if (inspected.error === null) showInspection(inspected.result)
    else say(wordForPage(inspected.error), true)
  }, isFirst)
  await last
}

/** A sentence of the command line, for who has this page before them. @param {string} error */
function wordForPage(error) {
  return error
    .replaceAll(/\S*\/console\/\w+\/file-/g, '')
    .replace(/: give --(county|state) .*/, ': fill in the $1 below and press Read again')
}

/** @param {any} result */
function describeTry({ rows, loaded, updated, unchanged, removed, rejected, skipped, refused }) {
  const counts = `${rows} rows: ${loaded} parcels new, ${updated} changed, ${unchanged} as they were, ${removed} removed; ${rejected} rows rejected, ${skipped} skipped.`
  return refused == null
    ? `${counts} Nothing was changed yet.`
    : `${counts} A load would be refused: ${refused}`
}

/** Polls a job until it ends. @param {string} id @param {(text: string) => unknown} say */
async function follow(id, say) {
  for (;;) {
    const response = await fetch(`/jobs/${id}`, { headers })
    const job = await response.json()
    if (!response.ok) return { error: job.error, result: null }
    if (job.endedAt !== null) return job
    const line = job.lines.at(-1)
    if (line !== undefined) say(line)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
