/** Chooses further strict keys for a lookup when the line's own key finds nothing. Pure. */
import type { AlternateKey, CanonicalAddress } from '../base/model/address.ts'
import { splitKey } from './forgive.ts'

/**
 * Returns the alternate keys of an asked line, in steps; the keys of one step are looked up
 * together.
 *
 * A range is looked up by its low end only (docs/matching.md, rule 1), then by its hyphenated
 * readings. A bare highway is looked up in all kinds at once, since the hits count only when they
 * are one road.
 */
export function askedAlternates(address: CanonicalAddress): AlternateKey[][] {
  const { number, numberHigh } = address.parsed
  const ranges = address.alternates.filter((alternate) => {
    if (alternate.kind !== 'range') return false
    // A second address of the line may be another parcel's.
    if (roadOf(alternate.key) !== roadOf(address.key)) return false
    const text = splitKey(alternate.key).number
    if (numberHigh === null || text === number) return true
    if (numberHigh.includes('-')) return text === number?.replace('-', '')
    return text.includes('-') || Number(text) > Number(numberHigh)
  })
  const highways = address.alternates.filter((alternate) => alternate.kind === 'highway')
  const steps = ranges.map((alternate) => [alternate])
  return highways.length > 0 ? [...steps, highways] : steps
}

const roadOf = (key: string) => key.slice(key.indexOf('|'))
