/** `platbook quality`: what is wrong in the loaded rolls, as their imports measured. */
import { listQuality } from '../../../operations/rolls/quality.ts'
import { checkFolder } from '../../../store/data-folder.ts'
import { hasData } from '../../../store/open.ts'
import { command } from '../../command.ts'
import { readPlace, withParcels } from '../../rolls.ts'
import { formatTable, printResult } from '../../table.ts'

export const qualityCommand = command('quality', async ({ values }, io) => {
  const place = readPlace(values)
  checkFolder(io.config)
  const scopes = !(await hasData(io.config))
    ? []
    : await withParcels(io, (parcels) =>
        listQuality(place, { parcels, now: io.now(), pause: async () => undefined }),
      )
  const lines = scopes.length === 0 ? 'nothing is loaded there' : scopes.flatMap(describe)
  printResult(io, { scopes }, lines)
})

type Scope = Awaited<ReturnType<typeof listQuality>>[number]

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
