/** Hides the fields of a parcel that a suppression matches. */
import { COVERAGE_FIELDS, type CoverageField } from '../base/model/coverage.ts'
import type { Suppressible } from '../record/fields.ts'
import { blankParcel, type Parcel, STORED_FIELDS } from '../record/parcel.ts'
import type { OwnerNames } from './matcher.ts'
import { SURNAME_WORDS } from './other-readings.ts'

/** What is hidden, as a sum of bits. `all`: the parcel itself. */
export const HIDDEN = { none: 0, owner: 1, address: 2, all: 4 } as const

/** Fields that each kind of suppression hides, and their values afterwards. */
const OWNER_FIELDS = listHidden('owner')
const ADDRESS_FIELDS = listHidden('address')
const BLANK = blankParcel('', 0)

/** Hidden texts that alone identify a person or a home. */
const IDENTIFYING_OWNER_FIELDS = ['ownerName', 'ownerName2', 'careOf', 'ownerStreet'] as const
const IDENTIFYING_ADDRESS_FIELDS = [
  ...(['address', 'addressRaw', 'alternateAddresses', 'ownerStreet'] as const),
]
/** Free texts written by an office. */
const REMARKS = [
  ...(['legalDescription', 'subdivision', 'neighborhood', 'landmark'] as const),
  ...(['historicDistrict', 'propertyUseDescription', 'zoningDescription'] as const),
  ...(['block', 'lot', 'section', 'jurisdiction', 'schoolDistrict'] as const),
]

/**
 * Hides what the bits say, and copies of it in texts and columns of `extra`; notes it in
 * `suppressed`. `names`: from `namesOf`; texts with a surname alone are hidden too.
 */
export function hideFields(parcel: Parcel, bits: number, names: OwnerNames): void {
  const fields = [
    ...(bits & HIDDEN.owner ? OWNER_FIELDS : []),
    ...(bits & HIDDEN.address ? ADDRESS_FIELDS : []),
  ]
  const hidden = fields.flatMap((name) => wordsOf(parcel[name]))
  const telling = [
    ...(bits & HIDDEN.owner ? IDENTIFYING_OWNER_FIELDS : []),
    ...(bits & HIDDEN.address ? IDENTIFYING_ADDRESS_FIELDS : []),
  ].flatMap((name) => wordsOf(parcel[name]))
  if (bits & HIDDEN.owner) {
    hidden.push(...names.full)
    telling.push(...names.full)
  }
  for (const name of fields) Object.assign(parcel, { [name]: structuredClone(BLANK[name]) })
  if (bits & HIDDEN.owner) {
    parcel.transfers = parcel.transfers.map((transfer) => {
      hidden.push(...wordsOf(transfer.grantor), ...wordsOf(transfer.grantee))
      return { ...transfer, grantor: null, grantee: null }
    })
  }
  removeRepeats(parcel, hidden, telling)
  if (bits & HIDDEN.owner) removeSurnames(parcel, new Set(names.surnames))
  const before = parcel.suppressed
  parcel.suppressed = [
    ...(bits & HIDDEN.owner || before.includes('owner') ? ['owner'] : []),
    ...(bits & HIDDEN.address || before.includes('address') ? ['address'] : []),
  ]
}

/** Removes columns of `extra` that repeat `hidden`, and remarks that repeat `telling`. */
export function hideRepeats(parcel: Parcel, hidden: string[], telling: string[]): void {
  removeRepeats(parcel, hidden.flatMap(wordsOf), telling.flatMap(wordsOf))
}

/** Both lists in the form of `wordsOf`. */
function removeRepeats(parcel: Parcel, hidden: string[], telling: string[]): void {
  const kept = Object.entries(parcel.extra).filter(([name, text]) => {
    const own = wordsOf(text)
    const isRepeat = hidden.some((words) => own.some((one) => isSameText(one, words)))
    return !/^ownerName[12]$/.test(name) && !isRepeat
  })
  parcel.extra = Object.fromEntries(kept)
  for (const name of REMARKS) {
    if (wordsOf(parcel[name]).some((own) => telling.some((one) => repeats(own, one)))) {
      parcel[name] = null
    }
  }
}

/** Removes columns of `extra` and remarks that have one of the joined surnames. */
function removeSurnames(parcel: Parcel, surnames: ReadonlySet<string>): void {
  const kept = Object.entries(parcel.extra).filter(([, text]) => !hasSurname(text, surnames))
  parcel.extra = Object.fromEntries(kept)
  for (const name of REMARKS) if (hasSurname(parcel[name], surnames)) parcel[name] = null
}

/** Compares up to three words together, as a surname may have: `VAN DER BERG`, `O'BRIEN`. */
function hasSurname(text: unknown, surnames: ReadonlySet<string>): boolean {
  if (typeof text !== 'string' || surnames.size === 0) return false
  const folded = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  // `HARLOW'S` and `HARLOWS` name the family too.
  const words = folded.match(/[A-Z0-9]+/g) ?? []
  return words.some((_, at) => {
    let joined = ''
    return words.slice(at, at + SURNAME_WORDS).some((word) => {
      joined += word
      return surnames.has(joined) || (joined.endsWith('S') && surnames.has(joined.slice(0, -1)))
    })
  })
}

/** A text's words in one line; none below four characters: such texts occur in every column. */
function wordsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(wordsOf)
  if (typeof value !== 'string') return []
  const words = value.toUpperCase().match(/[A-Z0-9]+/g) ?? []
  return words.join(' ').length < 4 ? [] : [words.join(' ')]
}

/** Reports whether one text repeats the other, or has all its words in another order. */
function isSameText(one: string, other: string): boolean {
  if (` ${one} `.includes(` ${other} `) || ` ${other} `.includes(` ${one} `)) return true
  return repeats(one, other)
}

/** Reports whether a text contains all words of one that has at least two. */
function repeats(own: string, other: string): boolean {
  const [words, others] = [new Set(own.split(' ')), other.split(' ')]
  return others.length > 1 && others.every((word) => words.has(word))
}

/** The fields that a record's suppressions hide, with its polygon. */
export function hiddenFieldsOf(suppressed: readonly string[]): ReadonlySet<string> {
  const fields = [
    ...(suppressed.includes('owner') ? OWNER_FIELDS : []),
    ...(suppressed.includes('address') ? [...ADDRESS_FIELDS, 'geometry'] : []),
  ]
  return new Set(fields)
}

function listHidden(by: Suppressible): (keyof Parcel)[] {
  return STORED_FIELDS.flatMap(([name, { hiddenWith }]) => (hiddenWith.includes(by) ? [name] : []))
}

const OWNER_BITS = bitsOf('owner', 'mailingAddress')
const ADDRESS_BITS = bitsOf(
  'address',
  'coordinates',
  'city',
  'zipCode',
  'geometry',
  'mailingAddress',
)

/** Returns the remaining bits of `parcels.filled`. `isUnmailed`: without a mailing address. */
export function filledAfter(filled: number, bits: number, isUnmailed: boolean): number {
  const without =
    (bits & HIDDEN.owner ? OWNER_BITS : 0) |
    (bits & HIDDEN.address ? ADDRESS_BITS : 0) |
    (isUnmailed ? bitsOf('mailingAddress') : 0)
  return filled & ~without
}

function bitsOf(...fields: CoverageField[]): number {
  return fields.reduce((bits, field) => bits | (1 << COVERAGE_FIELDS.indexOf(field)), 0)
}
