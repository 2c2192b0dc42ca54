/** Command: standardize. Shows the canonical form of lines, which explains why they matched. */
import { createInterface } from 'node:readline'
import { canonicalAddress } from '../../../address/canonical.ts'
import { CommandError } from '../../../base/errors.ts'
import type { AddressContext } from '../../../base/model/address.ts'
import type { NameOrder } from '../../../base/model/owner.ts'
import { readOwners } from '../../../owner/canonical.ts'
import { learnNames } from '../../../owner/evidence.ts'
import { findCounty, fipsCode } from '../../../regions/counties.ts'
import { findState } from '../../../regions/states.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { readOrder } from '../../option-values.ts'
import { readPlace } from '../../rolls.ts'

const KINDS = ['address', 'owner', 'county']

export const standardizeCommand = command('standardize', async ({ values, positionals }, io) => {
  const [kind, ...more] = positionals
  if (kind === undefined || !KINDS.includes(kind) || more.length > 0)
    throw new CommandError(`standardize takes one of ${KINDS.join(', ')}; not ${positionals}`, 2)
  if (kind === 'address') await standardizeAddresses(values, io)
  else if (kind === 'county') await eachLine(io, (line) => standardizeCounty(line))
  else await standardizeOwners(values, io)
})

async function standardizeAddresses(values: CommandArgs['values'], io: CommandIo): Promise<void> {
  const { state = '' } = readPlace(values)
  const context = { state, city: null }
  await eachLine(io, (line) => standardizeAddress(line, context))
}

/** Reads all lines first, because in `mixed` order the engine learns from them. */
async function standardizeOwners(values: CommandArgs['values'], io: CommandIo): Promise<void> {
  const order = readOrder(values) ?? 'mixed'
  const lines: string[] = []
  for await (const line of readLines(io)) lines.push(line)
  for (const reading of standardizeOwner(lines, order)) io.print(JSON.stringify(reading))
}

/** `ST<TAB>name`; `fips: null` when unrecognized. */
function standardizeCounty(line: string): object {
  const tab = line.indexOf('\t')
  const state = (tab < 0 ? line : line.slice(0, tab)).trim()
  const county = tab < 0 ? undefined : findCounty(state, line.slice(tab + 1).trim())
  return {
    input: line,
    state: findState(state)?.code ?? null,
    county: county?.name ?? null,
    fips: county === undefined ? null : fipsCode(county.fips),
  }
}

async function eachLine(io: CommandIo, show: (line: string) => object): Promise<void> {
  for await (const line of readLines(io)) io.print(JSON.stringify(show(line)))
}

function readLines(io: CommandIo): AsyncIterable<string> {
  return createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })
}

/** Reads one line. With `context.city` `null`, `…, CITY, ST ZIP` is cut off without comparison. */
function standardizeAddress(line: string, context: AddressContext) {
  const { parsed, key, unitKey, alternates } = canonicalAddress(line, context)
  const withUnit = (strictKey: string) => `${strictKey}|${unitKey}`
  return {
    input: line,
    number: parsed.number,
    numberHigh: parsed.numberHigh,
    predirectional: parsed.predirectional,
    street: parsed.street,
    suffix: parsed.suffix,
    postdirectional: parsed.postdirectional,
    unitType: parsed.unitType,
    unit: parsed.unit,
    /** Strict key and unit key: two lines with equal keys are one address. `''`: no street. */
    key: key === '' ? '' : withUnit(key),
    /** Other keys that find the line, in the same form. */
    alternates: alternates.map((alternate) => withUnit(alternate.key)),
  }
}

/** Reads each line as a recorded slot. In `mixed` order the engine first learns from all lines. */
export function standardizeOwner(lines: string[], order: NameOrder) {
  const learner = learnNames()
  if (order === 'mixed') for (const line of lines) learner.add(line, null)
  const evidence = order === 'mixed' ? learner.finish() : undefined
  return lines.map((input) => {
    const slot = readOwners([input, null], order, evidence).slots[0]
    return {
      input,
      persons: slot?.persons ?? [],
      organization: slot?.organization ?? null,
      roles: slot?.roles ?? [],
      words: slot?.words ?? [],
    }
  })
}
