import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FILTERS, type FilterName } from '../../columns.ts'
import { sideSql } from '../../rolls/side-reader.ts'
import { DRIVEN, type Drive } from '../../walk/page-walk.ts'
import { openDatabase } from '../connection.ts'
import { DIALECT } from '../dialect.ts'
import { CELL_SQL, NEXT_CELL } from '../grid.ts'
import { PLACES } from './places.ts'
import {
  countSql,
  idsSql,
  type OwnerDrive,
  ownerSql,
  pageSql,
  pointsSql,
  recordsSql,
  SQL,
  tileRowsSql,
} from './statements.ts'

const db = openDatabase(':memory:', { kind: 'parcels', synchronous: 'NORMAL' })

const DRIVES = Object.keys(DRIVEN) as Drive[]
const CONDITIONS = Object.keys(FILTERS) as FilterName[]
const OWNER_DRIVES: OwnerDrive[] = [
  'person',
  'given',
  'organization',
  'either',
  'restStart',
  'word',
]

function* everyStatement(): Generator<[string, string]> {
  for (const [name, sql] of Object.entries(SQL)) yield [name, sql]
  // Counts are grouped by cell after a search by index; the others are as all statements.
  for (const [name, sql] of Object.entries(PLACES)) if (name !== 'counts') yield [name, sql]
  for (const drive of DRIVES) {
    for (const conditions of [[], ...CONDITIONS.map((one) => [one]), CONDITIONS]) {
      yield [`page by ${drive} where ${conditions}`, pageSql({ drive, conditions })]
      yield [`count by ${drive} where ${conditions}`, countSql(drive, conditions)]
    }
  }
  for (const [at, sql] of [...CELL_SQL, NEXT_CELL].entries()) yield [`cells ${at}`, sql]
  for (const condition of CONDITIONS) {
    yield [`points where ${condition}`, pointsSql({ conditions: [condition], count: 8 })]
  }
  for (const condition of CONDITIONS) yield [`ids where ${condition}`, idsSql([condition])]
  for (const count of [1, 10, 100]) {
    yield [`${count} records`, recordsSql(count)]
  }
  for (const count of [1, 500]) yield [`${count} rows of a tile`, tileRowsSql(count)]
  for (const drive of OWNER_DRIVES) {
    for (const county of [false, true]) {
      for (const words of [[], [1], [4, 2]]) {
        yield [`owner by ${drive}`, ownerSql({ drive, county, words, heads: [] })]
        if (drive !== 'word') continue
        const heads: OwnerDrive[] = ['person', 'given', 'restStart']
        yield ['owner by word, with heads', ownerSql({ drive, county, words, heads })]
      }
    }
  }
}

function planOf(sql: string): string[] {
  return db
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row.detail))
}

test('no serving statement scans a table of parcels', () => {
  for (const [name, sql] of everyStatement()) {
    const scans = planOf(sql).filter(
      (step) =>
        /^SCAN (?!c$|\(|e VIRTUAL|\w+ VIRTUAL TABLE INDEX 2:\w|json_each|[\d -]*(?:CONS|ROW))/.test(
          step,
        ) && step !== 'SCAN scopes',
    )
    assert.deepEqual(scans, [], `${name}: ${sql}`)
  }
})

test('no serving statement sorts: order comes from an index', () => {
  for (const [name, sql] of everyStatement()) {
    const sorts = planOf(sql).filter((step) => step.includes('TEMP B-TREE'))
    assert.deepEqual(sorts, [], `${name}: ${sql}`)
  }
})

test('what imports write besides rows is read by an index, and in its order', () => {
  const sorted = new Set(['versions', 'lineage', 'pastIds'])
  for (const [name, sql] of Object.entries(sideSql(DIALECT))) {
    const steps = planOf(sql)
    assert.deepEqual(
      steps.filter((step) => /^SCAN (?!json_each|\()/.test(step)),
      [],
      name,
    )
    if (sorted.has(name)) continue
    assert.deepEqual(
      steps.filter((step) => step.includes('TEMP B-TREE')),
      [],
      name,
    )
  }
})

test('a walk is a coroutine, which its page ends early', () => {
  for (const drive of DRIVES) {
    const plan = planOf(pageSql({ drive, conditions: ['assignedOnly'] }))
    assert.ok(
      plan.some((step) => /^CO-ROUTINE/.test(step)),
      plan.join('\n'),
    )
  }
})

test('no parameter has a name, which takes as long to find as a record', () => {
  for (const [name, sql] of everyStatement()) assert.doesNotMatch(sql, /[:@$]\w/, name)
})

test('no limit is a bare parameter: SQLite would prepare the statement for each value', () => {
  for (const [name, sql] of everyStatement()) {
    assert.doesNotMatch(sql, /(?:LIMIT|OFFSET)\s+[:?]/, name)
  }
})
