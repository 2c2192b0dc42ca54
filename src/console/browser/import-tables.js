/** The table of an import: each column of the file with the fields that it feeds. */
import { addRow, element, makeTable, showField } from './import-elements.js'
import { wordForPage } from './import-words.js'
import { clear, describeStep, feed, isList, listUses, nameTarget, valueAt } from './mapping-uses.js'

const SAMPLES = 4
/** The choice of no field. */
const NONE = '–'
const USES = ['focus', 'pointerdown']

/**
 * @typedef {{ name: string, type: string, fill: number, samples: string[] }} Column
 * @typedef {{ section: string | null, name: string, value: any }} Drafted
 * @typedef {Drafted & { certainty: number, why: string }} Guess
 * @typedef {{ rows: number, columns: Column[], guesses: Guess[], fits: { name: string }[],
 *   warnings: string[] }} Inspection
 */

/** Pause that ends the typing of a name. */
const TYPING_MS = 900
/** Guesses of at least this certainty are in the draft. */
const SURE = 0.6

/** Every column of a file: its samples, the fields that it feeds, the steps and the reasons. */
export class ColumnTable {
  #place
  #fields
  #mapping
  #changed
  /** @type {Inspection} */
  #inspection = { rows: 0, columns: [], guesses: [], fits: [], warnings: [] }
  /** The uses before any change. @type {import('./mapping-uses.js').Use[]} */
  #given = []
  /** What was changed last, and the text of the mapping before. */
  #note = element('p', '')

  /**
   * @param {HTMLElement} place
   * @param {Record<string, string[]>} fields names of fields by their group
   * @param {HTMLTextAreaElement} mapping
   * @param {() => void} changed
   */
  constructor(place, fields, mapping, changed) {
    this.#place = place
    this.#fields = makeChoices(fields)
    this.#mapping = mapping
    this.#changed = changed
    this.#note.className = 'told-change'
    this.#note.setAttribute('role', 'status')
  }

  /** @param {Inspection} inspection */
  show(inspection) {
    this.#inspection = inspection
    this.restart()
  }

  /** Draws another layout. */
  restart() {
    this.#given = listUses(this.#read())
    this.#say('')
    this.draw()
  }

  /** Draws the table of the mapping as its text is now, and keeps the focus. */
  draw() {
    const { columns, warnings } = this.#inspection
    const focused = document.activeElement?.getAttribute('aria-label')
    const uses = listUses(this.#read())
    const table = makeTable(['Column', 'Feeds', 'Why'])
    table.className = 'columns'
    for (const column of columns) this.#addColumn(table, column, uses)
    const fed = new Set(uses.flatMap((use) => use.columns))
    const used = columns.filter(({ name }) => fed.has(name)).length
    const counts = `${used} of ${columns.length} columns feed a field.`
    this.#place.replaceChildren(
      element('p', counts),
      ...warnings.map((text) => element('p', wordForPage(text))),
      this.#note,
      table,
    )
    if (focused == null) return
    const again = this.#place.querySelector(`[aria-label="${CSS.escape(focused)}"]`)
    if (again instanceof HTMLElement) again.focus()
  }

  /** @param {HTMLTableElement} table @param {Column} column @param {any[]} uses */
  #addColumn(table, column, uses) {
    const own = uses.filter((use) => use.columns.includes(column.name))
    const feeds = document.createElement('div')
    for (const use of own) feeds.append(pair(this.#showUse(use, column), [this.#showWhy(use)]))
    const more =
      own.length === 0 ? this.#choose(column, undefined, 'Field of') : this.#offerMore(column)
    const doubts = this.#doubtsOf(column, own).map((doubt) => this.#offerDoubt(column, doubt))
    feeds.append(pair(more, doubts))
    const row = addRow(table, '', [feeds])
    row.cells[1].colSpan = 2
    const head = row.cells[0]
    const kind = `${column.type}, ${Math.round(column.fill * 100)}\u00a0% filled`
    const samples = column.samples.slice(0, SAMPLES).join(' · ')
    head.append(element('span', column.name), element('small', kind), element('code', samples))
    if (own.length === 0) row.className = 'unused'
  }

  /** @param {any} use @param {Column} column */
  #showUse(use, column) {
    const line = document.createElement('p')
    if (use.target === '') line.append(nameTarget(use))
    else line.append(this.#choose(column, use, 'Field of'))
    const step = describeStep(use.value, column.name)
    if (step !== '') line.append(element('small', step))
    return line
  }

  /** @param {any} use */
  #showWhy(use) {
    const guess = this.#inspection.guesses.find((one) => {
      const target = targetOf(one)
      return target === use.target && isSame(one.value, use.value)
    })
    const line = element('p', '')
    const isGiven = this.#given.some(
      ({ path, value }) => String(path) === String(use.path) && isSame(value, use.value),
    )
    const { fits } = this.#inspection
    const isLayout = fits.some(({ name }) => name === this.#read().name)
    const given = isLayout ? 'so in this layout' : 'so in the draft'
    if (guess === undefined) line.textContent = isGiven ? given : 'chosen here'
    else line.append(showCertainty(guess.certainty), ` ${guess.why}`)
    return line
  }

  /**
   * Doubtful guesses for a column, which the draft leaves out.
   * @param {Column} column @param {any[]} own
   */
  #doubtsOf({ name }, own) {
    return this.#inspection.guesses.filter(
      (guess) =>
        guess.section !== null &&
        guess.certainty < SURE &&
        (guess.value === name || guess.value?.column === name) &&
        !own.some(({ target }) => target === targetOf(guess)),
    )
  }

  /** @param {Column} column @param {Guess} guess */
  #offerDoubt(column, guess) {
    const target = targetOf(guess)
    const line = element('p', '')
    const text = `Perhaps ${showTarget(target)}`
    const button = this.#button(text, `${text}: ${column.name}`, () => this.#add(column, target))
    line.append(button, ' ', showCertainty(guess.certainty), ` ${guess.why}`)
    return line
  }

  /**
   * A box with all fields, once a person comes to it: those of a wide roll are 20,000 options.
   * @param {Column} column @param {any} use @param {string} label
   */
  #choose(column, use, label) {
    const place = use === undefined || use.target === '' ? '' : use.target
    const [first] = listUses(this.#read()).filter(({ columns }) => columns.includes(column.name))
    const also = use !== undefined && String(use.path) !== String(first?.path)
    const more = also ? `, ${showTarget(place)}` : ''
    const constant = this.#read()[column.name.toLowerCase()]
    const isGiven = use === undefined && ['state', 'county'].includes(column.name.toLowerCase())
    const none = isGiven && constant ? `${constant} in all rows` : NONE
    const select = document.createElement('select')
    select.setAttribute('aria-label', `${label} the column ${column.name}${more}`)
    select.append(new Option(place === '' ? none : showTarget(place), place))
    onFirstUse(select, () => {
      const all = /** @type {HTMLSelectElement} */ (this.#fields.cloneNode(true))
      const [blank] = all.options
      blank.text = none
      const isListed = [...all.options].some(({ value }) => value === place)
      select.replaceChildren(...all.children, ...(isListed ? [] : [...select.children]))
      select.value = place
    })
    onChosen(select, () => this.#move(column, use, select.value))
    return select
  }

  /** @param {Column} column */
  #offerMore(column) {
    const name = `Another field for ${column.name}`
    const button = this.#button('+ another field', name, () => {
      const select = this.#choose(column, undefined, 'Another field of')
      button.replaceWith(select)
      select.focus()
    })
    button.classList.add('more')
    return button
  }

  /** @param {Column} column @param {any} use @param {string} target */
  #move(column, use, target) {
    const mapping = this.#read()
    if (mapping.fields === undefined) return this.draw()
    if (use === undefined) return this.#add(column, target)
    const left = clear(mapping, use, column.name)
    if (target === '') {
      this.#change(left, this.#describeCleared(left, use, column.name))
      return
    }
    this.#add(column, target, left)
  }

  /**
   * Lets a column feed a field, or asks how, where other columns feed it.
   * @param {Column} column @param {string} target @param {any} [mapping]
   */
  #add(column, target, mapping = this.#read()) {
    const now = valueAt(mapping, target)
    const words = `${column.name} feeds ${showTarget(target)}`
    if (now === undefined) {
      this.#change(feed(mapping, target, column.name, 'instead'), `${words}.`)
      return
    }
    const others = listUses(mapping)
      .find((use) => use.target === target)
      ?.columns.join(', ')
    const ask = document.createElement('span')
    ask.append(`${showTarget(target)} comes from ${others} now. `)
    /** @type {['instead' | 'first' | 'join', string][]} */
    const ways = [
      ['instead', `${column.name} instead`],
      ['first', `${column.name} where that is empty`],
      ['join', `both, joined by a blank`],
    ]
    const buttons = ways.map(([how, text]) =>
      this.#button(text, text, () =>
        this.#change(feed(mapping, target, column.name, how), `${words}.`),
      ),
    )
    ask.append(
      ...buttons,
      this.#button('Leave it', 'Leave it', () => this.#say('')),
    )
    this.draw()
    this.#say(ask)
    buttons[0]?.focus()
  }

  /**
   * What fills a field now that a column was taken from it.
   * @param {any} left @param {any} use @param {string} column
   */
  #describeCleared(left, use, column) {
    const uses = listUses(left)
    const still = uses.find(({ path }) => String(path) === String(use.path))
    const others = use.columns.filter((/** @type {string} */ name) => name !== column)
    const name = showTarget(use.target)
    const lone = others.filter(
      (/** @type {string} */ other) => !uses.some(({ columns }) => columns.includes(other)),
    )
    const more = uses.filter(({ columns }) => columns.includes(column))
    const words = [
      still === undefined
        ? `Nothing fills ${name} now.`
        : `${name} now comes from ${still.columns.join(', ')} alone.`,
      lone.length === 0 ? '' : `${lone.join(', ')} fed only that, and feeds nothing now.`,
      more.length === 0
        ? ''
        : `${column} still feeds ${more.map((one) => showTarget(nameTarget(one))).join(', ')}.`,
    ]
    return words.filter((text) => text !== '').join(' ')
  }

  /** @param {any} mapping @param {string} words */
  #change(mapping, words) {
    const before = this.#mapping.value
    this.#mapping.value = JSON.stringify(mapping, null, 2)
    this.draw()
    const line = document.createElement('span')
    line.append(
      `${words} `,
      this.#button('Take it back', 'Take it back', () => {
        this.#mapping.value = before
        this.#say('')
        this.draw()
        this.#changed()
      }),
    )
    this.#say(line)
    this.#changed()
  }

  /** @param {string | Node} content */
  #say(content) {
    this.#note.replaceChildren(content)
  }

  /** @param {string} text @param {string} name @param {() => void} click */
  #button(text, name, click) {
    const button = element('button', text)
    button.className = 'quiet'
    button.setAttribute('type', 'button')
    if (name !== text) button.setAttribute('aria-label', name)
    button.addEventListener('click', click)
    return button
  }

  /** The mapping; an object without fields while the edited text is not JSON. */
  #read() {
    try {
      return JSON.parse(this.#mapping.value) ?? {}
    } catch {
      return {}
    }
  }
}

/**
 * Fills a box before it opens. Safari gives a box that is clicked no focus.
 * @param {HTMLSelectElement} select @param {() => void} fill
 */
function onFirstUse(select, fill) {
  const begin = () => {
    for (const type of USES) select.removeEventListener(type, begin)
    fill()
  }
  for (const type of USES) select.addEventListener(type, begin)
}

/**
 * Calls back when a person has chosen. The keyboard changes a box with each letter of a name, so
 * that only a pause or a step to the next element ends the choice.
 * @param {HTMLSelectElement} select @param {() => void} chosen
 */
function onChosen(select, chosen) {
  let isTyped = false
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting
  const end = () => {
    if (waiting === undefined) return
    clearTimeout(waiting)
    waiting = undefined
    chosen()
  }
  select.addEventListener('keydown', () => {
    isTyped = true
  })
  select.addEventListener('pointerdown', () => {
    isTyped = false
  })
  select.addEventListener('change', () => {
    clearTimeout(waiting)
    waiting = setTimeout(end, isTyped ? TYPING_MS : 0)
  })
  // The next element has the focus only after this event.
  select.addEventListener('blur', () => setTimeout(end))
}

/** The box with all fields in their groups. @param {Record<string, string[]>} fields */
function makeChoices(fields) {
  const select = document.createElement('select')
  select.append(new Option(NONE, ''))
  for (const [title, names] of Object.entries(fields)) {
    const group = document.createElement('optgroup')
    group.label = title
    group.append(...names.map((name) => new Option(showTarget(name), name)))
    select.append(group)
  }
  return select
}

/** @param {Guess} guess */
function targetOf({ section, name }) {
  if (section === 'fields') return name
  if (isList(section)) return section
  return section === null ? '' : `${section}.${name}`
}

/**
 * `buildings.yearBuilt` → `year built`, `transfers2.transferDate` → `transfer date (2)`.
 * @param {string} target
 */
function showTarget(target) {
  const [section = '', name] = target.split('.')
  if (name === undefined) return showField(section)
  const number = /\d+$/.exec(section)?.[0]
  return number === undefined ? showField(name) : `${showField(name)} (${number})`
}

/** A field that a column feeds, next to its reasons. @param {Node} use @param {Node[]} reasons */
function pair(use, reasons) {
  const line = document.createElement('div')
  line.className = 'use'
  const why = document.createElement('div')
  why.append(...reasons)
  line.append(use, why)
  return line
}

/** Comments and a plain column make no difference. @param {any} one @param {any} other */
function isSame(one, other) {
  const plain = (/** @type {any} */ value) =>
    JSON.stringify(typeof value === 'string' ? { column: value } : value, (key, inner) =>
      key.startsWith('//') ? undefined : inner,
    )
  return plain(one) === plain(other)
}

/** @param {number} share */
function showCertainty(share) {
  const mark = element('b', `${Math.round(share * 100)}\u00a0%`)
  mark.className = share >= 0.85 ? 'good' : share >= SURE ? '' : 'bad'
  return mark
}
