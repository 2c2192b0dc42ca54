/** Converts a reading into index entries: heads and words. docs/matching.md, owner rule 6. */
import type {
  OwnerHead,
  OwnerIndex,
  OwnersReading,
  Person,
  SlotReading,
} from '../base/model/owner.ts'
import { PARTICLES, START_PARTICLES } from './dictionaries/names.ts'
import { organizationType } from './organizations/organization-type.ts'
import { joinInitials, joinSurname, phrasesAt } from './slot-words.ts'
import { canonicalWord, joinWord, type Word } from './words.ts'

/** Returns the index entries of a reading. No two heads have the same slot, kind and head. */
export function indexOwners(reading: OwnersReading): OwnerIndex {
  const index: OwnerIndex = { heads: [], words: [] }
  for (const slot of reading.slots) {
    addPersons(slot, index.heads)
    addOrganizations(slot, index.heads)
    for (const word of slot.words) index.words.push({ slot: slot.slot, word })
  }
  return index
}

function addPersons(slot: SlotReading, heads: OwnerHead[]): void {
  const [first] = slot.persons
  if (first === undefined && slot.alternates.length === 0) return
  // Fast path: most slots hold one person with a simple surname.
  const isOne = slot.persons.length === 1 && slot.alternates.length === 0
  if (first !== undefined && isOne && first.surname !== '' && !COMPOUND.test(first.surname)) {
    const head = joinSurname([first.surname])
    heads.push({ slot: slot.slot, kind: 'person', head, rest: givenText(first) })
    return
  }
  const persons = new Map<string, string[]>()
  for (const person of [...slot.persons, ...slot.alternates]) {
    const given = givenText(person)
    for (const head of surnameHeads(person.surname)) {
      const known = persons.get(head)
      if (known === undefined) persons.set(head, [given])
      else if (!known.includes(given)) known.push(given)
    }
  }
  for (const [head, given] of persons) {
    heads.push({ slot: slot.slot, kind: 'person', head, rest: given.filter(Boolean).join(' / ') })
  }
}

function addOrganizations(slot: SlotReading, heads: OwnerHead[]): void {
  if (slot.organization === null && slot.otherOrganizations.length === 0) return
  const organizations = new Map<string, string>()
  const names = [slot.organization ?? [], slot.otherOrganizations].flat()
  for (const name of names.flatMap(turnAround)) {
    for (const { head, rest } of organizationHeads(name.split(' '))) {
      const known = organizations.get(head)
      // Two companies with the same first word share a head. If one rest begins the other, the
      // longer is kept, since it answers both; else the first.
      if (known === undefined || rest.startsWith(known)) organizations.set(head, rest)
    }
  }
  if (names.some(isNation)) organizations.set(NATION, '')
  for (const [head, rest] of organizations) {
    heads.push({ slot: slot.slot, kind: 'organization', head, rest })
  }
}

/** The head of a name that `UNITED STATES` begins, written out or, of a government, as `US`. */
export const NATION = 'UNITEDSTATES'
const isNation = (name: string) =>
  /^(?:THE )?UNITED STATES\b/.test(name) ||
  (/^U ?S\b/.test(name) && organizationType(name) === 'government')

/** `HARLOW CITY OF` is found as `CITY OF HARLOW` too. */
export const turnAround = (name: string) =>
  name.endsWith(' OF') ? [name, name.replace(INVERTED, '$2 $1')] : [name]

const INVERTED =
  /^(.+) ((?:CITY|TOWN|VILLAGE|TOWNSHIP|TWP|BOROUGH|COUNTY|PARISH|STATE|COMMONWEALTH|DIOCESE) OF)$/

/** Returns the given words; hyphened ones split and joined: `JEAN PAUL JEANPAUL`. */
function givenText(person: Person): string {
  let text = ''
  for (const word of person.given) {
    const all = word.includes('-') ? `${word.replaceAll('-', ' ')} ${joinWord(word)}` : word
    text = text === '' ? all : `${text} ${all}`
  }
  // `V` may also be an initial, so it is searchable as a given word too.
  if (person.suffix === 'V' && text !== '') text += ' V'
  return text
}

/** Returns the joined forms that find a surname: the whole, and each half of a double surname. */
function surnameHeads(surname: string): string[] {
  if (!COMPOUND.test(surname)) return [joinSurname([surname])]
  const words = surname.split(' ')
  const whole = joinSurname(words)
  const halves = surnameParts(words)
  return halves.length < 2 ? [whole] : [...new Set([whole, ...halves.map(joinSurname)])]
}

const COMPOUND = /[ -]/

/** Splits a surname into its halves. Particles belong to the half that follows them. */
function surnameParts(words: readonly Word[]): Word[][] {
  const parts: Word[][] = []
  let particles: Word[] = []
  const all = words.flatMap((word) => word.split('-'))
  for (const [at, word] of all.entries()) {
    const isParticle = PARTICLES.has(word) || (at === 0 && START_PARTICLES.has(word))
    if (isParticle && at < all.length - 1) particles.push(word)
    else if (word === 'Y' || word === 'E') particles = []
    else {
      parts.push([...particles, word])
      particles = []
    }
  }
  return parts
}

/**
 * Returns the heads that find an organization. A head is the first canonical word of its name.
 *
 * A name that begins with particles or a hyphened word also has its joined form and its first part
 * as heads.
 */
export function organizationHeads(name: readonly Word[]): { head: string; rest: string }[] {
  const words = dropArticle(name)
  const first = words[0]
  if (first === undefined) return []
  const readings: Word[][] = [words]
  if (first.includes('-')) readings.push([...first.split('-'), ...words.slice(1)])
  let end = 0
  while (end < words.length - 1 && PARTICLES.has(words[end] as Word)) end++
  if (end > 0 && (words[end] as Word).length > 1) {
    readings.push([words.slice(0, end + 1).join(''), ...words.slice(end + 1)])
  }
  if (readings.length === 1) {
    const [head = '', ...rest] = organizationWords(words)
    return [{ head, rest: rest.join(' ') }]
  }
  const seen = new Map<string, string>()
  for (const reading of readings) {
    const [head = '', ...rest] = organizationWords(reading)
    if (!seen.has(head)) seen.set(head, rest.join(' '))
  }
  return [...seen].map(([head, rest]) => ({ head, rest }))
}

/** Returns an organization's canonical words: short forms, joined initials, streets, saints. */
function organizationWords(name: readonly Word[]): string[] {
  const words = joinInitials(name).map((word) => organizationWord(joinWord(word)))
  const short = shortenPhrases(words)
  return short.length > 1 && short.at(-1) === 'TR' ? [...short.slice(0, -1), 'TRUST'] : short
}

const organizationWord = (word: string) =>
  word === 'SAINT' || word === 'STREET' ? 'ST' : canonicalWord(word)

/** Replaces phrases by their short form: `LTD LIABILITY CO` becomes `LLC`. */
function shortenPhrases(words: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; ) {
    const [[phrase, short] = [[''], words[at] as string]] = phrasesAt(words, at)
    kept.push(short)
    at += phrase.length
  }
  return kept
}

function dropArticle(name: readonly Word[]): Word[] {
  const start = name[0] === 'THE' && name.length > 1 ? 1 : 0
  const end = name[name.length - 1] === 'THE' && name.length > 2 ? name.length - 1 : name.length
  return name.slice(start, end)
}
