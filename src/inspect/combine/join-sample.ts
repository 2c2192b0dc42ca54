/** Adds the columns of the joined tables to the kept rows of a roll. */
import { isKey, nameJoined } from '../../import/join.ts'
import type { NullKind } from '../sample/nulls.ts'
import type { Column, Sample, SampleOptions } from '../sample/sample.ts'
import { compileKey, findRows, type Match, readBatches } from './match.ts'
import type { Table } from './pairs.ts'

/** Reads the other tables again; takes the first of a row's partners. */
export async function joinSample(
  roll: Table,
  partners: { table: Table; match: Match }[],
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
    const share = (roll.sample.rows * match.covered) / Math.max(1, table.sample.rows)
    sample = {
      ...sample,
      columns: [
        ...sample.columns,
        ...added.map((column, at) => ({ ...scale(column, share), name: named[at] ?? '' })),
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
