/** Classifies organizations by the words of their names. docs/matching.md, owner rule 5. */
import type { OwnerType } from '../../base/model/owner.ts'
import { COMPANY_WORDS, GOVERNMENT, GOVERNMENT_NAME } from '../dictionaries/organization-words.ts'
import { TRUST_ENDS } from './trust.ts'

/** Returns the type of an organization from its folded name. */
export function organizationType(name: string): OwnerType {
  const words = name.split(/[^A-Z0-9]+/)
  const isLandBank = /\bCO(?:UNTY)? LAND BANK/.test(name)
  const isCompany = (word: string) => word === 'LLC' || word === 'INC'
  // Red Bank is a borough.
  const isBank =
    words.includes('BANK') && !isLandBank && !MUNICIPALITY.test(name) && !NUMBERED_TRUST.test(name)
  if (isBank || words.some(isCompany)) return 'company'
  const trust = words.findIndex((word) => TRUST_ENDS.has(word))
  const isTrust = trust > 0 || (trust === 0 && /^(?:|OF|NO|NUMBER|UW|UA|\d+)$/.test(words[1] ?? ''))
  if (isTrust && words[trust + 1] !== 'CO' && words[trust + 1] !== 'COMPANY') return 'trust'
  if (CLOSING_TRUST.test(name)) return 'trust'
  if (words.some((word) => COMPANY_WORDS.has(word))) return 'company'
  return words.some((word) => GOVERNMENT.has(word)) || GOVERNMENT_NAME.test(name)
    ? 'government'
    : 'company'
}

const MUNICIPALITY = /^(?:CITY|TOWN|VILLAGE|BOROUGH|BORO|TOWNSHIP|TWP) OF [A-Z]+ BANK$/

/** A land trust that a bank holds by number: `HARLOW BANK TRUST 4471`. */
const NUMBERED_TRUST = /\bTR(?:UST)?(?: NO| NUMBER)? \d+(?:-\d+)?$|\bLAND TRUST\b/

/** Matches a closing `TR`, and `REVOCABLE` where the roll truncated it or what follows. */
const CLOSING_TRUST = /\bTR(?: (?:UTA|UA|UTD|UDT|UAD|DTD|DATED)\b.*)?$|\b(?:IR)?REVOC[A-Z]*$/
