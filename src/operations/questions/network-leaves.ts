/** Which addresses and care-of names of an owner network are too common to lead to owners. Pure. */
import { foldLetters } from '../../base/fold.ts'
import type { NodeKind } from './grow-network.ts'

/** A mailing address or care-of name of a network. */
type Place = {
  kind: NodeKind
  /** As recorded. */
  text: string
  /** The different owners that use it, each with the care-of name of a parcel. */
  owners: readonly { name: string; careOf: string }[]
  /** Whether it is a building of several units, and names none. */
  isBuilding: boolean
}

/** Parts of a business. A care-of name of nothing else is in every business. */
const OFFICE = new RegExp(
  `^(?:${[
    'ACCT|ACCTS|ACCOUNTS?|ACCOUNTING|PAYABLE|AP|BOOKKEEPING|TAX(?:ES)?|PROPERTY|PROPERTIES|REAL',
    'ESTATE|FINANCE|FINANCIAL|LEGAL|FACILIT(?:Y|IES)|BUSINESS|ADMINISTRATI(?:ON|VE)|CORPORATE',
    'DEPT|DEPARTMENT|DIV|DIVISION|OFFICE|OFFICER|CHIEF|CFO|CEO|COO|CLERK|TREASURER|SECRETARY',
    'PRESIDENT|VICE|CONTROLLER|COMPTROLLER|MANAGER|MGR|DIRECTORS?|EXECUTIVE|BOARD|COUNSEL|COUNTY',
    'GENERAL|TRUSTEES?|OWNERS?|CITY|TOWN|TOWNSHIP|VILLAGE|STATE|MUNICIPAL|OF|THE|AND|SERVICES?',
    'ASSETS?|LEASE|LEASING|MANAGEMENT|MGMT|MAIL|ROOM|RM|STE|BLDG|BUILDING|SVCS|SVC|TRUST|PARTNER',
  ].join('|')})$`,
)

/** Words of those who receive the mail of others. */
const AGENT = new RegExp(
  `\\b(?:${[
    'MANAGEMENT|MGMT|MGT|REALTY|REALTORS?|BANK|MORTGAGE|LOAN|TAX|LAW|ATTORNEYS?|ATTY|ESQ|CPAS?',
    'TITLE|ESCROW|ACCOUNTANTS?|LEGAL|REGISTERED AGENTS?|CORPORATE SERVICES?|PROPERTY MANAGERS?',
    'REAL ESTATE|(?:CENT(?:ER|RE)|BUILDING|BLDG|TOWERS?|PLAZA)$',
  ].join('|')})(?!\\w)`,
)

const ASSOCIATION =
  /\b(?:ASSOCIATION|ASSOC|ASSN|ASSC|HOA|HOMEOWNERS?|CONDOMINIUMS?|CONDO|TOWNHO(?:M|US)ES?)\b/

/** From so many owners on, associations show that an address is their manager's. */
const MANAGED_MIN = 3
/** Owners of one address whose mail goes to an agent. */
const AGENTS_MIN = 2

/** Returns why a place is not followed to its other owners; `undefined`: it is. */
export function whyLeft({ kind, text, owners, isBuilding }: Place): string | undefined {
  if (kind === 'careOf' && isOffice(text)) return 'it names an office, as other owners have too'
  if (kind === 'careOf' && isAgent(text)) return 'it names somebody who receives mail for others'
  if (isBuilding) return 'it is a building of several units, and names none'
  if (owners.filter(({ careOf }) => isAgent(careOf)).length >= AGENTS_MIN) {
    return 'somebody receives mail for several owners there'
  }
  const managed = owners.filter(({ name }) => ASSOCIATION.test(foldLetters(name))).length
  if (owners.length >= MANAGED_MIN && managed * 2 > owners.length) {
    return 'most of its owners are associations, which share a manager'
  }
  return undefined
}

function isOffice(careOf: string): boolean {
  const words = foldLetters(careOf).split(/[^A-Z]+/)
  return words.every((word) => word.length < 2 || OFFICE.test(word))
}

function isAgent(careOf: string): boolean {
  return AGENT.test(foldLetters(careOf)) && !isOffice(careOf)
}
