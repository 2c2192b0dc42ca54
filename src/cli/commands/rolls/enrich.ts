/** `platbook enrich`: adds fields of the records to a list with addresses or parcel IDs. */
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { closing } from '../../../base/at-end.ts'
import { CommandError } from '../../../base/errors.ts'
import { didYouMean } from '../../../base/nearest.ts'
import { needRoom } from '../../../base/safe-files.ts'
import { type Answers, answersOfService, answersOfStore } from '../../../enrich/answers.ts'
import { type Checkpoint, type Counts, openCheckpoint } from '../../../enrich/checkpoint.ts'
import { findRoles, ROLES, type Role } from '../../../enrich/columns.ts'
import { makeAsker } from '../../../enrich/questions.ts'
import { type List, openList } from '../../../enrich/read-list.ts'
import { enrichList, OWN_COLUMNS } from '../../../enrich/run.ts'
import { makeWriter } from '../../../enrich/write-list.ts'
import { noteCopy } from '../../../privacy/copies.ts'
import { FLAT_SCHEMA } from '../../../record/schema.ts'
import { type CommandArgs, type CommandIo, command, refuseDash } from '../../command.ts'
import { readService, type Service } from '../../option-values.ts'
import { printResult } from '../../table.ts'

const DEFAULT_FIELDS =
  'address,city,state,zipCode,county,parcelId,ownerName1,ownerName2,ownerAddressFull,' +
  'useDescription,yearBuilt,buildingArea,totalMarketValue,taxValue,transferDate,transferPrice'
const PROGRESS_MS = 2000

export const enrichCommand = command('enrich', async (args, io) => {
  const [file = ''] = args.positionals
  const dryRun = args.values['dry-run'] === true
  const service = readService(args, io)
  const out = readOut(args, dryRun)
  const keepsFormulas = readFormulas(args)
  const list = await openList(file)
  const [first, rows] = await peek(list.rows)
  const roles = findRoles(list.columns, first, readNamed(args))
  const fields = nameFields(args, list.columns)
  const added = [...OWN_COLUMNS, ...fields.values()]
  const writer = makeWriter(out ?? 'none.csv', list.columns, added, keepsFormulas)
  const { size, mtimeMs } = statSync(file)
  const asked = [file, size, mtimeMs, roles, added, keepsFormulas]
  const options = JSON.stringify([...asked, service?.url ?? io.config.data])
  // The answers add at least as much again.
  if (out !== undefined) needRoom(dirname(out), 2 * size, 'the list')
  const checkpoint =
    out === undefined ? undefined : openCheckpoint(out, options, args.values.force === true)
  const ask = makeAsker(roles, service === undefined)
  if (checkpoint !== undefined && checkpoint.counts.rows > 0) {
    io.report(`Going on after ${n(checkpoint.counts.rows)} rows`)
  }
  if (dryRun && service !== undefined) return reportUsable(rows, ask, io)
  await using answers = closing(await open(service, checkpoint, [...fields.keys()], io))
  const counts = await enrichList({
    ...{ ask, answers, writer, checkpoint },
    fields: [...fields.keys()],
    list: { columns: list.columns, rows },
    sync: service !== undefined,
    progress: drawProgress(io),
  })
  if (out !== undefined) noteCopy(io.config.data, 'enrich', out, io.now())
  reportCounts(counts, answers, io)
})

function readFormulas({ values }: CommandArgs): boolean {
  const { formulas } = values
  if (formulas === undefined || formulas === 'keep') return formulas === 'keep'
  throw new CommandError('--formulas takes keep', 2)
}

function readOut({ values, positionals }: CommandArgs, dryRun: boolean): string | undefined {
  if (dryRun) return undefined
  if (typeof values.out !== 'string' || values.out === '') {
    throw new CommandError('enrich needs --out FILE, or --dry-run', 2)
  }
  refuseDash(values.out)
  if (values.out === positionals[0]) throw new CommandError('--out is the input itself', 2)
  return values.out
}

function readNamed({ values }: CommandArgs): Partial<Record<Role, string>> {
  return Object.fromEntries(
    ROLES.flatMap((role) => (typeof values[role] === 'string' ? [[role, values[role]]] : [])),
  )
}

/** Names the added columns by field. Throws `CommandError` for unknown fields and taken names. */
function nameFields({ values }: CommandArgs, columns: readonly string[]): Map<string, string> {
  const known = Object.keys(FLAT_SCHEMA.properties as object)
  const prefix = typeof values.prefix === 'string' ? values.prefix : 'platbook'
  const asked = typeof values.fields === 'string' ? values.fields : DEFAULT_FIELDS
  const fields = new Map<string, string>()
  for (const field of asked.split(',').map((name) => name.trim())) {
    if (!known.includes(field)) {
      throw new CommandError(`--fields: there is no field "${field}"${didYouMean(field, known)}`, 2)
    }
    const capital = /[A-Za-z]$/.test(prefix) ? field.charAt(0).toUpperCase() : field.charAt(0)
    fields.set(field, `${prefix}${capital}${field.slice(1)}`)
  }
  const taken = [...OWN_COLUMNS, ...fields.values()].find(
    (name, at, all) => columns.includes(name) || all.indexOf(name) !== at,
  )
  if (taken === undefined) return fields
  throw new CommandError(`the column ${taken} is there already; choose another --prefix`, 2)
}

const SAMPLE_ROWS = 100

async function peek(rows: List['rows']): Promise<[readonly string[][], List['rows']]> {
  const sample: Awaited<ReturnType<typeof rows.next>>['value'][] = []
  while (sample.length < SAMPLE_ROWS) {
    const { value, done } = await rows.next()
    if (done === true) break
    sample.push(value)
  }
  async function* all(): List['rows'] {
    yield* sample
    yield* rows
  }
  return [sample.map(({ cells }) => cells), all()]
}

async function open(
  service: Service | undefined,
  checkpoint: Checkpoint | undefined,
  fields: readonly string[],
  io: CommandIo,
): Promise<Answers> {
  if (service === undefined) return answersOfStore(io.config, fields)
  return answersOfService(service.url, service.key, checkpoint?.run ?? '')
}

async function reportUsable(
  rows: List['rows'],
  ask: ReturnType<typeof makeAsker>,
  io: CommandIo,
): Promise<void> {
  let all = 0
  let askable = 0
  for await (const { cells, broken } of rows) {
    all += 1
    if (broken === undefined && ask(cells).length > 0) askable += 1
  }
  const cost = 'those that are found cost the price of batch each'
  printResult(io, { rows: all, askable }, `${n(askable)} of ${n(all)} rows would be asked; ${cost}`)
}

function drawProgress(io: CommandIo): (counts: Counts) => void {
  let reportedAt = io.now()
  let rowsThen = 0
  return ({ rows, found }) => {
    const elapsed = io.now() - reportedAt
    if (elapsed < PROGRESS_MS) return
    const rate = Math.round(((rows - rowsThen) / elapsed) * 1000)
    reportedAt += elapsed
    rowsThen = rows
    io.report(`${n(rows)} rows, ${percent(found, rows)} matched, ${n(rate)} rows/s`)
  }
}

function reportCounts(counts: Counts, answers: Answers, io: CommandIo): void {
  const { rows, found, none, ambiguous, invalid } = counts
  const tokens = answers.charged()
  const parts = `${n(none)} not found, ${n(ambiguous)} ambiguous, ${n(invalid)} invalid`
  const paid = tokens === 0 ? '' : `; ${n(tokens)} tokens`
  const line = `${n(found)} of ${n(rows)} rows matched (${percent(found, rows)}); ${parts}${paid}`
  printResult(io, { ...counts, tokensCharged: tokens }, line)
}

const n = (count: number) => count.toLocaleString('en-US')

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : ((part / whole) * 100).toFixed(1)} %`
}
