/** Compares the owners and the mailing addresses of two parcels. Pure. */
import type { OwnerHead } from '../../base/model/owner.ts'
import { LEGAL_FORMS } from '../../owner/dictionaries/organization-words.ts'

/**
 * How far two names agree. `sure`: two owners of this name are improbable. `likely`: nothing
 * differs, but several persons may have so short a name.
 */
export type Likeness = 'sure' | 'likely' | 'none'

/** A mailing address in compared form. `street` is `''` when it is unknown. */
export type Mailing = {
  /** Street line and unit. */
  street: string
  /** Five digits, or `''`. */
  zipCode: string
  /** City and state, or `''`. */
  city: string
}

export function compareNames(a: OwnerHead, b: OwnerHead): Likeness {
  if (a.kind !== b.kind || a.head !== b.head) return 'none'
  if (a.kind === 'organization') return compareOrganizations(a, b)
  if (a.rest === '') return 'none'
  // Initials alone (`D / P`) fit many persons.
  if (a.rest === b.rest) return /[ /]/.test(a.rest) && /\w\w/.test(a.rest) ? 'sure' : 'likely'
  return compareCouples(readPersons(a), readPersons(b))
}

/** Returns a head for each surname that both name columns have, with the persons of both. */
export function joinSlots(heads: OwnerHead[]): OwnerHead[] {
  const persons = heads.filter(({ kind, rest }) => kind === 'person' && rest !== '')
  return persons.flatMap((first, at) => {
    const second = persons.slice(at + 1).find(({ head }) => head === first.head)
    if (second === undefined || second.rest === first.rest) return []
    return { ...first, rest: `${first.rest} / ${second.rest}` }
  })
}

/**
 * Reports whether two mailing addresses are the same. Rolls have wrong ZIPs and misspelled cities,
 * so either may differ. Not so the ZIP of a box or rural route, whose numbers repeat in each ZIP.
 */
export function isSameMailing(a: Mailing, b: Mailing): boolean {
  if (a.street === '' || a.street !== b.street) return false
  if (a.zipCode !== '' && a.zipCode === b.zipCode) return true
  if (BOX.test(a.street) && a.zipCode !== '' && b.zipCode !== '') return false
  return a.city !== '' && a.city === b.city
}

/** The canonical key of a box or rural route: no house number, no direction, then its name. */
const BOX = /^\|\|(?:PO BOX|RR|HC|PSC|CMR)\b/

/**
 * Compares organizations with the same first word. Legal forms do not identify an owner, unless
 * nothing else follows that word.
 */
function compareOrganizations(a: OwnerHead, b: OwnerHead): Likeness {
  const name = bare(a.rest)
  if (name !== bare(b.rest)) return 'none'
  if (name !== '') return 'sure'
  if (a.rest === '' || b.rest === '') return 'likely'
  return a.rest === b.rest ? 'sure' : 'none'
}

function bare(rest: string): string {
  return rest
    .split(' ')
    .filter((word) => !LEGAL_FORMS.has(word))
    .join(' ')
}

const readPersons = ({ rest }: OwnerHead) => rest.split(' / ').map((given) => given.split(' '))

/** Two owners of one surname must agree, in either order; one alone is not enough. */
function compareCouples(ours: string[][], theirs: string[][]): Likeness {
  const left = [...theirs]
  const met = ours.flatMap((person) => {
    const at = left.findIndex((other) => isCompatible(person, other))
    const [other] = at < 0 ? [] : left.splice(at, 1)
    if (other === undefined) return []
    const hasName = person.some((word, place) => word.length > 1 && word === other[place])
    return { words: Math.min(person.length, other.length), hasName }
  })
  if (met.length < 2) return 'none'
  const isSure = met.some(({ words }) => words > 1) && met.some(({ hasName }) => hasName)
  return isSure ? 'sure' : 'likely'
}

/** Reports whether given words agree, a middle name with its initial too. Either may have more. */
function isCompatible(a: string[], b: string[]): boolean {
  if (a[0] !== b[0]) return false
  return a.slice(1).every((word, at) => {
    const other = b[at + 1]
    if (other === undefined || word === other) return true
    return (word.length === 1 || other.length === 1) && word[0] === other[0]
  })
}
