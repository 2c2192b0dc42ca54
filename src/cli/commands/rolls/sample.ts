/** `platbook sample`: a generated roll: docs/decisions/sample-and-sandbox.md. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { makePrivateFolder } from '../../../base/private-files.ts'
import { writeSample, writeSampleFile } from '../../../sample/file.ts'
import type { SampleOptions } from '../../../sample/generate.ts'
import { type CommandArgs, type CommandIo, command } from '../../command.ts'
import { printResult } from '../../table.ts'
import { importCommand } from './import.ts'

const SAMPLE_PARCELS = 20_000
/** More parcels than in any state; beyond it IDs would no longer fit their format. */
const PARCELS_MAX = 50_000_000

export const sampleCommand = command('sample', async (args, io) => {
  const { values, positionals } = args
  if (positionals.length > 0) throw new CommandError('sample takes no file; see --out', 2)
  const options = readSampleOptions(args)
  if (typeof values.out !== 'string')
    return importSample(io, options, { force: values.force === true })
  if (values.out === '') throw new CommandError('--out needs a path, or - for standard output', 2)
  if (values.out !== '-') {
    await writeSampleFile(options, values.out)
    printResult(
      io,
      { ...options, file: values.out },
      `${options.parcels.toLocaleString('en-US')} parcels are in ${values.out}`,
    )
    return
  }
  if (io.json) throw new CommandError('--out - has no room for --json on standard output', 2)
  await writeSample(options, process.stdout)
})

/** Imports a sample like any roll, from a temporary file in the data folder. */
export async function importSample(
  io: CommandIo,
  options: SampleOptions,
  { force = false, vintage }: { force?: boolean; vintage?: string } = {},
): Promise<number | undefined> {
  makePrivateFolder(io.config.data)
  const file = join(io.config.data, `sample-${process.pid}.csv`)
  using _end = atEnd(() => rmSync(file, { force: true }))
  await writeSampleFile(options, file)
  const values = { mapping: 'platbook', geometry: true, force, vintage }
  return (await importCommand.run({ values, positionals: [file] }, io)) ?? undefined
}

/** Throws `CommandError` for an invalid count or seed. */
export function readSampleOptions({ values }: Pick<CommandArgs, 'values'>): SampleOptions {
  return {
    parcels: readWhole('parcels', values.parcels ?? String(SAMPLE_PARCELS), [1, PARCELS_MAX]),
    seed: readWhole('seed', values.seed ?? '1', [0, Number.MAX_SAFE_INTEGER]),
  }
}

function readWhole(name: string, text: unknown, [least, most]: [number, number]): number {
  const value = typeof text === 'string' && /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (value >= least && value <= most) return value
  throw new CommandError(`--${name}: "${text}" is not a whole number from ${least} to ${most}`, 2)
}
