/** Collects the unused guesses and the entries of a draft. */
import { columnsOf, ruleOf } from '../../import/mapping/expression.ts'
import { MAPPED_PARCEL, MAPPED_TRANSFER } from '../../import/mapping/fields.ts'
import type { Value } from '../../import/mapping/mapping.ts'
import { DOUBTFUL, type Guess, SURE } from '../recognize/guess.ts'
import { scaleOf } from '../recognize/name-words.ts'
import type { Subject } from '../recognize/subject.ts'
import type { Sample } from '../sample/sample.ts'

/** Lists of a mapping with entries of their own. `transfers2` and later are further sets. */
export type Section =
  | 'fields'
  | 'alternateParcelIds'
  | `${'buildings' | 'transfers'}${'' | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9}`

/** One line of the draft. */
export type Entry = {
  section: Section
  name: string
  value: Value
  /** 0 to 1; below `SURE` the entry is commented out. */
  certainty: number
  why: string
  columns: string[]
}

/** A reason that limits how certain an entry is, 0 to 1. */
type Limit = { why: string; most: number }

/** Collects the rules of a draft, each with its certainty and reason. */
export class DraftBuilder {
  readonly sample: Sample
  readonly subjects: Subject[]
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly entries: Entry[] = []
  readonly #guesses: Map<string, Guess[]>
  readonly #doubtful: Guess[]
  readonly #from = new Map<Entry, Guess[]>()

  constructor(
    sample: Sample,
    subjects: Subject[],
    today: string,
    found: { taken: Guess[]; doubtful: Guess[] },
  ) {
    this.sample = sample
    this.subjects = subjects
    this.today = today
    this.#guesses = Map.groupBy(found.taken, ({ field }) => field)
    this.#doubtful = found.doubtful
  }

  /** Returns the column taken for a field or a part of one. */
  look(field: string): Guess | undefined {
    return this.#guesses.get(field)?.[0]
  }

  all(field: string): Guess[] {
    return this.#guesses.get(field) ?? []
  }

  /** Moves a field's column to another field. */
  move(from: string, to: string): void {
    const guesses = this.#guesses.get(from)
    if (guesses === undefined) return
    this.#guesses.delete(from)
    this.#guesses.set(to, guesses)
  }

  /** Uses the columns of some fields unchanged. */
  take(...paths: readonly string[]): void {
    for (const path of paths) this.put(path, this.look(path))
  }

  /**
   * Uses a column for the field at a path, as `buildings.yearBuilt`. `rule`: further properties of
   * the mapping's value.
   */
  put(path: string, guess: Guess | undefined, rule: object = {}, note = ''): void {
    if (guess === undefined) return
    const { name: column, contents } = guess.subject
    const own = contents.sentinels.length > 0 && contents.numeric > 0.9 ? contents.sentinels : []
    const nulls = [...('nulls' in rule ? (rule.nulls as string[]) : []), ...own]
    const steps = nulls.length === 0 ? rule : { ...rule, nulls }
    const value = Object.keys(steps).length === 0 ? column : { column, ...steps }
    const why = own.length === 0 ? note : `${own.join(', ')} mean unknown`
    this.add(path, value, [guess], why)
  }

  /**
   * Adds an entry made from one or several columns. Its certainty is the lowest of theirs, which
   * `note` may limit further.
   */
  add(path: string, plain: Value, from: Guess[], note: string | Limit = ''): void {
    const { why: reason, most } = typeof note === 'string' ? { why: note, most: 1 } : note
    const certainty = Math.min(most, ...from.map((guess) => guess.certainty))
    const reasons =
      from.length > 1
        ? from.map((guess) => `${guess.subject.name}: ${explain(guess)}`)
        : from.map(explain)
    const why = [...reasons, reason].filter((text) => text !== '').join('; ')
    const columns = columnsIn(plain)
    const place = placeOf(path)
    const [times = 1, ...others] = new Set(columns.map(scaleOf))
    const isScaled = times > 1 && others.length === 0 && isMoney(place)
    const value = isScaled ? { ...ruleOf(plain), times } : plain
    const entry = { ...place, value, certainty, why, columns }
    this.entries.push(entry)
    this.#from.set(entry, from)
  }

  guessesOf(entry: Entry): Guess[] {
    return this.#from.get(entry) ?? []
  }

  /** Takes an entry back. */
  drop(path: string): void {
    const entry = this.entry(path)
    if (entry !== undefined) this.entries.splice(this.entries.indexOf(entry), 1)
  }

  /** Returns the first entry of a field, however certain. */
  entry(path: string): Entry | undefined {
    const { section, name } = placeOf(path)
    return this.entries.find((one) => one.section === section && one.name === name)
  }

  /** The names of the columns that an entry reads, however certain. */
  usedColumns(): Set<string> {
    return new Set(this.entries.flatMap(({ columns }) => columns))
  }

  has(path: string): boolean {
    const { section, name } = placeOf(path)
    return this.entries.some(
      (entry) => entry.section === section && entry.name === name && entry.certainty >= SURE,
    )
  }

  /** Adds uncertain guesses for fields without a certain one, commented out. */
  addDoubtful(sectionOf: (field: string) => { section: Section; name: string } | undefined): void {
    const shown = new Set<string>()
    for (const guess of this.#doubtful) {
      const place = sectionOf(guess.field)
      const key = `${place?.section}.${place?.name}`
      if (place === undefined || this.has(key)) continue
      if (shown.has(key) && place.section !== 'alternateParcelIds') continue
      shown.add(key)
      const certainty = Math.min(SURE - 0.01, Math.max(DOUBTFUL, guess.certainty))
      this.add(key, guess.subject.name, [{ ...guess, certainty }])
    }
  }
}

/** The section and the name of a path; a name alone is one of `fields`. */
function placeOf(path: string): { section: Section; name: string } {
  const [, section = 'fields', name = path] = /^(\w+?)\.(.*)$/s.exec(path) ?? []
  return { section: section as Section, name }
}

function isMoney({ section, name }: { section: Section; name: string }): boolean {
  const field = (section.startsWith('transfers') ? MAPPED_TRANSFER : MAPPED_PARCEL)[name]
  return field?.reading === 'money' || field?.reading === 'cents'
}

/** The columns of a value with all their names, but for that of its unit. */
export const columnsIn = (value: Value): string[] => columnsOf(value).flat()

/** Returns a short reason why a column was taken for a field. */
function explain({ subject, byName, byContents }: Guess): string {
  const reason = byName >= 0.9 ? 'its name says so' : byName >= 0.5 ? 'its name is near' : ''
  const name = subject.isNameless === true ? 'it has no name' : reason
  const { texts, fill } = subject.contents
  const values =
    texts.length === 0
      ? 'it has no values'
      : byContents >= 0.8
        ? 'its values are of that kind'
        : byContents >= 0.4
          ? 'its values may be of that kind'
          : 'its values hardly look like it'
  const full = fill < 0.1 && texts.length > 0 ? `filled in ${percent(fill)} of rows` : ''
  return [name, values, full, subject.note ?? ''].filter((text) => text !== '').join(', ')
}

/** Formats a share from 0 to 1 in whole per cent; `< 1 %` when it would round to zero. */
export const percent = (share: number) =>
  share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`
