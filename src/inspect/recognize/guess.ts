/** Matches columns to fields by their names and values, the most certain first. */
import type { Contents } from '../sample/contents.ts'
import { isParty, isSeveral, scoreAll } from './score.ts'
import type { Subject } from './subject.ts'

/** A field that a column may hold, with certainty from 0 to 1 and the reason. */
export type Guess = {
  /** `parcelId`, `buildings.yearBuilt`, or a part of a field such as `ownerFirst`. */
  field: string
  subject: Subject
  /** 0 to 1. */
  certainty: number
  /** Scores of the name and of the values, 0 to 1. */
  byName: number
  byContents: number
}

/** A guess that a composed value rests on. `by`: the scores of the name and of the values. */
export function guessOf(
  field: string,
  subject: Subject,
  certainty: number,
  [byName, byContents]: [byName: number, byContents: number],
): Guess {
  return { field, subject, certainty, byName, byContents }
}

/**
 * Guesses of at least this certainty are used; doubtful ones are shown, lower ones are not.
 * docs/decisions/inspect.md.
 */
export const SURE = 0.6
/** Guesses below this certainty are not shown. */
export const DOUBTFUL = 0.4

/** The most that values count for a column whose name says nothing. */
const ALONE = 0.7
/** A name that says alone what its column holds. */
const NAMED = 0.9

/** Returns every guess worth showing, the most certain first. */
export function guessAll(subjects: Subject[]): Guess[] {
  const all: Guess[] = []
  for (const subject of subjects) {
    for (const { field, byName, byContents } of scoreAll(subject)) {
      const weight = weigh({ byName, byContents })
      const named = subject.isNameless === true && weight > SURE ? 0.4 + 0.24 * weight : weight
      const isAlternate = field === 'alternateParcelIds'
      const own = isAlternate && byContents < 0.5 ? 0 : alone(field, subject, byName)
      // Values alone never outweigh a name that says so.
      const sum = own === 0 ? named : Math.min(named + own, ALONE)
      const certainty = isAlternate ? Math.max(named, own) : sum
      const isId = field === 'parcelId' && (byContents > 0.6 || byName >= NAMED)
      if (certainty >= DOUBTFUL || isId) {
        all.push({ field, subject, certainty, byName, byContents })
      }
    }
  }
  return promoteOwner(all).sort(
    (a, b) => b.certainty - a.certainty || a.subject.index - b.subject.index,
  )
}

/** Where no column is named as an owner's, the only one of names whose own name says nothing is. */
function promoteOwner(guesses: Guess[]): Guess[] {
  const isOwner = ({ field }: Guess) => field === 'ownerName1' || field === 'ownerLast'
  const found = guesses.filter(isOwner)
  const named = found.filter(({ byName, certainty }) => byName > 0 || certainty >= SURE)
  const isAlone = found.length === 1 && found.every(({ byContents }) => byContents > 0.8)
  const [only, ...others] = isAlone ? found : found.filter(({ byName }) => byName === 0)
  const isNamed = !isAlone && named.length > 0
  if (only === undefined || others.length > 0 || isNamed || isClear(only.subject, guesses))
    return guesses
  return guesses.map((one) => (one === only ? { ...one, certainty: SURE } : one))
}

/** Reports whether a column is surely something else. */
const isClear = (subject: Subject, guesses: Guess[]) =>
  guesses.some((one) => one.subject === subject && one.certainty >= SURE)

/**
 * Assigns one column to each field and one field to each column, the most certain first. A field of
 * several columns takes all that are left.
 *
 * `doubtful`: guesses that were uncertain, or whose field or column was taken. `takesId`: take the
 * likeliest column as the parcel ID when none is certain; otherwise only a column named as an ID.
 */
export function assign(guesses: Guess[], takesId = true): { taken: Guess[]; doubtful: Guess[] } {
  const taken: Guess[] = []
  const doubtful: Guess[] = []
  const fields = new Set<string>()
  const columns = new Set<number>()
  for (const guess of [...guesses].sort((a, b) => rank(b) - rank(a))) {
    if (columns.has(guess.subject.index)) continue
    if (fields.has(guess.field) && !isSeveral(guess.field)) continue
    if (guess.certainty < SURE) {
      if (guess.certainty >= DOUBTFUL) doubtful.push(guess)
      continue
    }
    fields.add(guess.field)
    columns.add(guess.subject.index)
    taken.push(guess)
  }
  if (!fields.has('parcelId') && takesId) takeId(guesses, taken, columns)
  const left = doubtful.filter(
    ({ field, subject }) => !columns.has(subject.index) && !fields.has(field),
  )
  return { taken, doubtful: firstOfEach(left) }
}

/**
 * Takes the likeliest column as the parcel ID, because nothing can be loaded without one. It may be
 * a column named as an ID, even if its values are damaged, never one whose name says something
 * else.
 */
function takeId(guesses: Guess[], taken: Guess[], columns: Set<number>): void {
  const [best] = guesses
    .filter(({ field, byName, subject }) => {
      const isOther = (one: Guess) => one.subject === subject && one.byName >= NAMED
      const isElse = taken.some(isOther) || AMOUNT.test(subject.meaning.words.join())
      return field === 'parcelId' && (byName > 0 || !isElse)
    })
    .sort((a, b) => idRank(b) - idRank(a) || a.subject.index - b.subject.index)
  if (best === undefined) return
  const at = taken.findIndex(({ subject }) => subject.index === best.subject.index)
  if (at >= 0) taken.splice(at, 1)
  taken.push({ ...best, certainty: SURE })
  columns.add(best.subject.index)
}

const AMOUNT = /value|price|amount|area|acres|sqft|date|year/

/** An old ID comes after a column without a name that no row repeats. */
const idRank = ({ certainty, byName, byContents, subject: { meaning } }: Guess) =>
  certainty + byContents / 2 + (byName >= NAMED ? 0.5 : 0) - (isOld(meaning.words) ? 0.3 : 0)
const isOld = (words: readonly string[]) => words.includes('alternate')

/** A half-empty column ranks below a full one; the first of equals wins. */
function rank({ certainty, subject }: Guess): number {
  return certainty - (subject.contents.fill < 0.02 ? 0.12 : 0) - subject.index * 1e-6
}

function firstOfEach(guesses: Guess[]): Guess[] {
  const columns = new Set<number>()
  return guesses.filter(({ subject }) => {
    const isNew = !columns.has(subject.index)
    columns.add(subject.index)
    return isNew
  })
}

/** Weighs what a column's name and its values say for a field. */
export function weigh({ byName, byContents }: Pick<Guess, 'byName' | 'byContents'>): number {
  return byName === 0 ? 0 : byName * (0.3 + 0.7 * byContents)
}

/** Scores fields with unmistakable values for a column whose name is not informative. */
function alone(field: string, subject: Subject, byName: number): number {
  const c = subject.contents
  const isNamed = byName > 0.3 && field !== 'alternateParcelIds'
  if (isNamed || c.texts.length < 20) return 0
  switch (field) {
    case 'address':
      return Math.max(c.address, c.oneLine) > 0.7 && c.uniqueness > 0.3 ? 0.5 : 0
    case 'ownerName1':
      return c.person > 0.6 && c.person + c.organization > 0.8 && c.uniqueness > 0.3 ? 0.52 : 0
    case 'parcelId':
      return isWhole(c) && c.idShape > 0.9 && c.length >= 7 && c.length < 31 ? 0.45 : 0
    case 'alternateParcelIds':
      if (subject.meaning.words.some(isParty) || c.date > 0.5) return 0
      if (c.uniqueness > 0.99 && c.fill > 0.9 && c.idShape > 0.95 && c.numeric < 0.1) return 0.6
      return c.uniqueness > 0.95 &&
        c.fill > 0.5 &&
        c.idShape > 0.95 &&
        c.length >= 6 &&
        c.decimal < 0.05 &&
        isNumbered(subject)
        ? 0.45
        : 0
    case 'ownerCityStateZip':
      return c.cityStateZip > 0.7 ? 0.5 : 0
    case 'latitude':
      return c.decimal > 0.9 && c.low > 17 && c.high < 72 && spanOf(c) < 8 ? 0.42 : 0
    case 'longitude':
      return c.decimal > 0.9 && c.high < -60 && c.low > -180 && spanOf(c) < 12 ? 0.45 : 0
    default:
      return 0
  }
}

const isWhole = (c: Contents) => c.uniqueness > 0.999 && c.fill > 0.99

const isNumbered = ({ meaning }: Subject) =>
  meaning.words.some((word) => word === 'number' || word === 'id' || word === 'key')

const spanOf = (c: Contents) => Math.abs(c.high - c.low)
