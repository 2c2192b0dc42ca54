/**
 * Which further strict keys a lookup asks for, when the asked line's own key finds nothing. Pure.
 */
import type { AlternateKey, CanonicalAddress } from '../model/address.ts'
import { splitKey } from './forgive.ts'

/**
 * The alternates of an asked line, in the order in which they are asked; each step is asked as one.
 *
 * Of a range the low end only (rule 1: an asked range finds its recorded low end), then the
 * hyphenated readings; of a bare highway all kinds at once, since they count only when what they
 * find is one road.
 */
export function askedAlternates(address: CanonicalAddress): AlternateKey[][] {
  const { number, numberHigh } = address.parsed
  const ranges = address.alternates.filter((alternate) => {
    if (alternate.kind !== 'range') return false
    const text = splitKey(alternate.key).number
    if (numberHigh === null || text === number) return true
    return text.includes('-') || Number(text) > Number(numberHigh)
  })
  const highways = address.alternates.filter((alternate) => alternate.kind === 'highway')
  const steps = ranges.map((alternate) => [alternate])
  return highways.length > 0 ? [...steps, highways] : steps
}
