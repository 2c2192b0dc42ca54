/** The page of a dropped file: its columns, mapping, preview, dry run and load. */
import { ask, isSilence, showError } from './ask.js'
import { showCounties, showFound } from './import-found.js'
import { showPreview } from './import-preview.js'
import { ColumnTable } from './import-tables.js'
import { count, describeTry, readShare, showAccount, wordForPage } from './import-words.js'

const POLL_MS = 400
/** A console process that died is restarted within this time, in milliseconds. */
const SILENCE_MS = 40_000
const WORDS = {
  inspect: 'The file is read',
  try: 'The dry run reads all rows and changes nothing',
  load: 'The roll is loaded',
}

/** @typedef {keyof typeof WORDS} Step */

/** The work of the page: its steps run one after the other. */
class Upload {
  /** Only results of the newest step that the page started are shown. */
  #newest = 0
  /** The running job, which a newer one stops, because both would use the same mapping. */
  #stoppable = ''
  #isLoading = false
  /** An inspection ends with a dry run, so none is started meanwhile. */
  #isInspecting = false
  /** Ends with the last step that was started. */
  #last = Promise.resolve()
  /**
   * The element to give the focus back to when the work ends: a button loses it at once when it is
   * disabled.
   * @type {HTMLElement | undefined}
   */
  #focused
  #view
  #table

  /** @param {View} view */
  constructor(view) {
    this.#view = view
    const { columns, fields, mapping } = view
    this.#table = new ColumnTable(columns, fields, mapping, () => {
      view.place.dataset.edited = 'yes'
      this.run('try')
    })
  }

  /** Restores what the page showed when it was left, or begins with an inspection. */
  async open() {
    const { job = '', step = 'inspect', draft } = this.#view.place.dataset
    const hasDraft = draft === 'yes'
    if (job !== '' && (draft === 'no' || step === 'load')) {
      if (hasDraft) await this.#showKept(false)
      await this.run(/** @type {Step} */ (step), job)
    } else if (hasDraft) await this.#showKept(true)
    else await this.run('inspect')
  }

  /**
   * Starts a step, or watches one that runs already.
   * @param {Step} step
   * @param {string} [job] the one that runs
   */
  async run(step, job) {
    if (this.#isLoading || (step === 'try' && this.#isInspecting)) return
    this.#newest += 1
    const mine = this.#newest
    const isNewest = () => mine === this.#newest
    this.#isLoading = step === 'load'
    this.#isInspecting = step === 'inspect'
    this.#begin(step)
    this.#last = this.#last.then(() =>
      isNewest() ? this.#finish(() => this.#work(step, isNewest, job), isNewest) : undefined,
    )
    await this.#last
  }

  /** Shows that a step begins, and stops the job that it outdates. @param {Step} step */
  #begin(step) {
    const { place, find, say } = this.#view
    place.setAttribute('aria-busy', 'true')
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && activeElement !== document.body) {
      this.#focused = activeElement
    }
    find('load').disabled = true
    find('try').disabled = true
    find('stop').hidden = step !== 'load'
    say(`${WORDS[step]} …`)
    this.#stop()
  }

  /** Stops the job whose result is not wanted any more. */
  #stop() {
    if (this.#stoppable === '') return
    void ask(`/jobs/${this.#stoppable}/stop`, { method: 'POST' }).catch(() => undefined)
    this.#stoppable = ''
  }

  /** Asks for another reading, and drops one that runs: it was for the place before. */
  movePlace() {
    const { place, find, say } = this.#view
    if (this.#isLoading) return
    this.#newest += 1
    this.#isInspecting = false
    this.#stop()
    find('load').disabled = true
    find('try').disabled = false
    find('bar').hidden = true
    place.setAttribute('aria-busy', 'false')
    say('Press Read again, so that the file is read for this place.')
  }

  /**
   * Does a step and says what went wrong.
   * @param {() => Promise<unknown>} work
   * @param {() => boolean} isNewest
   */
  async #finish(work, isNewest) {
    const { place, state } = this.#view
    try {
      await work()
    } catch (error) {
      if (isNewest()) showError(state, error)
    }
    if (!isNewest()) return
    this.#isLoading = false
    this.#isInspecting = false
    this.#view.find('stop').hidden = true
    this.#view.find('bar').hidden = true
    place.setAttribute('aria-busy', 'false')
    if (document.activeElement === document.body) this.#focused?.focus()
    this.#focused = undefined
  }

  /** @param {Step} step @param {() => boolean} isNewest @param {string | undefined} running */
  async #work(step, isNewest, running) {
    const { base, find, say } = this.#view
    try {
      const job =
        running ??
        (await ask(`${base}/${step}`, { method: 'POST', body: readForm(this.#view) })).job
      if (step !== 'load') this.#stoppable = job
      if (!isNewest()) return this.#stop()
      find('stop').dataset.job = job
      const { result, error } = await follow(job, step, (text) => {
        if (!isNewest()) return
        say(text)
        showBar(find('bar'), readShare(text))
      })
      if (!isNewest()) return undefined
      this.#stoppable = ''
      if (error === null) return this.#show(step, result)
      find('load').disabled = step !== 'load'
      return sayWhy(this.#view, error)
    } finally {
      // After a successful load the button is gone.
      if (isNewest() && find('try') !== null) find('try').disabled = false
    }
  }

  /** @param {Step} step @param {any} result */
  #show(step, result) {
    const { find, say, preview } = this.#view
    if (step === 'inspect') return this.#showKept(true)
    if (step === 'load') return showLoaded(this.#view, result)
    this.#view.place.dataset.counties = (result.counties ?? []).join(',')
    showCounties(find('found'), result.places)
    showAccount(find('account'), result)
    showPreview(preview, result)
    find('load').disabled = result.refused != null
    say(describeTry(result), result.refused != null)
  }

  /** @param {any} result @param {string} text of the mapping, as last edited */
  #showInspection(result, text) {
    const { say } = this.#view
    this.#isInspecting = false
    this.#showColumns(result, text)
    if (result.rows === 0) {
      say('The file has no rows below its head. Is it the right one?', true)
      return
    }
    void this.run('try')
  }

  /** @param {any} inspection @param {string} text of the mapping */
  #showColumns(inspection, text) {
    const { place, mapping } = this.#view
    for (const part of place.querySelectorAll('[data-read], [data-place]')) {
      /** @type {HTMLElement} */
      part.hidden = false
    }
    mapping.value = text
    this.#table.show(inspection)
    showFound(this.#view, inspection, () => {
      this.#table.restart()
      this.run('try')
    })
  }

  /** Draws the table again after an edit of the text. */
  redraw() {
    this.#table.draw()
  }

  /**
   * Shows the kept inspection with its edited mapping.
   * @param {boolean} tries whether a dry run follows
   */
  async #showKept(tries) {
    const { base, state } = this.#view
    try {
      const { inspection, mapping } = await ask(`${base}/draft.json`)
      if (tries) this.#showInspection(inspection, mapping)
      else this.#showColumns(inspection, mapping)
    } catch (error) {
      showError(state, error)
    }
  }
}

/** @type {HTMLElement | null} */
const place = document.querySelector('[data-upload]')
if (place !== null) {
  const view = openView(place)
  const upload = new Upload(view)
  listen(view, upload)
  await upload.open()
}

/** @typedef {ReturnType<typeof openView>} View the elements of the page */

/** @param {HTMLElement} place */
function openView(place) {
  const find = (/** @type {string} */ name) =>
    /** @type {any} */ (place.querySelector(`[data-${name}]`))
  const [state, mapping, columns, preview] = ['state', 'mapping', 'columns', 'preview'].map(find)
  const base = `/imports/${place.dataset.upload}`
  const fields = JSON.parse(place.dataset.fields ?? '{}')
  const say = (/** @type {string} */ text, bad = false) => {
    state.textContent = text
    state.classList.toggle('error', bad)
  }
  return { place, find, say, state, mapping, columns, preview, base, fields }
}

/** @param {HTMLProgressElement} bar @param {number | undefined} share from 0 to 1 */
function showBar(bar, share) {
  bar.hidden = share === undefined
  if (share !== undefined) bar.value = share
}

/** Runs steps on clicks and edits. @param {View} view @param {Upload} upload */
function listen({ place, find, mapping }, upload) {
  find('try').addEventListener('click', () => upload.run('try'))
  find('load').addEventListener('click', () => upload.run('load'))
  const tried = '[data-flag]:not([data-flag=follow])'
  for (const box of place.querySelectorAll(tried)) {
    box.addEventListener('change', () => upload.run('try'))
  }
  find('stop').addEventListener('click', () => {
    void ask(`/jobs/${find('stop').dataset.job}/stop`, { method: 'POST' }).catch(() => undefined)
  })
  mapping.addEventListener('change', () => {
    place.dataset.edited = 'yes'
    upload.redraw()
    upload.run('try')
  })
  find('place').addEventListener('input', () => upload.movePlace())
  find('place').addEventListener('submit', (/** @type {Event} */ event) => {
    event.preventDefault()
    const isEdited = place.dataset.edited === 'yes'
    if (isEdited && !confirm('Read the file again? Your changes of its columns are dropped.'))
      return
    place.dataset.edited = 'no'
    upload.run('inspect')
  })
}

/** Returns the mapping, place and flags as the page shows them. @param {View} view */
function readForm({ place, mapping }) {
  const form = new URLSearchParams({ mapping: mapping.value })
  form.set('counties', place.dataset.counties ?? '')
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

/** @param {View} view @param {any} answer */
function showLoaded({ place, say, state }, answer) {
  // A followed source is loaded by a sync.
  const result = answer.sources?.[0]?.load ?? answer
  const { loaded, updated, removed, rejected, counties = [], warnings = [] } = result
  const [news, changed, gone, bad] = [loaded, updated, removed, rejected].map(count)
  const counts = `${news} new, ${changed} changed, ${gone} removed, ${bad} rejected rows.`
  say([`Loaded: ${counts}`, ...warnings.map(wordForPage)].join(' '), warnings.length > 0)
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
