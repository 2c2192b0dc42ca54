/**
 * Explains a lookup from the trace of its steps, as data and in sentences. Pure.
 *
 * Runs no lookup: the trace holds the keys and hits, the finding the result.
 */
import type { TailReading } from '../base/model/address.ts'
import { countyByFips } from '../regions/counties.ts'
import type { SitusHit } from '../store/store.ts'
import { countParcels } from './choose.ts'
import { showKey, splitKey } from './forgive.ts'
import type { AskedAddress, Finding } from './lookup.ts'
import { type LookupTrace, MATCHES, type StepName, type TracedStep } from './trace.ts'
import { showUnitKey } from './unit-keys.ts'

type NameHit = (hit: SitusHit) => string

export type AddressExplanation = ReturnType<typeof explainLookup>
type ReadAs = ReturnType<typeof showReading>

/** Most parcels that are named as found and not answered. */
const LEFT_OUT_MAX = 10
/** More than the number of steps that a parcel can pass. */
const WHOLE = 3

/** Explains a finding of `lookUpAddress`. `tellHit` names a parcel; without a name: its address. */
export function explainLookup(
  asked: AskedAddress,
  { steps }: LookupTrace,
  finding: Finding,
  tellHit: (hit: SitusHit) => string | undefined = () => undefined,
) {
  const name = (hit: SitusHit) => tellHit(hit) ?? nameByAddress(hit)
  const readings = [...new Set(steps.map(({ reading }) => reading))]
  const read = readings.map(showReading)
  const sentences = read.map((one, at) => describeReading(one, at, readings[at]?.rest))
  const tried = steps.map((one) => {
    const { step, keys } = one
    return { step, reading: readings.indexOf(one.reading), keys, ...countHits(one) }
  })
  const leftOut = listLeftOut(asked, steps, finding, name)
  const last = steps.at(-1)
  const met = finding.outcome === 'found' && last !== undefined ? compare(last, finding.hit) : []
  const words = [
    ...(read.length === 0 ? ['The line names no street, so nothing was looked for.'] : []),
    ...sentences,
    ...placeSentences(asked),
    ...describeSteps(steps, readings),
    ...leftOut.map(({ parcel, why }) => `Not the answer: ${parcel}. ${why}`),
    describeFinding(finding, name),
  ]
  return { read, tried, met, leftOut, words }
}

const PARTS = {
  number: 'number',
  numberHigh: 'to number',
  predirectional: 'direction before the name',
  street: 'street name',
  suffix: 'street type',
  postdirectional: 'direction after the name',
  unitType: 'unit type',
  unit: 'unit',
  city: 'city',
  zip: 'ZIP',
} as const

/** A line with its parts; missing ones are left out. */
function showReading({ address: { parsed, line }, city, zip }: TailReading) {
  const all: Record<string, string | null> = { ...parsed, city, zip }
  const there = Object.keys(PARTS).flatMap((name) => (all[name] ? [[name, all[name]]] : []))
  return { line, parts: Object.fromEntries(there) as Record<string, string> }
}

function describeReading({ line, parts }: ReadAs, at: number, rest: string | undefined): string {
  const listed = Object.entries(parts).map(
    ([name, text]) => `${PARTS[name as keyof typeof PARTS]} ${text}`,
  )
  const text = `${line}: ${listed.join(', ')}`
  if (rest !== undefined) return `Without ${rest} it is ${text}.`
  return at === 0
    ? `Read as ${text}.`
    : `Another reading is ${text}; it is used only for records with that city or ZIP.`
}

function placeSentences({ state, fips, city, zip }: AskedAddress): string[] {
  const county = fips === undefined ? undefined : countyByFips(fips)?.name
  const places = [
    ...(city === undefined ? [] : [`in ${city}`]),
    ...(county === undefined ? [] : [`in ${county} County`]),
    ...(zip === undefined ? [] : [`with ZIP ${zip}`]),
  ]
  return [`Asked ${[...places, `in ${state}`].join(', ')}.`]
}

/** Counts the parcels under the keys, those that the step accepts, and those in the asked place. */
function countHits({ found, accepted, placed }: TracedStep) {
  const [near, fit, here] = [found, accepted, placed].map(countParcels)
  return { found: near as number, accepted: fit as number, placed: here as number }
}

const LOOKED_FOR: Record<StepName, (line: string, keys: string[]) => string> = {
  exact: (line) => `exactly ${line}`,
  'recorded-alternate': (line) => `recorded ranges and highways that include ${line}`,
  'asked-alternate': (_, keys) =>
    `${keys.slice(0, 3).map(showKey).join(' or ')}, which the line includes`,
  directional: (line) => `${line} with one direction more or less`,
  suffix: (line) => `${line} with the street type added or left out`,
  spacing: (line) => `${line} with its words split or joined elsewhere`,
  forgiven: (line) => `${line} without its unknown words`,
}

/** Returns one sentence per step; readings with a city cut off that found nothing share one. */
function describeSteps(steps: readonly TracedStep[], readings: TailReading[]): string[] {
  const idle = readings
    .slice(1)
    .filter((reading) =>
      steps.every((step) => step.reading !== reading || step.placed.length === 0),
    )
  const rest = steps.filter(({ reading }) => !idle.includes(reading)).map(describeStep)
  const lines = idle.map(describeLine).join(' and ')
  return idle.length === 0 ? rest : [...rest, `Looked for ${lines} in the same ways: nothing.`]
}

function describeLine({ address: { key }, city, zip }: TailReading): string {
  const place = [city, zip].filter((text) => text !== '').join(' ')
  return place === '' ? showKey(key) : `${showKey(key)} in ${place}`
}

function describeStep(one: TracedStep): string {
  const looked = `Looked for ${LOOKED_FOR[one.step](describeLine(one.reading), one.keys)}`
  const { found: near, accepted: fit, placed: here } = countHits(one)
  if (near === 0) return `${looked}: nothing.`
  if (fit === 0) {
    return (
      `${looked}: nothing; ${showCount(near)} with a similar address ` +
      `${near === 1 ? 'differs' : 'differ'} in more than that.`
    )
  }
  if (here === fit) return `${looked}: ${showCount(fit)}.`
  const own = here === 0 ? 'none' : here
  return `${looked}: ${showCount(fit)}, ${own} of them in the requested place.`
}

function listLeftOut(
  asked: AskedAddress,
  all: readonly TracedStep[],
  finding: Finding,
  name: NameHit,
) {
  const answer = finding.outcome === 'found' ? finding.hit.id : undefined
  const steps = new Map<number, { step: TracedStep; hit: SitusHit; rank: number }>()
  for (const step of all) {
    for (const hit of step.found) {
      // The whole line counts more than a part of it, then the step that a parcel reached; the
      // first of equals is taken.
      const whole = step.reading === all[0]?.reading ? WHOLE : 0
      const rank = whole + Number(step.accepted.includes(hit)) + Number(step.placed.includes(hit))
      if (rank > (steps.get(hit.id)?.rank ?? -1)) steps.set(hit.id, { step, hit, rank })
    }
  }
  if (answer !== undefined) steps.delete(answer)
  return [...steps.values()]
    .slice(0, LEFT_OUT_MAX)
    .map(({ step, hit }) => ({ parcel: name(hit), why: showWhy(asked, step, hit, finding) }))
}

function showWhy(asked: AskedAddress, step: TracedStep, hit: SitusHit, finding: Finding): string {
  if (!step.accepted.includes(hit))
    return `It differs: ${describeDifference(step.reading.address.key, hit.key)}.`
  if (!step.placed.includes(hit)) return showPlace(asked, step.reading, hit)
  if (finding.outcome === 'ambiguous') return 'It fits the request as well as the others do.'
  const { unitKey } = step.reading.address
  const unit = nameUnit(unitKey)
  if (finding.outcome === 'none')
    return unit === '' ? 'It may be another parcel.' : `It does not have the requested ${unit}.`
  if (hit.unitKey !== finding.hit.unitKey)
    return `It has ${nameUnit(hit.unitKey) || 'no unit'}; the request has ${unit || 'none'}.`
  return 'It has the same address; the parcel that was loaded first is returned.'
}

function showPlace({ fips, city, zip }: AskedAddress, reading: TailReading, hit: SitusHit): string {
  if (fips !== undefined && hit.fips !== fips) {
    return `It is in ${countyByFips(hit.fips)?.name ?? 'another'} County, not in the requested one.`
  }
  const askedCity = city ?? reading.city
  const [part, own, asked] =
    askedCity !== '' && hit.city !== askedCity
      ? ['city', hit.city, askedCity]
      : ['ZIP', hit.zip, zip ?? reading.zip]
  const recorded = own === '' ? `No ${part} is recorded for it` : `Its ${part} is ${own}`
  return `${recorded}; the request has ${asked}.`
}

type Compared = { part: string; asked: string; recorded: string }

function comparedParts(askedKey: string, recordedKey: string): Compared[] {
  const [asked, recorded] = [splitKey(askedKey), splitKey(recordedKey)]
  return (Object.keys(asked) as (keyof typeof asked)[]).map((part) => ({
    part: PARTS[part === 'name' ? 'street' : part],
    asked: asked[part],
    recorded: recorded[part],
  }))
}

function describeDifference(askedKey: string, recordedKey: string): string {
  return comparedParts(askedKey, recordedKey)
    .filter(({ asked, recorded }) => asked !== recorded)
    .map(
      ({ part, asked, recorded }) =>
        `${part} ${recorded || 'not recorded'}, asked ${asked || 'without'}`,
    )
    .join('; ')
}

function compare({ reading, keys, step }: TracedStep, hit: SitusHit): Compared[] {
  const asked =
    step === 'asked-alternate' ? (keys.find((key) => key === hit.key) ?? '') : reading.address.key
  const parts = comparedParts(asked, hit.key).filter((one) => one.asked + one.recorded !== '')
  const unit = { part: PARTS.unit, asked: reading.address.unitKey, recorded: hit.unitKey }
  return unit.asked + unit.recorded === '' ? parts : [...parts, unit]
}

function describeFinding(finding: Finding, name: NameHit): string {
  if (finding.outcome === 'none') return 'Answer: none.'
  const [answer, why, match] =
    finding.outcome === 'ambiguous'
      ? ['none', `${countParcels(finding.hits)} parcels may be meant`, finding.outcome]
      : [name(finding.hit), MATCHES[finding.match], finding.match]
  return `Answer: ${answer}, because ${why} (X-Match: ${match}).`
}

function nameByAddress({ key, unitKey, city, zip }: SitusHit): string {
  const line = `${showKey(key)} ${nameUnit(unitKey)}`.trim()
  return [line, city, zip].filter((text) => text !== '').join(', ')
}

const nameUnit = (key: string) => (key === '' ? '' : `unit ${showUnitKey(key)}`)

function showCount(count: number): string {
  return count === 1 ? '1 parcel' : `${count} parcels`
}
