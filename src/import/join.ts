/**
 * Two kinds of file that make one roll: a values file beside an owners file, joined on a key.
 *
 * The second kind is put into a table on disk first, so that neither has to fit into memory; then each row of the first is lengthened by the columns of its
 * partner. Several partners make several rows of one parcel, which `repeats` of the mapping merges.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CommandError } from '../errors.ts'
import { Columns, compileValue, type Getter } from './expression.ts'
import type { MappingDocument } from './mapping.ts'
import { type Batch, readSource, type SourceOptions } from './source.ts'

export type Joined = {
  /** Columns that every row gains. */
  columns: readonly string[]
  /** Whether columns are those of the second kind. */
  isPartner(columns: readonly string[]): boolean
  /** The batch with the columns of each row's partners. */
  extend(batch: Batch): Batch
  close(): void
}

/** Reads the files of the second kind; `undefined` when the mapping joins nothing. Throws `CommandError` when no file is of that kind. */
export async function openJoin(
  job: { files: string[]; mapping: MappingDocument },
  options: Omit<SourceOptions, 'fits'>,
): Promise<Joined | undefined> {
  const rule = job.mapping.join
  if (rule === undefined) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'platbook-join-'))
  const db = new DatabaseSync(join(folder, 'partners.db'))
  const close = () => {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
      CREATE TABLE partner (key TEXT, texts TEXT)`)
    const isPartner = (columns: readonly string[]) => hasColumns(columns, rule.needs)
    const columns = await readPartners(db, job, options, isPartner)
    db.exec('CREATE INDEX partner_key ON partner (key)')
    return { columns, isPartner, extend: makeExtend(db, job.mapping, columns), close }
  } catch (error) {
    close()
    throw error
  }
}

function hasColumns(columns: readonly string[], needed: string[]): boolean {
  const known = new Columns(columns)
  return needed.every((name) => known.find(name) !== undefined)
}

/** Files the rows of the second kind by their key; their columns. */
async function readPartners(
  db: DatabaseSync,
  job: { files: string[]; mapping: MappingDocument },
  options: Omit<SourceOptions, 'fits'>,
  isPartner: (columns: readonly string[]) => boolean,
): Promise<readonly string[]> {
  const { join: rule, nulls = [] } = job.mapping
  const insert = db.prepare('INSERT INTO partner VALUES (?, ?)')
  let columns: readonly string[] | undefined
  let key: Getter | undefined
  for await (const batch of readSource(job.files, { ...options, fits: isPartner })) {
    if (!isPartner(batch.columns)) continue
    if (columns !== undefined && columns.join('\n') !== batch.columns.join('\n')) {
      throw new CommandError(`${batch.file} has other columns than the file joined before it`)
    }
    columns = batch.columns
    key ??= compileValue(rule?.key ?? '', new Columns(columns), nulls)
    db.exec('BEGIN')
    for (const row of batch.rows) {
      const text = key?.(row) ?? null
      if (text !== null) insert.run(text.toUpperCase(), JSON.stringify(row))
    }
    db.exec('COMMIT')
  }
  if (columns !== undefined) return columns
  throw new CommandError(
    `the mapping ${job.mapping.name} joins a second file with the columns ${rule?.needs.join(', ')}, and none of the files has them`,
  )
}

function makeExtend(db: DatabaseSync, mapping: MappingDocument, added: readonly string[]) {
  const find = db.prepare('SELECT texts FROM partner WHERE key = ? ORDER BY rowid')
  const blank = added.map(() => '')
  let columns: readonly string[] | undefined
  let longer: readonly string[] = []
  let key: Getter | undefined
  return (batch: Batch): Batch => {
    if (batch.columns !== columns) {
      columns = batch.columns
      longer = [...columns, ...added]
      key = compileValue(mapping.join?.to ?? '', new Columns(columns), mapping.nulls ?? [])
    }
    const result: Batch = { ...batch, columns: longer, rows: [], lines: [] }
    if (batch.points !== undefined) result.points = []
    if (batch.polygons !== undefined) result.polygons = []
    batch.rows.forEach((row, at) => {
      const text = key?.(row) ?? null
      const found = text === null ? [] : find.all(text.toUpperCase())
      const partners = found.map(({ texts }) => JSON.parse(String(texts)) as string[])
      for (const partner of partners.length === 0 ? [blank] : partners) {
        result.rows.push([...row, ...partner])
        result.lines.push(batch.lines[at] ?? 0)
        result.points?.push(batch.points?.[at] ?? null)
        result.polygons?.push(batch.polygons?.[at] ?? null)
      }
    })
    return result
  }
}
