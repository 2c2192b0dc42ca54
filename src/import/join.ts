/**
 * Several kinds of file that make one roll: a values file or a list of sales beside an owners file,
 * joined on keys.
 *
 * The further kinds are put into tables on disk first, so that none has to fit into memory; then
 * each row of the first is lengthened by the columns of its partners. Several partners make several
 * rows of one parcel, which `repeats` of the mapping merges: its first row has the first partner of
 * each kind, its second the second, so that five sales and two buildings make five rows, not ten.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../errors.ts'
import type { Batch, SourceOptions } from './batch.ts'
import { Columns, compileValue, type Getter } from './mapping/expression.ts'
import type { JoinRule, MappingDocument } from './mapping/mapping.ts'
import { readSource } from './source.ts'

/** The further files of a mapping, ready to lengthen rows of the roll. */
export type Joined = {
  /** Columns that every row gains. */
  columns: readonly string[]
  /** Whether columns are those of the second kind. */
  isPartner(columns: readonly string[]): boolean
  /** The batch with the columns of each row's partners. */
  extend(batch: Batch): Batch
  close(): void
}

/**
 * Reads the files of the further kinds; `undefined` when the mapping joins nothing. Throws
 * `CommandError` when no file is of a kind that is needed.
 */
export async function openJoin(
  job: { files: string[]; mapping: MappingDocument },
  options: Omit<SourceOptions, 'fits'>,
): Promise<Joined | undefined> {
  const rules = [job.mapping.join ?? []].flat()
  if (rules.length === 0) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'platbook-join-'))
  const db = new DatabaseSync(join(folder, 'partners.db'))
  const close = () => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    const kinds: Kind[] = []
    for (const [at, rule] of rules.entries()) {
      const table = `partner_${at}`
      db.exec(`CREATE TABLE ${table} (key TEXT, texts TEXT)`)
      const columns = await readPartners(db, table, rule, job, options)
      db.exec(`CREATE INDEX ${table}_key ON ${table} (key)`)
      if (columns !== undefined) kinds.push({ rule, table, columns })
    }
    const isPartner = (columns: readonly string[]) =>
      rules.some(({ needs }) => hasColumns(columns, needs))
    const columns = kinds.flatMap((kind) => kind.columns)
    return { columns, isPartner, extend: makeExtend(db, job.mapping, kinds), close }
  } catch (error) {
    close()
    throw error
  }
}

/** A further kind of file that is there. */
type Kind = { rule: JoinRule; table: string; columns: readonly string[] }

function hasColumns(columns: readonly string[], needed: string[]): boolean {
  const known = new Columns(columns)
  return needed.every((name) => known.find(name) !== undefined)
}

/**
 * Files the rows of one kind by their key; their columns, or `undefined` when no file is of it and
 * none need be.
 */
async function readPartners(
  db: DatabaseSync,
  table: string,
  rule: JoinRule,
  job: { files: string[]; mapping: MappingDocument },
  options: Omit<SourceOptions, 'fits'>,
): Promise<readonly string[] | undefined> {
  const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?)`)
  const isPartner = (columns: readonly string[]) => hasColumns(columns, rule.needs)
  let columns: readonly string[] | undefined
  let key: Getter | undefined
  for await (const batch of readSource(job.files, { ...options, fits: isPartner })) {
    if (!isPartner(batch.columns)) continue
    if (columns !== undefined && columns.join('\n') !== batch.columns.join('\n')) {
      throw new CommandError(`${batch.file} has other columns than the file joined before it`)
    }
    columns = batch.columns
    key ??= compileValue(rule.key, new Columns(columns), job.mapping.nulls ?? [])
    db.exec('BEGIN')
    for (const row of batch.rows) {
      const text = key?.(row) ?? null
      if (text !== null) insert.run(text.toUpperCase(), JSON.stringify(row))
    }
    db.exec('COMMIT')
  }
  if (columns !== undefined || rule.optional === true) return columns
  throw new CommandError(
    `the mapping ${job.mapping.name} joins a second file with the columns ` +
      `${rule.needs.join(', ')}, and none of the files has them`,
  )
}

function makeExtend(db: DatabaseSync, mapping: MappingDocument, kinds: Kind[]) {
  const finds = kinds.map(({ table }) =>
    db.prepare(`SELECT texts FROM ${table} WHERE key = ? ORDER BY rowid`),
  )
  const added = kinds.flatMap(({ columns }) => columns)
  let columns: readonly string[] | undefined
  let longer: readonly string[] = []
  let keys: (Getter | undefined)[] = []
  /** Partners of a row, by kind. */
  const partnersOf = (row: string[]): string[][][] =>
    kinds.map((_, at) => {
      const text = keys[at]?.(row) ?? null
      const found = text === null ? [] : (finds[at]?.all(text.toUpperCase()) ?? [])
      return found.map(({ texts }) => JSON.parse(String(texts)) as string[])
    })
  return (batch: Batch): Batch => {
    if (batch.columns !== columns) {
      columns = batch.columns
      longer = [...columns, ...added]
      const own = new Columns(columns)
      keys = kinds.map(({ rule }) => compileValue(rule.to, own, mapping.nulls ?? []))
    }
    const result: Batch = { ...batch, columns: longer, rows: [], lines: [] }
    if (batch.points !== undefined) result.points = []
    if (batch.polygons !== undefined) result.polygons = []
    batch.rows.forEach((row, at) => {
      const partners = partnersOf(row)
      const count = Math.max(1, ...partners.map(({ length }) => length))
      for (let place = 0; place < count; place += 1) {
        const more = kinds.flatMap(
          (kind, index) => partners[index]?.[place] ?? kind.columns.map(() => ''),
        )
        result.rows.push([...row, ...more])
        result.lines.push(batch.lines[at] ?? 0)
        result.points?.push(batch.points?.[at] ?? null)
        result.polygons?.push(batch.polygons?.[at] ?? null)
      }
    })
    return result
  }
}
