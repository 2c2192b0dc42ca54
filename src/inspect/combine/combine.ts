/**
 * Combines several files into one roll: files of one layout are read as one table, others are
 * joined to it by a common key.
 */
import { basename } from 'node:path'
import { isKey, nameJoined } from '../../import/join.ts'
import { columnKey } from '../../import/mapping/expression.ts'
import type { JoinRule } from '../../import/mapping/mapping.ts'
import { percent } from '../compose/draft-builder.ts'
import { guessAll, SURE } from '../recognize/guess.ts'
import { makeSubjects } from '../recognize/subject.ts'
import type { ColumnHints } from '../sample/column-hints.ts'
import type { NullKind } from '../sample/nulls.ts'
import { type Column, type Sample, type SampleOptions, takeSample } from '../sample/sample.ts'
import { groupByLayout, type Layout } from './layouts.ts'
import {
  chooseMatch,
  compileKey,
  findRows,
  listPairs,
  type Match,
  readBatches,
  sketchKeys,
  type Table,
} from './match.ts'

/** What was done with the files of one layout. */
type LayoutReport = {
  files: string[]
  rows: number
  columns: number
  use: 'roll' | 'joined' | 'left out'
  why: string
}

type Options = SampleOptions & { today: string; hints?: ColumnHints }
type Partner = { table: Table; match: Match; rule: JoinRule }

/** Most layouts compared; a folder with more is not one roll. */
const MOST_LAYOUTS = 12
/** Share of a table's keys that shapes must have before the table is joined to the shapes. */
const COVERED = 0.9
/** Share of a table's rows, at least, whose key no other has, where each is of one parcel. */
const SINGLE = 0.98

/**
 * Reads all files, the joined ones several times. Throws `CommandError` for what import cannot
 * read.
 */
export async function combineFiles(paths: string[], options: Options) {
  const layouts = await groupByLayout(paths, options)
  const [first] = layouts
  if (layouts.length === 1 && first !== undefined) {
    const { paths, lacking } = first
    const sample = await takeSample(paths, options)
    const counts = { files: paths, rows: sample.rows, columns: sample.columns.length }
    const report: LayoutReport = { ...counts, use: 'roll', why: describeRoll(paths.length) }
    const joins: JoinRule[] = []
    return { sample, roll: sample, layouts: [report], joins, lacking, repeats: false }
  }
  const tables: Table[] = []
  for (const layout of layouts.slice(0, MOST_LAYOUTS)) tables.push(await look(layout, options))
  const { roll, partners } = await arrange(tables, options)
  const sample = await joinSample(roll, partners, options)
  return {
    /** The roll's rows with the columns of the joined tables added; and alone. */
    ...{ sample, roll: roll.sample },
    layouts: [
      reportOf(roll, 'roll', describeRoll(roll.layout.paths.length)),
      ...tables.filter((table) => table !== roll).map((table) => reportOther(table, partners)),
      ...layouts.slice(MOST_LAYOUTS).map(reportUnread),
    ],
    joins: partners.map(({ rule }) => rule),
    lacking: roll.layout.lacking,
    /** Whether a row of the roll has several partners. */
    repeats: partners.some(({ match }) => match.otherUnique < 0.9995),
  }
}

async function look(layout: Layout, options: Options): Promise<Table> {
  const sample = await takeSample(layout.paths, options)
  const subjects = makeSubjects(sample, options.today, options.hints)
  return { layout, sample, subjects, guesses: guessAll(subjects) }
}

/**
 * Chooses the table that holds the parcels, and the tables to join to it. Shapes come first when
 * they cover nearly all parcels.
 */
async function arrange(tables: Table[], options: Options) {
  const [roll, ...others] = [...tables].sort((a, b) => likeRoll(b) - likeRoll(a)) as [
    Table,
    ...Table[],
  ]
  const partners = await findPartners(roll, others, options)
  const shaped = partners.find(
    ({ table, match }) =>
      hasShapes(table) && !hasShapes(roll) && match.covered >= COVERED && match.rollUnique >= 0.98,
  )
  if (shaped === undefined) return { roll, partners }
  const rest = tables.filter((table) => table !== shaped.table)
  return { roll: shaped.table, partners: await findPartners(shaped.table, rest, options) }
}

const hasShapes = ({ sample }: Table) => sample.points.some((point) => point !== null)

/**
 * Scores how much a table looks like a roll: a unique ID, owners, addresses, and the number of
 * recognized columns.
 */
function likeRoll({ guesses, sample }: Table): number {
  const sure = guesses.filter(({ certainty }) => certainty >= SURE)
  const has = (...fields: string[]) => sure.some(({ field }) => fields.includes(field))
  const id = sure.find(({ field }) => field === 'parcelId')
  const unique = id === undefined ? 0 : id.subject.contents.uniqueness
  return (
    (unique > 0.95 ? 4 : -2) +
    (has('ownerName1', 'ownerLast') ? 3 : 0) +
    (has('address', 'streetName', 'addressFull') ? 3 : 0) +
    Math.min(2, new Set(sure.map(({ field }) => field)).size / 20) +
    Math.min(1, Math.log10(sample.rows + 1) / 10)
  )
}

async function findPartners(roll: Table, others: Table[], options: Options): Promise<Partner[]> {
  const pairsOf = new Map(others.map((other) => [other, listPairs(roll, other)]))
  const asked = [...pairsOf.values()].flat().map(({ to }) => to)
  const own = await sketchKeys(roll.layout.paths, options, asked)
  const partners: Partner[] = []
  for (const [table, pairs] of pairsOf) {
    const keys = pairs.map(({ key }) => key)
    const sketches = await sketchKeys(table.layout.paths, options, keys)
    const match = chooseMatch(pairs, own, sketches)
    if (match === undefined) continue
    const needs = findNeeds(match, table, [roll, ...others.filter((one) => one !== table)])
    if (needs === undefined) continue
    partners.push({ table, match, rule: { needs, key: match.pair.key, to: match.pair.to } })
  }
  return partners
}

/**
 * Returns the columns that identify a table's files among all others; `undefined` when another
 * table has all of its columns.
 */
function findNeeds({ pair }: Match, table: Table, others: Table[]): string[] | undefined {
  const needs = [...pair.keyColumns]
  for (const other of others) {
    const theirs = new Set(other.subjects.map(({ name }) => columnKey(name)))
    if (needs.some((name) => !theirs.has(columnKey(name)))) continue
    const own = table.subjects.find(
      ({ name }) =>
        name !== '' && !theirs.has(columnKey(name)) && !table.layout.lacking.includes(name),
    )
    if (own === undefined) return undefined
    needs.push(own.name)
  }
  return needs
}

/** Adds the columns of the other tables to the roll's kept rows: of a row's partners the first. */
async function joinSample(
  roll: Table,
  partners: Partner[],
  options: SampleOptions,
): Promise<Sample> {
  let sample = roll.sample
  for (const { table, match } of partners) {
    const own = sample.columns.map(({ name }) => name)
    const added = table.sample.columns.filter(({ name }) => !isKey(name, match.pair.key))
    const getKey = compileKey(
      match.pair.to,
      roll.sample.columns.map(({ name }) => name),
    )
    const keys = sample.kept.map((row) => getKey(row))
    const wanted = new Set(keys.filter((key) => key !== null))
    const names = added.map(({ name }) => name)
    const named = nameJoined(own, names).slice(own.length)
    const rows = await findRows(
      readBatches(table.layout.paths, options),
      match.pair.key,
      wanted,
      names,
    )
    const blank = names.map(() => '')
    const isOfSeveral = match.otherUnique < SINGLE && !hasShapes(table)
    const share = (roll.sample.rows * match.covered) / Math.max(1, table.sample.rows)
    sample = {
      ...sample,
      columns: [
        ...sample.columns,
        ...added.map((column, at) => ({
          ...{ ...scale(column, share), name: named[at] ?? '' },
          isOfSeveral,
        })),
      ],
      kept: sample.kept.map((row, at) => [...row, ...(rows.get(keys[at] ?? '') ?? blank)]),
    }
  }
  return sample
}

/** Scales the counts of a column as if its table had one row for each roll row with a partner. */
function scale(column: Column, share: number): Column {
  const count = (number: number) => Math.round(number * share)
  const counts = (nulls: Partial<Record<NullKind, number>>) =>
    Object.fromEntries(
      Object.entries(nulls)
        .map(([kind, number]) => [kind, count(number)] as const)
        .filter(([, number]) => number > 0),
    )
  const { filled, nulls, rare, distinct } = column
  return {
    ...column,
    filled: count(filled),
    nulls: counts(nulls),
    rare: counts(rare),
    distinct: distinct === undefined ? undefined : Math.min(count(filled), distinct),
  }
}

function describeRoll(files: number): string {
  return files === 1 ? 'has the parcels' : `${files} files of one layout: read as one roll`
}

function reportOf({ layout, sample }: Table, use: LayoutReport['use'], why: string): LayoutReport {
  return { files: layout.paths, rows: sample.rows, columns: sample.columns.length, use, why }
}

function reportOther(table: Table, partners: Partner[]): LayoutReport {
  const partner = partners.find((one) => one.table === table)
  if (partner === undefined) {
    const why = 'another layout, and no column has the keys of the roll: import it by itself'
    return reportOf(table, 'left out', why)
  }
  return reportOf(table, 'joined', describeMatch(partner.match))
}

/**
 * Describes a join: `PIN is TAXLOT of the roll: 98 % of its keys are there, 40 % of the roll's
 * parcels have one`.
 */
function describeMatch({ pair, found, covered, otherUnique }: Match): string {
  const [key, to] = [pair.keyColumns, pair.toColumns].map((names) => names.join(' with '))
  const form = pair.form === '' ? '' : ` ${pair.form}`
  const several = otherUnique < 0.9995 ? '; several rows may belong to one parcel' : ''
  return (
    `${key} is ${to} of the roll${form}: the roll has ${percent(found)} of its keys, ` +
    `and ${percent(covered)} of the roll's keys are in it${several}`
  )
}

function reportUnread({ paths, columns }: Layout): LayoutReport {
  const why = `more than ${MOST_LAYOUTS} layouts: not looked at`
  return { files: paths, rows: 0, columns: columns.length, use: 'left out', why }
}

/** Lists file names for a sentence: a few, and the number of others. */
export function describeFiles(files: string[]): string {
  const names = files.slice(0, 3).map((path) => basename(path))
  return files.length > 3 ? `${names.join(', ')} and ${files.length - 3} more` : names.join(', ')
}
