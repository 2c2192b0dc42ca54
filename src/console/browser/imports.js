/** The page of a dropped file: its columns, mapping, preview, dry run and load. */
import { ask, isSilence, showError } from './ask.js'
import { showColumns, showPreview } from './import-tables.js'

const POLL_MS = 400
/** A console process that died is restarted within this time, in milliseconds. */
const SILENCE_MS = 40_000
const WORDS = {
  inspect: 'The file is read',
  try: 'The dry run reads all rows and changes nothing',
  load: 'The roll is loaded',
}

/** @typedef {keyof typeof WORDS} Step */

const place = /** @type {HTMLElement | null} */ (document.querySelector('[data-upload]'))
if (place !== null) await openUpload(place)

/** @param {HTMLElement} place */
async function openUpload(place) {
  const view = openView(place)
  const { find, say, state, mapping, columns, preview, base, fields } = view

  /** Only results of the newest job that the page started are shown. */
  let newest = 0
  /** The running job, which a newer one stops, because both would use the same mapping. */
  let stoppable = ''
  let isLoading = false
  /** An inspection ends with a dry run, so none is started meanwhile. */
  let isInspecting = false
  /** Jobs run one after the other. */
  let last = Promise.resolve()
  /**
   * The element to give the focus back to when the work ends: a button loses it at once when it is
   * disabled.
   * @type {HTMLElement | undefined}
   */
  let focused

  /** @param {any} result @param {string} [edited] the mapping, where it was edited before */
  function showInspection(result, edited) {
    isInspecting = false
    for (const part of place.querySelectorAll('[data-read], [data-place]')) {
      /** @type {HTMLElement} */
      part.hidden = false
    }
    mapping.value = edited ?? JSON.stringify(result.draft, null, 2)
    showColumns(columns, result, fields, mapping, () => run('try'))
    if (result.rows === 0) {
      say('The file has no rows below its head. Is it the right one?', true)
      return
    }
    void run('try')
  }

  /**
   * Starts a step, or watches one that runs already.
   * @param {Step} step
   * @param {string} [job] the one that runs
   */
  async function run(step, job) {
    if (isLoading || (step === 'try' && isInspecting)) return
    newest += 1
    const mine = newest
    const isNewest = () => mine === newest
    isLoading = step === 'load'
    isInspecting = step === 'inspect'
    begin(step)
    last = last.then(() =>
      isNewest() ? finish(() => work(step, isNewest, job), isNewest) : undefined,
    )
    await last
  }

  /** @param {Step} step */
  function begin(step) {
    place.setAttribute('aria-busy', 'true')
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement !== document.body) {
      focused = activeElement
    }
    find('load').disabled = true
    find('try').disabled = true
    say(`${WORDS[step]} …`)
    if (stoppable === '') return
    void ask(`/jobs/${stoppable}/stop`, { method: 'POST' }).catch(() => undefined)
    stoppable = ''
  }

  /**
   * Does a step and says what went wrong.
   * @param {() => Promise<unknown>} work
   * @param {() => boolean} isNewest
   */
  async function finish(work, isNewest) {
    try {
      await work()
    } catch (error) {
      if (isNewest()) showError(state, error)
    }
    if (!isNewest()) return
    isLoading = false
    isInspecting = false
    place.setAttribute('aria-busy', 'false')
    if (document.activeElement === document.body) focused?.focus()
    focused = undefined
  }

  /** @param {Step} step @param {() => boolean} isNewest @param {string | undefined} running */
  async function work(step, isNewest, running) {
    try {
      const job =
        running ?? (await ask(`${base}/${step}`, { method: 'POST', body: readForm(view) })).job
      if (step !== 'load') stoppable = job
      if (!isNewest()) return begin(step)
      const { result, error } = await follow(job, step, (text) => isNewest() && say(text))
      if (!isNewest()) return undefined
      stoppable = ''
      if (error !== null) return sayWhy(view, error)
      if (step === 'inspect') return showInspection(result)
      if (step === 'load') return showLoaded(view, result)
      showPreview(preview, result)
      find('load').disabled = false
      return say(describeTry(result), result.refused != null)
    } finally {
      // After a successful load the button is gone.
      if (isNewest() && find('try') !== null) find('try').disabled = false
    }
  }

  listen(view, run)
  const { job = '', step = 'inspect', draft } = place.dataset
  if (job !== '' && (draft === 'no' || step === 'load')) {
    await showKept(draft)
    await run(/** @type {Step} */ (step), job)
  } else if (draft === 'yes') await showKept(draft, true)
  else await run('inspect')

  /** Restores what the page showed when it was left. @param {string | undefined} draft */
  async function showKept(draft, isRunning = false) {
    if (draft !== 'yes') return
    try {
      const { inspection, mapping: edited } = await ask(`${base}/draft.json`)
      if (isRunning) return showInspection(inspection, edited)
      mapping.value = edited
      showColumns(columns, inspection, fields, mapping, () => run('try'))
    } catch (error) {
      showError(state, error)
    }
  }
}

/** @typedef {ReturnType<typeof openView>} View the elements of the page */

/** @param {HTMLElement} place */
function openView(place) {
  const find = (/** @type {string} */ name) =>
    /** @type {any} */ (place.querySelector(`[data-${name}]`))
  const [state, mapping, columns, preview] = ['state', 'mapping', 'columns', 'preview'].map(find)
  const base = `/imports/${place.dataset.upload}`
  const fields = (place.dataset.fields ?? '').split(' ')
  const say = (/** @type {string} */ text, bad = false) => {
    state.textContent = text
    state.classList.toggle('error', bad)
  }
  return { place, find, say, state, mapping, columns, preview, base, fields }
}

/** @param {View} view @param {(step: Step) => Promise<void>} run */
function listen({ place, find, mapping }, run) {
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
}

/** Returns the mapping, place and flags as the page shows them. @param {View} view */
function readForm({ place, mapping }) {
  const form = new URLSearchParams({ mapping: mapping.value })
  for (const input of place.querySelectorAll('[data-place] input')) {
    form.set(/** @type {any} */ (input).name, /** @type {any} */ (input).value)
  }
  for (const box of /** @type {NodeListOf<HTMLInputElement>} */ (
    place.querySelectorAll('[data-flag]')
  )) {
    if (box.checked) form.set(box.dataset.flag ?? '', 'yes')
  }
  return form
}

/**
 * Shows why a step failed, and suggests another file when nothing is readable.
 * @param {View} view
 * @param {string} error
 */
function sayWhy({ find, say, state }, error) {
  say(wordForPage(error), true)
  if (/ --(?:county|state) /.test(error)) find('place').hidden = false
  if (!find('read').hidden || !find('place').hidden) return
  const link = document.createElement('a')
  link.href = '/imports'
  link.className = 'button'
  link.textContent = 'Drop another file'
  state.append(link)
}

/** @param {View} view @param {any} result */
function showLoaded({ place, say, state }, { loaded, updated, removed, rejected, counties = [] }) {
  const [news, changed, gone, bad] = [loaded, updated, removed, rejected].map(count)
  say(`Loaded: ${news} new, ${changed} changed, ${gone} removed, ${bad} rejected rows.`)
  const link = document.createElement('a')
  const [county] = counties
  link.href = county === undefined ? '/map' : `/map?in=${county}`
  link.className = 'button'
  link.textContent = 'See it on the map'
  state.append(link)
  // It was imported, so only links to the result are left.
  for (const part of place.querySelectorAll('[data-place], .actions')) part.remove()
  link.focus()
}

/** Rewords a sentence of the command line for this page. @param {string} error */
function wordForPage(error) {
  const text = error
    .replaceAll(/\S*\/console\/\w+\/file\//g, '')
    .replace(/: give --(county|state) .*/, ': fill in the $1 below and press Read again')
    .replace(/^this roll was not loaded: /, '')
    .replace(/give --epsg CODE/, 'add its "epsg" to the mapping as text')
    .replace(/load it with --force/, 'tick “load it in spite of the warning”')
    .replace(/with --partial/, 'tick “a part of the roll”')
    .replaceAll('--force', '“in spite of the warning”')
  // A sentence may begin with the name of a file.
  const first = /^[a-z]+\s/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text
  return /[.!?]$/.test(first) ? first : `${first}.`
}

/** @param {number} number */
function count(number) {
  return number.toLocaleString('en-US')
}

/** @param {any} result */
function describeTry({ rows, loaded, updated, unchanged, removed, rejected, skipped, refused }) {
  const kept = `${count(unchanged)} as they were, ${count(removed)} removed`
  const parcels = `${count(loaded)} parcels new, ${count(updated)} changed, ${kept}`
  const left = `${count(rejected)} rows rejected, ${count(skipped)} skipped`
  const counts = `${count(rows)} rows: ${parcels}; ${left}.`
  return refused == null
    ? `${counts} Nothing was changed yet.`
    : `${counts} An import would be refused: ${wordForPage(refused)}`
}

/**
 * Polls a job until it ends.
 * @param {string} id
 * @param {Step} step
 * @param {(text: string) => unknown} say
 */
async function follow(id, step, say) {
  const startedAt = performance.now()
  let heardAt = startedAt
  for (;;) {
    try {
      const job = await ask(`/jobs/${id}`)
      heardAt = performance.now()
      if (job.endedAt !== null) return job
      const seconds = Math.round((heardAt - startedAt) / 1000)
      say(job.lines.at(-1) ?? `${WORDS[step]} …${seconds < 2 ? '' : ` ${seconds} s`}`)
    } catch (error) {
      if (!isSilence(error) || performance.now() - heardAt > SILENCE_MS) throw error
      say('The console does not answer; asking again …')
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}
