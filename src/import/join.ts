/**
 * Joins several kinds of file into one roll on their keys. An example is a file of values or a list
 * of sales with a file of owners.
 *
 * The further kinds are first written to tables on disk, so none has to fit into memory. Then each
 * row of the first kind gets the columns of its partner rows. A parcel with several partners
 * becomes several rows, which the mapping's `repeats` merges. The first row takes the first partner
 * of each kind, the second row the second. So five sales and two buildings make five rows, not ten.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../base/errors.ts'
import type { RowPlace } from '../store/origins/origins.ts'
import type { Batch } from './batch.ts'
import { Columns, columnKey, compileValue, type Getter } from './mapping/expression.ts'
import type { JoinRule, MappingDocument, Value } from './mapping/mapping.ts'
import type { Origins } from './origins/origins.ts'
import type { BrokenRow } from './readers/csv.ts'
import { isBlank } from './rows/normalize.ts'
import { optionsOf, readSource } from './source.ts'
import { makeTemporary } from './temporary.ts'

/** The further files of a mapping, ready to be joined to rows of the roll. */
export type Joined = {
  /** Columns added to every row; `''` for keys, which the roll has. */
  columns: readonly string[]
  /** Reports whether these columns belong to one of the further kinds. */
  isPartner(columns: readonly string[]): boolean
  extend(batch: Batch): Batch
  /** Says which rows of the further files no parcel has got, after the last batch. */
  listLost(): string[]
  close(): void
}

type JoinJob = { files: string[]; mapping: MappingDocument; geometry: boolean }

/** Reads joined files; `undefined`: no joins. Throws `CommandError` if a required kind has none. */
export async function openJoin(
  job: JoinJob,
  origins: Origins | undefined,
): Promise<Joined | undefined> {
  const rules = [job.mapping.join ?? []].flat()
  if (rules.length === 0) return undefined
  const temporary = makeTemporary()
  const folder = temporary.path
  const db = new DatabaseSync(join(folder, 'partners.db'))
  const close = () => {
    db.close()
    temporary.remove()
  }
  try {
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    const kinds: Kind[] = []
    for (const [at, rule] of rules.entries()) {
      const table = `partner_${at}`
      db.exec(`CREATE TABLE ${table} (key TEXT, texts TEXT, part INTEGER, line INTEGER)`)
      const write = { db, table, rule, origins }
      const partners = await readPartners(write, job)
      db.exec(`CREATE INDEX ${table}_key ON ${table} (key)`)
      if (partners !== undefined) kinds.push({ rule, table, ...partners })
    }
    const isPartner = (columns: readonly string[]) =>
      rules.some(({ needs }) => hasColumns(columns, needs))
    const columns = kinds.flatMap(listAdded)
    const listLost = () => kinds.flatMap((kind) => describeLost(db, kind))
    return { columns, isPartner, extend: makeExtend(db, job.mapping, kinds), listLost, close }
  } catch (error) {
    close()
    throw error
  }
}

type PartnerTable = {
  db: DatabaseSync
  table: string
  rule: JoinRule
  origins: Origins | undefined
}

/** The rows of a kind. Those without a key are in no table. */
type Partners = {
  columns: readonly string[]
  file: string
  rows: number
  keyless: number
  /** Whether a program read all keys as decimals: `1001.0` is then 1001. */
  pointed: boolean
  /** Unreadable rows, and the first of them. */
  broken: number
  bad: BrokenRow | undefined
  /** A bit for each row of the table, set when a parcel has got it. */
  taken: Uint8Array
}

/** A further kind of file that is present. */
type Kind = Partners & { rule: JoinRule; table: string }

/** Says how many rows of a kind were lost: unreadable, without a key, or of no parcel. */
function describeLost(db: DatabaseSync, { table, file, rows, keyless, broken, bad, taken }: Kind) {
  const said: string[] = []
  if (bad !== undefined) {
    const count = `${show(broken)} ${broken === 1 ? 'row' : 'rows'}`
    said.push(`${file}: ${count} could not be read (first: line ${bad.line}: ${bad.reason})`)
  }
  let lost = keyless
  let first = keyless > 0 ? 'a row without a key' : undefined
  for (let at = 0; at < rows - keyless; at += 1) {
    if (((taken[at >> 3] ?? 0) & (1 << (at & 7))) !== 0) continue
    lost += 1
    first ??= String(db.prepare(`SELECT key FROM ${table} WHERE rowid = ?`).get(at + 1)?.key)
  }
  if (lost > 0) {
    const verb = lost === 1 ? 'belongs' : 'belong'
    said.push(
      `${file}: ${show(lost)} of ${show(rows)} rows ${verb} to no parcel of the roll ` +
        `(first key: ${first})`,
    )
  }
  return said
}

const show = (count: number) => count.toLocaleString('en-US')

/** The columns of a further kind; its key is the roll's, so that it gets no name. */
const listAdded = ({ rule: { key }, columns }: Kind) =>
  columns.map((name) => (isKey(name, key) ? '' : name))

/** Reports whether a kind's key is this column, perhaps rewritten. */
export const isKey = (name: string, key: Value) =>
  [typeof key === 'string' ? key : (key.column ?? [])]
    .flat()
    .some((own) => columnKey(own) === columnKey(name))

/** Names the columns of joined rows: `ZIP (2)` is a partner's where the roll has a `ZIP` too. */
export function nameJoined(own: readonly string[], added: readonly string[]): string[] {
  const counts = new Map(own.map((name) => [columnKey(name), 1]))
  const more = added.map((name) => {
    const count = (counts.get(columnKey(name)) ?? 0) + 1
    counts.set(columnKey(name), count)
    return name === '' || count === 1 ? name : `${name} (${count})`
  })
  return [...own, ...more]
}

function hasColumns(columns: readonly string[], needed: string[]): boolean {
  const known = new Columns(columns)
  return needed.every((name) => known.find(name) !== undefined)
}

/** Writes the rows of one kind to its table by key; `undefined` when an optional one is missing. */
async function readPartners(
  { db, table, rule, origins }: PartnerTable,
  job: JoinJob,
): Promise<Partners | undefined> {
  const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?, ?, ?)`)
  const isPartner = (columns: readonly string[]) => hasColumns(columns, rule.needs)
  const found = {
    file: '',
    rows: 0,
    keyless: 0,
    broken: 0,
    bad: undefined as BrokenRow | undefined,
  }
  let pointed = true
  let columns: readonly string[] | undefined
  let key: Getter | undefined
  for await (const batch of readSource(job.files, { ...optionsOf(job), fits: isPartner })) {
    if (!isPartner(batch.columns)) continue
    if (columns !== undefined && columns.join('\n') !== batch.columns.join('\n')) {
      throw new CommandError(`${batch.file} has other columns than the file joined before it`)
    }
    columns = batch.columns
    key ??= compileValue(rule.key, new Columns(columns), job.mapping.nulls ?? [])
    found.file ||= batch.file
    found.bad ??= batch.broken[0]
    found.broken += batch.broken.length
    const part = origins?.seePartners(batch) ?? 0
    db.exec('BEGIN')
    batch.rows.forEach((row, at) => {
      const text = key?.(row) ?? null
      if (text === null && isBlank(row)) return
      found.rows += 1
      if (text === null) {
        found.keyless += 1
        return
      }
      pointed &&= POINTED.test(text)
      insert.run(text.toUpperCase(), JSON.stringify(row), part, batch.lines[at] ?? 0)
    })
    db.exec('COMMIT')
  }
  const taken = new Uint8Array((found.rows >> 3) + 1)
  if (pointed) db.exec(`UPDATE ${table} SET key = substr(key, 1, instr(key, '.') - 1)`)
  if (columns !== undefined) return { columns, ...found, pointed, taken }
  if (rule.optional === true) return undefined
  throw new CommandError(
    `the mapping ${job.mapping.name} joins a second file with the columns ` +
      `${rule.needs.join(', ')}, and none of the files has them`,
  )
}

const POINTED = /^\d+\.0+$/

type Partner = { row: string[]; place: RowPlace }

function makeExtend(db: DatabaseSync, mapping: MappingDocument, kinds: Kind[]) {
  const finds = kinds.map(({ table }) =>
    db.prepare(`SELECT rowid, texts, part, line FROM ${table} WHERE key = ? ORDER BY rowid`),
  )
  let columns: readonly string[] | undefined
  let longer: readonly string[] = []
  let keys: (Getter | undefined)[] = []
  const partnersOf = (row: string[]): Partner[][] =>
    kinds.map(({ taken, pointed }, at) => {
      const text = keys[at]?.(row)?.toUpperCase()
      const own = text !== undefined && pointed ? text.replace(/\.0+$/, '') : text
      const found = own === undefined ? [] : (finds[at]?.all(own) ?? [])
      return found.map(({ rowid, texts, part, line }) => {
        const bit = Number(rowid) - 1
        taken[bit >> 3] = (taken[bit >> 3] ?? 0) | (1 << (bit & 7))
        return {
          row: JSON.parse(String(texts)) as string[],
          place: { part: Number(part), line: Number(line) },
        }
      })
    })
  return (batch: Batch): Batch => {
    if (batch.columns !== columns) {
      columns = batch.columns
      longer = nameJoined(columns, kinds.flatMap(listAdded))
      const own = new Columns(columns)
      keys = kinds.map(({ rule }) => compileValue(rule.to, own, mapping.nulls ?? []))
    }
    const result: Batch = { ...batch, columns: longer, rows: [], lines: [], partners: [] }
    if (batch.points !== undefined) result.points = []
    if (batch.polygons !== undefined) result.polygons = []
    batch.rows.forEach((row, at) => {
      const partners = partnersOf(row)
      const count = Math.max(1, ...partners.map(({ length }) => length))
      for (let place = 0; place < count; place += 1) {
        const more = kinds.flatMap(
          (kind, index) => partners[index]?.[place]?.row ?? kind.columns.map(() => ''),
        )
        result.rows.push([...row, ...more])
        result.lines.push(batch.lines[at] ?? 0)
        result.partners?.push(kinds.map((_, index) => partners[index]?.[place]?.place ?? null))
        result.points?.push(batch.points?.[at] ?? null)
        result.polygons?.push(batch.polygons?.[at] ?? null)
      }
    })
    return result
  }
}
