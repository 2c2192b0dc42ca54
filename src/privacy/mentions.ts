/**
 * Hides suppressed people and homes that another person's parcel names: as care-of, grantor or
 * grantee, or as the mailing address. For imports, rewriting, and the last filter.
 */
import { canonicalAddress } from '../address/canonical.ts'
import type { NameOrder } from '../base/model/owner.ts'
import { indexOwners, readOwners } from '../owner/canonical.ts'
import { LEGAL_FORMS, STRONG, TRUST_WORDS, WEAK } from '../owner/dictionaries/organization-words.ts'
import { cutCareOf } from '../owner/signs/care-of.ts'
import { canonicalWord, joinWord, readWords, SEPARATORS } from '../owner/words.ts'
import { NAMING_FIELDS, type Parcel } from '../record/parcel.ts'
import { openFields } from '../record/stored.ts'
import { Recent } from '../store/keep-recent.ts'
import { encodeOwners } from '../store/parcel-keys.ts'
import { HIDDEN, hideRepeats } from './hide-fields.ts'
import type { Matcher } from './matcher.ts'
import { SURNAME_WORDS } from './other-readings.ts'

/** Where the parcel is. `fips`: its county. */
type Place = { state: string; fips: number }

type Mentions = Pick<Parcel, (typeof NAMING_FIELDS)[number]>
const readMentions = openFields(NAMING_FIELDS)

/** Fields of the mailing address. */
const MAILING = [
  ...(['ownerStreet', 'ownerCity', 'ownerState', 'ownerZipCode'] as const),
  ...(['ownerZipCodePlusFour', 'ownerCountry', 'ownerOccupied'] as const),
]

/** A name is read in both orders, because a deed may write it in another order than the roll. */
const ORDERS: NameOrder[] = ['last-first', 'first-last']

export type MentionHider = ReturnType<typeof openMentions>

/** `match`: matches the suppressions in force. */
export function openMentions(match: Matcher) {
  const isPerson = openPersonTest(match)
  const isHome = openHomeTest(match)

  function hiddenCareOf(slot: string | null, place: Place, zip: string | null): string | null {
    const careOf = slot === null ? null : cutCareOf(slot).careOf
    return isPerson(careOf, place, zip) ? careOf : null
  }

  function namedIn(parcel: Mentions, place: Place): string[] {
    const { careOf, transfers, zipCode, ownerName, ownerName2 } = parcel
    const named: string[] = []
    const look = (text: string | null) => {
      // Skips the owner's own name, which most newest deeds repeat: the parcel's keys have it.
      if (text === null || text === ownerName || text === ownerName2) return
      if (isPerson(text, place, zipCode)) named.push(text)
    }
    look(careOf)
    for (const { grantor, grantee } of transfers) {
      look(grantor)
      look(grantee)
    }
    const inName = hiddenCareOf(ownerName, place, zipCode)
    const inName2 = hiddenCareOf(ownerName2, place, zipCode)
    if (inName !== null) named.push(inName)
    if (inName2 !== null) named.push(inName2)
    return named
  }

  return {
    /** Reports whether a record names a suppressed person or home; 2 µs for most records. */
    isNamed(fieldValues: string, place: Place) {
      const parcel = readMentions(fieldValues)
      return isHome(parcel, place) || namedIn(parcel, place).length > 0
    },
    /** Hides those texts and their copies; returns whether there were any. */
    hide(parcel: Parcel, place: Place) {
      const named = namedIn(parcel, place)
      const home = isHome(parcel, place) ? parcel.ownerStreet : null
      if (named.length === 0 && home === null) return false
      for (const slot of ['ownerName', 'ownerName2'] as const) {
        if (hiddenCareOf(parcel[slot], place, parcel.zipCode) === null) continue
        parcel[slot] = cutCareOf(parcel[slot] ?? '').name || null
      }
      emptyFields(parcel, named, home)
      return true
    },
  }
}

type PersonTest = (text: string | null, place: Place, zip: string | null) => boolean

function openPersonTest(match: Matcher): PersonTest {
  if (!match.kinds.has('owner')) return () => false
  /** Encoded owners that a text may be read as; consecutive rows often have the same names. */
  const recent = new Recent<string[]>()

  function ownersOf(text: string, orders: readonly NameOrder[]): string[] {
    const known = recent.get(text)
    if (known !== undefined) return known
    const { name, careOf } = cutCareOf(text)
    const read = [name, careOf ?? ''].flatMap((one) =>
      one === ''
        ? []
        : orders.map((order) => encodeOwners(indexOwners(readOwners([one, null], order)))),
    )
    recent.set(text, read)
    return read
  }

  return (text, place, zip) => {
    if (text === null) return false
    const orders = ordersToRead(text, match)
    if (orders.length === 0) return false
    const none = { municipality: '', strippedKey: '', situs: [], zip: zip ?? '' }
    const isHidden = (owners: string) =>
      (match({ ...place, ...none, owners }) & (HIDDEN.owner | HIDDEN.all)) !== 0
    return ownersOf(text, orders).some(isHidden)
  }
}

function openHomeTest(match: Matcher): (parcel: Mentions, place: Place) => boolean {
  if (!match.kinds.has('address')) return () => false
  return ({ ownerStreet, ownerCity: city, ownerState, ownerZipCode: zip }, place) => {
    if (ownerStreet === null) return false
    const state = ownerState ?? place.state
    // For another state only suppressions that hold for the whole state can be compared.
    const fips = state === place.state ? place.fips : 0
    const { key, unitKey } = canonicalAddress(ownerStreet, { state, fips, city, zip })
    if (key === '') return false
    const none = { municipality: '', strippedKey: '', owners: '', zip: zip ?? '' }
    const bits = match({ ...none, state, fips, situs: [{ key, unitKey }] })
    return (bits & (HIDDEN.address | HIDDEN.all)) !== 0
  }
}

/** Empties the fields that hold a `named` text or the mailing address `home`, and copies. */
function emptyFields(parcel: Parcel, named: readonly string[], home: string | null): void {
  const open = (text: string | null) => (text !== null && named.includes(text) ? null : text)
  parcel.careOf = open(parcel.careOf)
  parcel.transfers = parcel.transfers.map((transfer) => ({
    ...transfer,
    grantor: open(transfer.grantor),
    grantee: open(transfer.grantee),
  }))
  if (home !== null) for (const name of MAILING) parcel[name] = null
  const texts = home === null ? [...named] : [...named, home]
  hideRepeats(parcel, texts, texts)
  const kinds = [...(named.length > 0 ? ['owner'] : []), ...(home === null ? [] : ['address'])]
  parcel.suppressed = [...new Set([...parcel.suppressed, ...kinds])].sort().reverse()
}

/** A text with more words is read without this test. */
const WORDS_MAX = 12
const ORGANIZATION_WORDS: ReadonlySet<string> = new Set(
  [LEGAL_FORMS, STRONG, WEAK, TRUST_WORDS].flatMap((words) => [...words]),
)

/**
 * Returns the orders in which to read a text; none unless two words are the surname and given name
 * of a suppressed person. Takes 3 µs, each reading 20. Organizations are always read.
 */
function ordersToRead(text: string, match: Matcher): readonly NameOrder[] {
  const recorded = readWords(text).filter((whole) => whole.length > 1 || !SEPARATORS.has(whole))
  if (recorded.length < 2 || recorded.length > WORDS_MAX) return ORDERS
  if (recorded.some((word) => ORGANIZATION_WORDS.has(word))) return ['mixed']
  return hasPerson(recorded, match) ? ORDERS : []
}

/** Reports whether any words are the surname and given name of a person who may be suppressed. */
function hasPerson(recorded: readonly string[], match: Matcher): boolean {
  const words = recorded.map(joinWord)
  for (let from = 0; from < words.length; from += 1) {
    let surname = ''
    let short = ''
    const end = Math.min(words.length, from + SURNAME_WORDS)
    for (let to = from; to < end; to += 1) {
      const word = words[to] as string
      surname += word
      short += canonicalWord(word)
      const others = { recorded, words, from, to }
      if (isMet(match.personsOf(surname), others)) return true
      if (short !== surname && isMet(match.personsOf(short), others)) return true
    }
  }
  return false
}

/** Words of a cell that are compared; cells that are joined, for a name or address in parts. */
const CELL_WORDS = 24
const JOINED_CELLS = 3
const STREET_LINE = /^\d{1,6}\b.*[a-z]{2}/i

/** Returns the test whether cells of a rejected row may name somebody suppressed anywhere. */
export function openRowTest(match: Matcher): (row: readonly string[] | string) => boolean {
  const isPerson = openPersonTest(match)
  const isNamed = (text: string) => {
    const words = readWords(text).slice(0, CELL_WORDS)
    if (words.length < 2 || !hasPerson(words, match)) return false
    return !match.isHashed || isPerson(text, NOWHERE, null)
  }
  const isHome = (text: string) => {
    if (!STREET_LINE.test(text)) return false
    const { key, unitKey } = canonicalAddress(text, NOWHERE)
    return match.isHome(key, unitKey)
  }
  return (row) => {
    const cells = typeof row === 'string' ? row.split(/[,;\t|"]/) : row
    return cells.some((_, at) => {
      for (let count = 1; count <= JOINED_CELLS; count += 1) {
        const text = cells
          .slice(at, at + count)
          .join(' ')
          .trim()
        if (match.kinds.has('owner') && isNamed(text)) return true
        if (match.kinds.has('address') && isHome(text)) return true
      }
      return false
    })
  }
}
const NOWHERE = { state: '', fips: 0 }

/** The words of a name, of which `from` to `to` are taken as the surname. */
type Others = { recorded: readonly string[]; words: readonly string[]; from: number; to: number }

/** Reports whether any other word is the given name of a person who may be suppressed. */
function isMet(mayBe: (given: string) => boolean, { recorded, words, from, to }: Others): boolean {
  if (mayBe('')) return true
  for (let at = 0; at < words.length; at += 1) {
    if (at >= from && at <= to) continue
    const [whole, word] = [recorded[at] as string, words[at] as string]
    if (mayBe(word)) return true
    // Each part of `MARY-ANN` may also be a given name.
    if (word !== whole && whole.split(/[-./]/).some(mayBe)) return true
  }
  return false
}
