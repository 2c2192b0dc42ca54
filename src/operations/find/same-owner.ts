/** Compares the owners and the mailing addresses of two parcels. Pure. */
import type { OwnerHead } from '../../model/owner.ts'
import { LEGAL_FORMS } from '../../owner/dictionaries/organization-words.ts'

/**
 * How far two names agree.
 *
 * `sure`: so many words agree that two owners of this name are improbable. `likely`: nothing
 * differs, but the name is short and several persons may have it.
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

/** Compares two names with the same head. */
export function compareNames(a: OwnerHead, b: OwnerHead): Likeness {
  if (a.rest === '' || a.kind !== b.kind || a.head !== b.head) return 'none'
  if (a.kind === 'organization') return bare(a.rest) === bare(b.rest) ? 'sure' : 'none'
  if (a.rest === b.rest) return /[ /]/.test(a.rest) ? 'sure' : 'likely'
  return compareCouples(readPersons(a), readPersons(b))
}

/**
 * Reports whether two mailing addresses are the same. Rolls have wrong ZIPs and misspelled cities,
 * so either may differ.
 */
export function isSameMailing(a: Mailing, b: Mailing): boolean {
  if (a.street === '' || a.street !== b.street) return false
  if (a.zipCode !== '' && a.zipCode === b.zipCode) return true
  return a.city === b.city && (a.city !== '' || a.zipCode === b.zipCode)
}

/** Removes legal forms, which do not identify an owner. */
function bare(rest: string): string {
  return rest
    .split(' ')
    .filter((word) => !LEGAL_FORMS.has(word))
    .join(' ')
}

const readPersons = ({ rest }: OwnerHead) => rest.split(' / ').map((given) => given.split(' '))

/**
 * Compares joint owners of one surname: two of them must agree, in either order. One person alone
 * is not enough, because the other owners then differ.
 */
function compareCouples(ours: string[][], theirs: string[][]): Likeness {
  const left = [...theirs]
  const met = ours.flatMap((person) => {
    const at = left.findIndex((other) => isCompatible(person, other))
    const [other] = at < 0 ? [] : left.splice(at, 1)
    return other === undefined ? [] : Math.min(person.length, other.length)
  })
  if (met.length < 2) return 'none'
  return met.some((words) => words > 1) ? 'sure' : 'likely'
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
