import { dirname } from 'node:path'
import { DAY_MS } from '../../../base/days.ts'
import { CommandError } from '../../../base/errors.ts'
import { needRoom } from '../../../base/safe-files.ts'
import { EXPORT_FORMATS, type ExportJob, runExport } from '../../../export/run.ts'
import { Progress } from '../../../import/report/progress.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { refuseWhilePending } from '../../../privacy/guarded-parcels.ts'
import { openParcels } from '../../../store/open.ts'
import { openExport } from '../../../store/open-rolls.ts'
import { type CommandArgs, type CommandIo, command, refuseDash } from '../../command.ts'
import { makeSink, watchStop } from '../../load-world.ts'
import { readDay, readWord } from '../../option-values.ts'
import { needPlace, needRolls } from '../../rolls.ts'
import { printResult } from '../../table.ts'

/** Fewer bytes than any format writes for a parcel. */
const ROW_BYTES_MIN = 64

export const exportCommand = command('export', async (args, io) => {
  const asked = readAsked(args)
  await needRolls(io.config)
  await refuseWhilePending(io.config)
  const stop = watchStop(io)
  const report = await write(asked, io, stop.isAsked).finally(stop.end)
  const n = (count: number) => count.toLocaleString('en-US')
  const { rows, file, bytes, seconds } = report
  printResult(io, report, `${n(rows)} parcels in ${file}, ${n(bytes)} bytes, ${seconds} s`)
})

type Asked = Omit<ExportJob, 'loaded' | 'onProgress'>

function readAsked({ values }: CommandArgs): Asked {
  const text = (name: string) => values[name] as string | undefined
  const place = needPlace(values, 'export')
  const format = text('format') === '' ? undefined : readWord(values, 'format', EXPORT_FORMATS)
  if (format === undefined) throw new CommandError('export needs --format', 2)
  if ((text('out') ?? '') === '') throw new CommandError('export needs --out', 2)
  refuseDash(text('out') ?? '')
  const day = readDay(values, 'changed-since')
  return {
    // The first second of the day, UTC.
    scope: { ...place, changedSince: day === undefined ? undefined : (day * DAY_MS) / 1000 },
    format,
    layout: readWord(values, 'layout', ['flat', 'nested'] as const) ?? 'flat',
    path: text('out') ?? '',
    overwrite: values.overwrite === true,
  }
}

async function write(asked: Asked, io: CommandIo, isStopped: () => boolean) {
  const started = io.now()
  const store = openParcels(io.config)
  const loaded = await store.parcels
    .coverage({ states: [asked.scope.state] })
    .finally(() => store.close())
  const { state, fips, changedSince } = asked.scope
  const isLoaded = loaded.some((one) => one.state === state && (fips ?? one.fips) === one.fips)
  if (!isLoaded && changedSince !== undefined) {
    io.report('warning: nothing is loaded there; see platbook coverage')
  }
  const reader = await openExport(io.config)
  const progress = new Progress(makeSink(io), 0)
  try {
    const onProgress = (rows: number, total: number) => {
      if (isStopped()) throw new CommandError('stopped: nothing was exported')
      if (rows === 0) needRoom(dirname(asked.path), total * ROW_BYTES_MIN, 'the export')
      const count = (rows === 0 ? total : rows).toLocaleString('en-US')
      progress.step(
        `${count} parcels ${rows === 0 ? 'found' : 'written'}`,
        rows / Math.max(1, total),
      )
    }
    const { rows, bytes } = await runExport(reader, { ...asked, loaded, onProgress })
    const { path: file, format, layout } = asked
    noteCopy(io.config.data, 'export', file, io.now())
    return { file, format, layout, rows, bytes, seconds: (io.now() - started) / 1000 }
  } finally {
    progress.end()
    await reader.close()
  }
}
