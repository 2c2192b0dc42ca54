/**
 * Drafts the parcel ID: one column, or several that together identify a row. Warns of IDs that a
 * spreadsheet damaged or that repeat.
 */

import { isRounded } from '../../import/mapping/clean.ts'
import { DamagedIds } from '../../import/report/damaged-ids.ts'
import { type Guess, guessOf } from '../recognize/guess.ts'
import type { Subject } from '../recognize/subject.ts'
import { type Contents, shareOf } from '../sample/contents.ts'
import type { Sample } from '../sample/sample.ts'
import { findMunicipality, isWithin, MUNICIPAL } from './compose-scope.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'

/**
 * Columns that together identify a row. `uniqueness`: distinct values per kept row, from 0 to 1.
 */
type ComposedId = {
  subjects: Subject[]
  uniqueness: number
  /** Text between the values. */
  between: string
}

/** Smallest share of rows that a composed ID must distinguish. */
const UNIQUE_MIN = 0.9
/** A column whose name scores this high as an ID is taken even if its values repeat. */
const NAMED = 0.5
/** Uniqueness that a further column must add to become part of the ID. */
const GAIN = 0.005

/**
 * Finds columns that together identify a row: plat and lot, block and lot, address and unit.
 *
 * `undefined` when a column is named as an ID, or when no columns distinguish the rows. When
 * municipalities number their own parcels, rows are compared within each.
 */
export function findComposedId(
  subjects: Subject[],
  guesses: Guess[],
  sample: Sample,
  state: string | undefined,
): ComposedId | undefined {
  const municipality = findMunicipality(subjects)
  const isMunicipal = municipality !== undefined && MUNICIPAL.has(state ?? '')
  // A major and a minor number are nothing else than a parcel's ID.
  const hasOwn = compose(MAJOR_MINOR, subjects, sample, municipality) !== undefined
  const ids = guesses.filter((guess) => !(isMunicipal || hasOwn) || !isAccount(guess))
  const isNamed = ids.some(
    ({ field, byName, byContents }) =>
      field === 'parcelId' && byName >= NAMED && byContents > NAMED / 2,
  )
  if (isNamed) return undefined
  const own = ids
    .filter(
      ({ field, byName, byContents }) => field === 'parcelId' && byContents > 0.6 && byName > 0,
    )
    .map(({ subject }) => subject.contents.uniqueness)
  const least = Math.max(UNIQUE_MIN, ...own.map((one) => one + GAIN))
  return RECIPES.map((recipe) => compose(recipe, subjects, sample, municipality))
    .filter((one) => one !== undefined)
    .find(({ uniqueness }) => uniqueness >= least)
}

/** A bill's account is no parcel's ID where municipalities number blocks and lots. */
export const isAccount = ({ field, subject: { meaning } }: Guess) =>
  field === 'parcelId' && meaning.words.every((word) => word === 'account' || word === 'number')

type Part = { name: RegExp; isNeeded: boolean; isAlways?: boolean }
type Recipe = { parts: Part[]; between: string }

const needed = (name: RegExp): Part => ({ name, isNeeded: true })
const further = (name: RegExp): Part => ({ name, isNeeded: false })

const MAJOR_MINOR: Recipe = { parts: [needed(/^MAJOR$/), needed(/^MINOR$/)], between: '' }

/** In order of preference. Names are compared by letters and digits only. */
const RECIPES: Recipe[] = [
  MAJOR_MINOR,
  {
    parts: [
      further(/^(?:TAX)?(?:MAP|SHEET|SECTION)(?:NO|NUM|NUMBER)?$/),
      needed(/^(?:TAX|PROP|PCL)?(?:BLOCK|BLK)(?:NO|NUM|NUMBER)?$/),
      needed(/^(?:TAX|PROP|PCL)?LOT(?:NO|NUM|NUMBER)?$/),
      // New Jersey's qualifier is of the ID wherever it is filled.
      { ...further(/^(?:QUAL|QUALIFIER|QCODE|QUALCODE)$/), isAlways: true },
      further(/^(?:SUBLOT|LOTEXT|LOTEXTENSION|UNITNO|UNIT|CONDO)$/),
    ],
    between: '-',
  },
  {
    parts: [
      needed(/^(?:TAX)?MAP(?:NO|NUM|NUMBER)?$/),
      needed(/^(?:TAX)?(?:LOT|PARCEL)(?:NO|NUM|NUMBER)?$/),
      further(/^(?:SUBLOT|LOTEXT|UNITNO|UNIT|CONDO)$/),
    ],
    between: '-',
  },
]

function compose(
  { parts, between }: Recipe,
  subjects: Subject[],
  sample: Sample,
  municipality: Subject | undefined,
): ComposedId | undefined {
  const found: Subject[] = []
  const optional: Subject[] = []
  for (const { name, isNeeded, isAlways } of parts) {
    const subject = subjects.find((one) =>
      name.test(one.name.toUpperCase().replace(/[^A-Z0-9]/g, '')),
    )
    if (subject === undefined) {
      if (isNeeded) return undefined
    } else if (isNeeded || (isAlways && subject.contents.texts.length > 0)) found.push(subject)
    else optional.push(subject)
  }
  let chosen = found
  let uniqueness = uniquenessOf(chosen, sample, municipality)
  for (const one of optional) {
    const wider = [...chosen, one].toSorted((a, b) => a.index - b.index)
    const share = uniquenessOf(wider, sample, municipality)
    if (share < uniqueness + GAIN) continue
    chosen = wider
    uniqueness = share
  }
  return { subjects: chosen, uniqueness, between }
}

/** Address and unit are the last resort: both change more often than a parcel does. */
export function composeAddressId(builder: DraftBuilder): ComposedId | undefined {
  const line = builder.look('address')
  if (line === undefined) return undefined
  const unit = builder.look('unitNumberStripped')
  const subjects = [line, ...(unit === undefined ? [] : [unit])].map(({ subject }) => subject)
  const municipality = findMunicipality(builder.subjects)
  const uniqueness = uniquenessOf(subjects, builder.sample, municipality)
  return uniqueness < UNIQUE_MIN ? undefined : { subjects, uniqueness, between: ' ' }
}

/** Returns distinct combinations per kept row that has one. */
function uniquenessOf(
  subjects: Subject[],
  sample: Sample,
  municipality: Subject | undefined,
): number {
  const columns = municipality === undefined ? subjects : [municipality, ...subjects]
  const texts = sample.kept
    .map((row) => columns.map(({ index }) => (row[index] ?? '').trim().toUpperCase()))
    .filter((values) => values.some((text) => text !== ''))
    .map((values) => values.join('\n'))
  return texts.length === 0 ? 0 : new Set(texts).size / texts.length
}

/** Describes a composed ID, for its reason and as a warning. */
export function describeComposed({ subjects, uniqueness }: ComposedId): string {
  const names = subjects.map(({ name }) => name).join(', ')
  const share = uniqueness === 1 ? 'all' : percent(Math.min(0.999, uniqueness))
  return (
    `no column is a parcel ID: ${names} together are unique in ${share} of the rows ` +
    'that were kept'
  )
}

export function composeIds(builder: DraftBuilder, composed: ComposedId | undefined): void {
  if (composed === undefined) builder.take('parcelId')
  else putComposed(builder, composed)
  const id = builder.look('parcelId')?.subject
  for (const guess of builder.all('alternateParcelIds')) {
    // `0012` of `46-09-0040-0012-0000` is a part of the ID.
    const isShort = id !== undefined && guess.subject.contents.length < 6
    if (isShort && shareOf(builder.sample.kept, isWithin(id, guess.subject)) > 0.9) continue
    const zeros = guess.subject.contents.zero > 0.01 ? { nulls: ['0'] } : {}
    builder.put(`alternateParcelIds.${guess.subject.name}`, guess, zeros)
  }
  builder.take('taxAccountNumber', 'jurisdiction', 'ward', 'siteCensusTract', 'neighborhood')
}

function putComposed(builder: DraftBuilder, composed: ComposedId): void {
  const { subjects, between } = composed
  const guesses = subjects.map((subject) => guessOf('parcelId', subject, 0.75, [0.75, 0.8]))
  const join = subjects.map(({ name }) => name)
  const [only] = join
  const value = join.length === 1 && only !== undefined ? only : { join, with: between }
  builder.add('parcelId', value, guesses, describeComposed(composed))
}

/** Returns warnings about the column of parcel IDs. `name`: the column's name in the file. */
export function warnOfIds(name: string, { texts, values, uniqueness }: Contents): string[] {
  const rounded = texts.filter(isRounded)
  if (rounded.length > 0) {
    return [
      `${name}: ${percent(rounded.length / texts.length)} of the parcel IDs are rounded ` +
        `(${rounded[0]}): a spreadsheet has opened the file and saved it, and their last ` +
        'digits are gone. Such rows are rejected; ask for the file as it was',
    ]
  }
  const damaged = new DamagedIds()
  for (const text of values) damaged.add(text)
  const repeats =
    uniqueness > 0.99
      ? []
      : [
          `${name}: about ${percent(1 - uniqueness)} of the rows repeat a parcel ID of ` +
            'another; see repeats',
        ]
  return [...damaged.list(name), ...repeats]
}
