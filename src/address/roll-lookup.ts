/** A lookup over addresses in memory, in the order of rule 9; for tests and benches, without a store. */
import { foldCity } from '../fold.ts'
import type { AddressContext, CanonicalAddress } from '../model/address.ts'
import type { SitusHit } from '../store/store.ts'
import { canonicalAddress, readTails } from './canonical.ts'
import {
  askedAlternates,
  type Choice,
  chooseAtAddress,
  FORGIVING_ORDER,
  forgiven,
  shareOneAddress,
  standOnOneRoad,
} from './match.ts'

export type RollLine = { line: string; unit?: string; city: string | null; zip: string }

/** What was found and which step found it. */
export type Finding = { choice: Choice | undefined; match: string }

/** Indexes lines as an import would; ids are their positions. The result looks one line up. */
export function indexRoll(
  lines: readonly RollLine[],
  place: { state: string; fips: number },
): (line: string, context?: AddressContext, unit?: string) => Finding {
  const strict = new Map<string, SitusHit[]>()
  const loose = new Map<string, SitusHit[]>()
  lines.forEach(({ line, unit, city, zip }, id) => {
    const address = canonicalAddress(line, { ...place, city, zip }, unit)
    if (address.key === '') return
    const { key, unitKey } = address
    const hit = { id, key, unitKey, fips: place.fips, city: foldCity(city ?? ''), zip }
    add(strict, key, { ...hit, alternate: null })
    add(loose, address.looseKey, { ...hit, alternate: null })
    for (const { key: other, kind } of address.alternates)
      if (other !== key) add(strict, other, { ...hit, alternate: kind })
  })
  const byKey = (key: string) => strict.get(key) ?? []
  const byLoose = (key: string) => loose.get(key) ?? []
  return (line, context = place, unit) => find(line, context, unit, byKey, byLoose)
}

function add(index: Map<string, SitusHit[]>, key: string, hit: SitusHit): void {
  const hits = index.get(key)
  if (hits === undefined) index.set(key, [hit])
  else hits.push(hit)
}

type Ask = (key: string) => SitusHit[]

function find(
  line: string,
  context: AddressContext,
  unit: string | undefined,
  byKey: Ask,
  byLoose: Ask,
): Finding {
  const asked = canonicalAddress(line, context, unit)
  const exact = findExact(asked, byKey)
  if (exact !== undefined) return exact
  for (const tail of readTails(line, context, unit)) {
    const agrees = (hit: SitusHit) =>
      (tail.city === '' || tail.city === hit.city) && (tail.zip === '' || tail.zip === hit.zip)
    const found = findExact(tail.address, (key) => byKey(key).filter(agrees))
    if (found !== undefined) return found
  }
  for (const kind of FORGIVING_ORDER) {
    const hits = forgiven(asked.key, byLoose(asked.looseKey), kind)
    if (hits.length === 0 || !shareOneAddress(hits)) continue
    const choice = chooseAtAddress(hits, asked.unitKey)
    // One thing is forgiven at a time: not a directional and the unit too.
    if (choice?.outcome !== 'found' || !choice.unitDropped) return { choice, match: kind }
  }
  return { choice: undefined, match: 'none' }
}

function findExact(asked: CanonicalAddress, byKey: Ask): Finding | undefined {
  if (asked.key === '') return undefined
  const hits = byKey(asked.key)
  const own = hits.filter((hit) => hit.alternate === null)
  if (own.length > 0) {
    const choice = chooseAtAddress(own, asked.unitKey)
    const dropped = choice?.outcome === 'found' && choice.unitDropped
    return { choice, match: dropped ? 'unit-dropped' : 'exact' }
  }
  if (hits.length > 0 && standOnOneRoad(hits))
    return { choice: chooseAtAddress(hits, asked.unitKey), match: hits[0]?.alternate ?? 'range' }
  for (const step of askedAlternates(asked)) {
    const found = step.flatMap(({ key }) => byKey(key).filter((hit) => hit.alternate === null))
    if (found.length > 0 && standOnOneRoad(found))
      return { choice: chooseAtAddress(found, asked.unitKey), match: step[0]?.kind ?? 'range' }
  }
  return undefined
}
