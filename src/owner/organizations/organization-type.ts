/** Classifies organizations by the words of their names. docs/matching.md, owner rule 5. */
import type { OwnerType } from '../../base/model/owner.ts'
import {
  COMPANY_WORDS,
  GOVERNMENT,
  GOVERNMENT_NAME,
  PRIVATE_NAME,
} from '../dictionaries/organization-words.ts'
import { TRUST_ENDS } from './trust.ts'

export function organizationType(name: string): OwnerType {
  const words = name.split(/[^A-Z0-9]+/)
  const isBank = words.includes('BANK')
  const isLandBank = isBank && LAND_BANK.test(name)
  // Red Bank is a borough.
  const isPlace = isLandBank || (isBank && MUNICIPALITY.test(name))
  if (isBank && !isPlace && !NUMBERED_TRUST.test(name)) return 'company'
  if (words.includes('LLC') || words.includes('INC')) return 'company'
  const trust = words.findIndex((word) => TRUST_ENDS.has(word))
  const isTrust =
    trust > 0 || (trust === 0 && /^(?:|OF|NO|NUMBER|UNDER|UW|UA|\d+)$/.test(words[1] ?? ''))
  if (isTrust && words[trust + 1] !== 'CO' && words[trust + 1] !== 'COMPANY') return 'trust'
  if (CLOSING_TRUST.test(name)) return 'trust'
  if (isLandBank || SCHOOL_CORP.test(name)) return 'government'
  if (words.some((word) => COMPANY_WORDS.has(word))) return 'company'
  const isPublic = words.some((word) => GOVERNMENT.has(word)) || GOVERNMENT_NAME.test(name)
  return isPublic && !PRIVATE_NAME.test(name) ? 'government' : 'company'
}

/** A public land bank, unlike a Federal Land Bank of farm credit. */
const LAND_BANK = /(?<!\bFED(?:ERAL)? )\bLAND BANK(?:$| (?:AUTH|COMM|CORP|FAST|OF\b))/

/** A school district of Indiana. */
const SCHOOL_CORP = /\b(?:AREA|CITY|COMM|COMMUNITY|CONS[A-Z]*|COUNTY|METRO[A-Z]*) SCHOOLS? CORP/

const MUNICIPALITY = /^(?:CITY|TOWN|VILLAGE|BOROUGH|BORO|TOWNSHIP|TWP) OF [A-Z]+ BANK$/

/** A land trust that a bank holds by number: `HARLOW BANK TRUST 4471`. */
const NUMBERED_TRUST = /\bTR(?:UST)?(?: NO| NUMBER)? \d+(?:-\d+)?$|\bLAND TRUST\b/

/** Matches a closing `TR`, and `REVOCABLE` where the roll truncated it or what follows. */
const CLOSING_TRUST =
  /\bTR(?: (?:[A-D]$|\d{1,2}$|UTA|UA|UTD|UDT|UAD|DTD|DATED|AGREEMENT)\b.*)?$|\b(?:IR)?REVOC[A-Z]*$/
