/** `platbook quality`: what is wrong in the loaded rolls, as their imports measured. */
import { CommandError } from '../../../base/errors.ts'
import { listQuality } from '../../../operations/rolls/quality.ts'
import { openGuardedParcels } from '../../../privacy/guarded-parcels.ts'
import { findCounty } from '../../../regions/counties.ts'
import { findState } from '../../../regions/states.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { hasData } from '../../../store/open.ts'
import type { Command } from '../../command.ts'
import { formatTable } from '../../table.ts'

export const qualityCommand: Command = {
  name: 'quality',
  usage: '[--state ST [--county C]]',
  example: 'platbook quality --state NE --county Lancaster',
  options: { state: { type: 'string' }, county: { type: 'string' } },
  about: { state: 'two letters of a state', county: 'a county of it, by name or FIPS code' },
  more: 'What is measured, and how it is weighted: docs/quality.md.',
  async run({ values }, io) {
    const state = values.state === undefined ? undefined : findState(String(values.state))?.code
    if (values.state !== undefined && state === undefined) {
      throw new CommandError('--state is the two letters of a state', 2)
    }
    const county = values.county === undefined ? undefined : String(values.county)
    const fips = state && county ? findCounty(state, county)?.fips : undefined
    if (county !== undefined && fips === undefined) {
      throw new CommandError('--county is a county of --state', 2)
    }
    checkFolder(io.config)
    const print = (scopes: Scope[]) => {
      if (io.json) io.print(JSON.stringify({ scopes }))
      else if (scopes.length === 0) io.print('nothing is loaded there')
      else for (const line of scopes.flatMap(describe)) io.print(line)
    }
    if (!(await hasData(io.config))) return print([])
    const store = await openGuardedParcels(io.config)
    try {
      const parcels = await store.parcels()
      const pause = async () => undefined
      print(await listQuality({ state, fips }, { parcels, now: io.now(), pause }))
    } finally {
      await store.close()
    }
  },
}

type Scope = Awaited<ReturnType<typeof listQuality>>[number]

/** One line for the county, and a table of its faults. */
function describe({ county, state, parcels, score, parts }: Scope): string[] {
  const faults = parts.filter(({ count }) => count > 0)
  const head = `${county}, ${state}: ${score} of 100, ${parcels.toLocaleString('en-US')} parcels`
  if (faults.length === 0) return [`${head}, no fault found`, '']
  const rows = faults.map(({ name, count, share, about, fields, examples }) => [
    ...[name, count.toLocaleString('en-US'), share === null ? '' : (share * 100).toFixed(1)],
    `${about}${fields === undefined ? '' : `: ${fields.join(', ')}`}`,
    examples[0] ?? '',
  ])
  const headings = ['fault', 'count', 'in order %', 'what', 'example']
  return [head, ...formatTable(headings, rows, ['count', 'in order %']), '']
}
