/** Checks the shares that a mapping expects: others show that a column was read wrongly. */
import { CommandError } from '../base/errors.ts'
import { nearest } from '../base/nearest.ts'
import { COUNTED_FIELDS, type Share } from './report/shares.ts'

/** Bounds of a share, in percent. `text` is the expectation as the mapping writes it. */
type Expectation = {
  field: string
  text: string
  low: number
  high: number
  /** Whether the bounds themselves are excluded. */
  isOpen: boolean
}

const FORM = /^(?:(>=|<=|>|<) ?(\d+(?:\.\d+)?)|(\d+(?:\.\d+)?) ?\.\. ?(\d+(?:\.\d+)?)) ?%$/

/** A roll with fewer parcels is too small to judge its shares. */
const PARCELS_MIN = 20

/** Parses the mapping's `expect` property. Throws `CommandError` for an unknown field. */
export function readExpectations(expect: Record<string, string> | undefined): Expectation[] {
  return Object.entries(expect ?? {}).map(([field, text]) => {
    if (!COUNTED_FIELDS.includes(field)) {
      const near = nearest(field, [...COUNTED_FIELDS])
      const hint = near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
      throw new CommandError(`expect.${field}: no such field${hint}`, 2)
    }
    const expectation = { field, text, ...readBounds(text) }
    const { low, high, isOpen } = expectation
    if (isOpen ? low >= 100 || high <= 0 : low > Math.min(high, 100)) {
      throw new CommandError(`expect.${field}: no share is ${text}`, 2)
    }
    return expectation
  })
}

function readBounds(text: string): Pick<Expectation, 'low' | 'high' | 'isOpen'> {
  const [, sign, bound, low, high] = FORM.exec(text) ?? []
  if (sign === undefined) return { low: Number(low), high: Number(high), isOpen: false }
  const isOpen = sign === '>' || sign === '<'
  return sign.startsWith('>')
    ? { low: Number(bound), high: isOpen ? Infinity : 100, isOpen }
    : { low: isOpen ? -Infinity : 0, high: Number(bound), isOpen }
}

/** Returns one sentence for each expectation that the counted shares do not meet. */
export function findUnmet(expectations: Expectation[], shares: Share[]): string[] {
  return expectations.flatMap((expectation) => {
    const share = shares.find(({ field }) => field === expectation.field)
    if (share === undefined || share.of < PARCELS_MIN || isMet(expectation, share)) return []
    return [`${describeShare(share)}; the mapping expects ${expectation.text}`]
  })
}

/** Returns the sentence that refuses a load, or `undefined` when every expectation is met. */
export function refuseUnmet(expectations: Expectation[], shares: Share[]): string | undefined {
  const unmet = findUnmet(expectations, shares)
  return unmet.length === 0
    ? undefined
    : `this roll was not loaded: ${unmet.join('; ')}. Read a few rows of the dry run; if ` +
        'they are right, change "expect" in the mapping, or load with --force'
}

function isMet({ low, high, isOpen }: Expectation, { count, of }: Share): boolean {
  const percent = (100 * count) / of
  return isOpen ? percent > low && percent < high : percent >= low && percent <= high
}

/** Describes a share: `ownerState: 0.0 % of the 1,990 parcels with a mailing city`. */
export function describeShare({ field, count, of, among }: Share): string {
  const percent = of === 0 ? '–' : ((100 * count) / of).toFixed(1)
  const where = among === '' ? '' : ` ${among}`
  return `${field}: ${percent} % of the ${of.toLocaleString('en-US')} parcels${where}`
}

/** Flags of which every roll has both values: 0 or 100 % means that a column was misread. */
const FLAGS: ReadonlySet<string> = new Set(['ownerOccupied', 'residential', 'addressAssigned'])

/** Returns warnings about shares that no real roll has. */
export function warnOfShares(shares: Share[]): string[] {
  return shares.flatMap((share) => {
    const { field, count, of } = share
    if (of < PARCELS_MIN) return []
    if (field === 'ownerState' && count < of * 0.95) {
      return [`${(of - count).toLocaleString('en-US')} parcels have a mailing city and no state`]
    }
    if (!FLAGS.has(field) || (count > 0 && count < of)) return []
    return [`${field} is ${count === 0 ? 'false' : 'true'} in all parcels that have it`]
  })
}
