/** `platbook inspect`: shows a file's content, and the mapping that reads it. */
import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { atEnd } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { replaceFile } from '../../../base/safe-files.ts'
import { listFiles } from '../../../import/list-files.ts'
import { listMappingNames, loadMapping, SCHEMA_PATH } from '../../../import/mapping/mapping.ts'
import type { EsriField } from '../../../import/readers/coded.ts'
import { describeOutside } from '../../../import/report/outside.ts'
import { describeUnplaced } from '../../../import/report/unplaced.ts'
import { sizeOf } from '../../../import/source.ts'
import { describeLayer, isLayerAddress } from '../../../import/sources/arcgis/layer.ts'
import { fetchSources } from '../../../import/sources/fetch-sources.ts'
import { isWebAddress } from '../../../import/sources/web.ts'
import { draftDocument, showDraft } from '../../../inspect/compose/show-draft.ts'
import { FITS_FROM } from '../../../inspect/fit.ts'
import { type Inspection, inspectFile } from '../../../inspect/inspect.ts'
import { describeInspection } from '../../../inspect/show.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { type CommandArgs, type CommandIo, command, refuseDash } from '../../command.ts'
import { openWorld } from '../../load-world.ts'
import { readEpsg, readWord } from '../../option-values.ts'
import { readPlace } from '../../rolls.ts'
import { formatTable, printResult } from '../../table.ts'

export const inspectCommand = command('inspect', async (args, io) => {
  const { sources, named, out, ...job } = readJob(args, io)
  // A layer is downloaded in parts, whose names say nothing.
  const [layer] = sources.filter(isLayerAddress)
  const publisher = layer === undefined ? undefined : new URL(layer).host
  const inspection = await withFiles(args, io, sources, async (files, fields) => {
    const sink = progress(io, sizeOf(files))
    using _end = atEnd(() => sink.end())
    return await inspectFile(files, { ...job, onRead: sink.onRead, fields, publisher })
  })
  if (out !== undefined) {
    writeDraft(inspection, out)
    noteCopy(io.config.data, 'draft', out, io.now())
  }
  const lines = describeInspection(inspection, formatTable)
  if (out !== undefined) {
    lines.push(
      `The draft is in ${out}. Read it, then: platbook import ${named} --mapping ` +
        `${out} --dry-run`,
    )
  } else if ((inspection.fits[0]?.score ?? 0) < FITS_FROM) {
    lines.push('', ...showDraft(inspection.draft).trimEnd().split('\n'))
  }
  printResult(io, showJson(inspection, out ?? null), lines)
})

/** Runs `work` on local files and the columns of web layers. Downloads stay for an import. */
async function withFiles<Result>(
  { values }: CommandArgs,
  io: CommandIo,
  sources: string[],
  work: (files: string[], fields: EsriField[]) => Promise<Result>,
): Promise<Result> {
  if (!sources.some(isWebAddress)) return work(sources, [])
  const { web, end } = openWorld(values, io)
  const { data: dataDir } = io.config
  using _stop = atEnd(end)
  const job = { sources, dataDir, geometry: false, force: false }
  const { files, close } = await fetchSources(web, job)
  using _files = atEnd(() => close(false))
  const layers = sources.filter(isLayerAddress)
  const described = await Promise.all(layers.map((address) => describeLayer(web, address)))
  return await work(
    files,
    described.flatMap(({ fields }) => fields),
  )
}

function readJob({ values, positionals }: CommandArgs, io: CommandIo) {
  const text = (name: string) => values[name] as string | undefined
  const [state, county, out] = [text('state'), text('county'), text('out')]
  const said = new Set<string>()
  readPlace(values)
  refuseDash(out ?? '')
  if (out !== undefined && existsSync(out) && values.force !== true) {
    throw new CommandError(`${out} is there already; --force overwrites it`, 2)
  }
  return {
    ...readText(values),
    onWarning(line: string) {
      if (!said.has(line)) io.report(`warning: ${line}`)
      said.add(line)
    },
    sources: listFiles(positionals),
    named: positionals.join(' '),
    out,
    state,
    county,
    epsg: readEpsg(values),
    today: new Date(io.now()).toISOString().slice(0, 10),
    mappings: listMappingNames().map(loadMapping),
  }
}

const ENCODINGS = 'utf-8 windows-1252 iso-8859-1 utf-16le utf-16be cp437 cp850 macintosh'.split(' ')

function readText(values: CommandArgs['values']) {
  const { separator, encoding, skip } = values
  const named = separator === 'tab' || separator === '\\t' ? '\t' : separator
  if (typeof named === 'string' && named.length !== 1 && named !== 'fixed') {
    throw new CommandError(`--separator: "${named}" is not a character, tab or fixed`, 2)
  }
  readWord(values, 'encoding', ENCODINGS)
  if (typeof skip === 'string' && !/^\d{1,3}$/.test(skip)) {
    throw new CommandError(`--skip: "${skip}" is not a number of lines`, 2)
  }
  return {
    ...(typeof named === 'string' && { separator: named }),
    ...(typeof encoding === 'string' && { encoding }),
    ...(typeof skip === 'string' && { skip: Number(skip) }),
  }
}

/** Writes the draft, with the schema that its `$schema` names for editors. */
function writeDraft({ draft }: Inspection, out: string): void {
  const schema = relative(dirname(resolve(out)), SCHEMA_PATH)
  try {
    replaceFile(out, showDraft(draft, schema), 0o666)
  } catch (error) {
    throw new CommandError(`${out} cannot be written: ${(error as Error).message}`, 1, error)
  }
}

/** Redraws a progress line on a terminal, because long files take a while. */
function progress(io: CommandIo, size: number) {
  let [bytes, rows, drawn] = [0, 0, 0]
  const draw = () => {
    if (!io.terminal || io.json || io.now() - drawn < 200) return
    drawn = io.now()
    const share = size === 0 ? 100 : Math.min(99, Math.floor((100 * bytes) / size))
    process.stderr.write(`\r${rows.toLocaleString('en-US')} rows, ${share} %\u001b[K`)
  }
  return {
    onRead(moreRows: number, moreBytes: number) {
      rows += moreRows
      bytes += moreBytes
      draw()
    },
    end() {
      if (drawn > 0) process.stderr.write('\r\u001b[K')
    },
  }
}

/** The whole inspection; its draft as a mapping document, and as guesses with reasons. */
function showJson(inspection: Inspection, draftFile: string | null) {
  const { draft, fits, ...rest } = inspection
  const best = fits[0]
  return {
    ...rest,
    mapping: best !== undefined && best.score >= FITS_FROM ? best.name : null,
    fits,
    draft: draftDocument(draft),
    warnings: [
      ...draft.warnings,
      ...inspection.unplaced.map(describeUnplaced),
      ...inspection.outside.map(describeOutside),
    ],
    guesses: [...draft.settings.map((one) => ({ section: null, ...one })), ...draft.entries].map(
      ({ section, name, value, certainty, why }) => ({ section, name, value, certainty, why }),
    ),
    draftFile,
  }
}
