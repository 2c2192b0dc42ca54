/**
 * All statements that requests run on `parcels.db`, so that a test can examine each query plan.
 *
 * Walks are keyset walks over one index: an inner select, run as a coroutine, reads at most
 * `examine` entries after an id, the outer one filters.
 *
 * Limits are written `+?`, because SQLite plans by a bare one's value and prepares the statement
 * again: two fifths of a page's. Parameters have no names, since finding one costs as much as a
 * probe (docs/decisions/sqlite-reads.md).
 */
import { FILTERS, type FilterName } from '../../columns.ts'
import { type Drive, RANGE_IDS } from '../../walk/page-walk.ts'
import { OWNED, OWNED_JOIN } from '../owned.ts'

/** How an index is walked: its fixed columns, and the index used. */
const DRIVES: Record<Exclude<Drive, 'transfer'>, { index: string; fixed: string }> = {
  state: { index: 'parcels_by_state', fixed: 'state = ?' },
  county: { index: 'parcels_by_county', fixed: 'fips = ?' },
  city: { index: 'parcels_by_city', fixed: 'state = ? AND city = ?' },
  zip: { index: 'parcels_by_zip', fixed: 'state = ? AND zip = ?' },
  use: { index: 'parcels_by_use', fixed: 'state = ? AND use_code = ?' },
}

/** Returns a filter of property search as a condition on the inner select's columns. */
function testSql(filter: FilterName): string {
  const { column, test } = FILTERS[filter]
  if (test === 'is one of') return `instr(?, ${column} || ',') > 0 AND ${column} <> ''`
  if (test === 'is a line of') return `instr(?, char(10) || ${column} || char(10)) > 0`
  return test === 'is true' ? `${column} = 1` : `${column} ${test} ?`
}

export const RECORD = `r.id, r.loaded_at, r.field_values, r.geojson, r.sum, ${OWNED}`
const ENTRY = 'c.id, c.unit, c.kind, c.own_key, p.fips, p.city, p.zip'
export const RECORD_JOIN = `CROSS JOIN records r ON r.id = c.id ${OWNED_JOIN}`

function candidates(drive: Drive, conditions: FilterName[]): string {
  const tested = conditions.map((condition) => FILTERS[condition].column)
  const columns = [...new Set(['id', ...tested])].join(', ')
  if (drive === 'transfer') {
    return `SELECT ${columns} FROM parcels WHERE id IN (
        SELECT id FROM (SELECT id FROM parcels INDEXED BY parcels_by_transfer
          WHERE state = ? AND transfer_day >= ? LIMIT ${RANGE_IDS})
        WHERE id > ?) ORDER BY id LIMIT +?`
  }
  const { index, fixed } = DRIVES[drive]
  return `SELECT ${columns} FROM parcels INDEXED BY ${index}
    WHERE ${fixed} AND id > ? ORDER BY id LIMIT +?`
}

function where(conditions: FilterName[]): string {
  if (conditions.length === 0) return ''
  return `WHERE ${conditions.map((condition) => testSql(condition)).join(' AND ')}`
}

/** Caches SQL texts by their input: building and finding one took longer than running it. */
function remember<Asked>(
  keyOf: (asked: Asked) => string,
  make: (asked: Asked) => string,
): (asked: Asked) => string {
  const texts = new Map<string, string>()
  return (asked) => {
    const key = keyOf(asked)
    const known = texts.get(key)
    if (known !== undefined) return known
    if (texts.size >= TEXTS_MAX) texts.clear()
    const text = make(asked)
    texts.set(key, text)
    return text
  }
}

const TEXTS_MAX = 500

/**
 * Returns SQL for a page of records after an id. Values: the drive's, the id, the number to
 * examine, the conditions', limit and offset.
 */
export const pageSql = remember<{ drive: Drive; conditions: FilterName[] }>(
  ({ drive, conditions }) => `${drive} ${conditions}`,
  ({ drive, conditions }) => `SELECT ${RECORD} FROM (
      SELECT id FROM (${candidates(drive, conditions)}) ${where(conditions)} LIMIT +? OFFSET +?
    ) c ${RECORD_JOIN}`,
)

/**
 * Returns SQL that counts the entries of a slice after an id, the last id, and the matches. Values:
 * the drive's, the id, the number to examine, the conditions'.
 */
export function countSql(drive: Drive, conditions: FilterName[]): string {
  const matches = conditions.map((condition) => testSql(condition)).join(' AND ')
  return `WITH c AS (${candidates(drive, conditions)}) SELECT count(*) AS examined,
    coalesce(max(id), 0) AS lastId,
    ${matches === '' ? 'count(*)' : `coalesce(sum(${matches}), 0)`} AS matched FROM c`
}

/** SQL for records of ids (JSON array) that meet conditions, in order. Values: ids, conditions'. */
export function idsSql(conditions: FilterName[]): string {
  const columns = conditions.map((condition) => testSql(condition))
  const filter = columns.length === 0 ? '' : `WHERE ${columns.join(' AND ')}`
  return `SELECT ${RECORD} FROM (
      SELECT p.id FROM json_each(?) e CROSS JOIN parcels p ON p.id = e.value ${filter}
    ) c ${RECORD_JOIN}`
}

/**
 * Returns SQL for a number of records in the order of their ids. Passing these as a JSON array
 * would take twice the time.
 */
export const recordsSql = remember<number>(
  String,
  (count) => `WITH c(id) AS (VALUES ${Array(count).fill('(?)').join(', ')})
    SELECT ${RECORD} FROM c ${RECORD_JOIN}`,
)

/** Returns SQL for what tiles show of a number of parcels, in the order of their ids. */
export const tileRowsSql = remember<number>(
  String,
  (count) => `WITH c(id) AS (VALUES ${Array(count).fill('(?)').join(', ')})
    SELECT c.id, r.tile_text, r.geojson, CASE WHEN r.tile_text IS NULL THEN r.field_values END
    FROM c CROSS JOIN records r ON r.id = c.id`,
)

/** Kinds of probe in an owner index: a surname, the first word of an organization, or any word. */
export type OwnerDrive = 'person' | 'given' | 'organization' | 'either' | 'restStart' | 'word'

/** Conditions on a slot that a walk found: the other words of the question, and a surname. */
type OwnerShape = {
  drive: OwnerDrive
  county: boolean
  /** Number of forms of each further word. */
  words: number[]
  /** How a surname is tested when a word drives: the possible probes. */
  heads: OwnerDrive[]
}

const HEAD_TESTS: Record<Exclude<OwnerDrive, 'word'>, string> = {
  person: 'kind = 0',
  given: "kind = 0 AND instr(' ' || rest, ' ' || ?) > 0",
  organization: 'kind = 1',
  either: 'kind <= 1',
  restStart: "kind = 1 AND substr(rest || ' ', 1, length(?1x)) = ?1x",
}

/**
 * Returns SQL for a slice of an owner walk: ascending ids of matching slots as one text with
 * commas, a tenth of the cost of rows, then the number of entries examined and the last one's id.
 * Parameters: per further word: state and its forms; per head: state, head and its test's. Of the
 * drive: [restStart twice or givenPrefix], [fips]. Then state, head or word, first id, examine.
 */
export const ownerSql = remember<OwnerShape>(
  ({ drive, county, words, heads }) => `${drive} ${county} ${words} ${heads}`,
  makeOwnerSql,
)

function makeOwnerSql(shape: OwnerShape): string {
  const source =
    shape.drive === 'word'
      ? 'SELECT id, slot, fips FROM owner_words WHERE state = ? AND word = ?'
      : 'SELECT id, slot, fips, kind, rest FROM owner_heads WHERE state = ? AND head = ?'
  const tests = [
    ...shape.words.map(
      (forms) => `EXISTS (SELECT 1 FROM owner_words w WHERE w.state = ?
        AND w.word IN (${Array(forms).fill('?').join(', ')}) AND w.id = c.id AND w.slot = c.slot)`,
    ),
    ...(shape.heads.length === 0 ? [] : [`(${shape.heads.map(headExists).join(' OR ')})`]),
    ...(shape.drive === 'word' || shape.drive === 'either' ? [] : [headTest(shape.drive)]),
    ...(shape.county ? ['fips = ?'] : []),
  ]
  const id = tests.length === 0 ? 'id' : `CASE WHEN ${tests.join(' AND ')} THEN id END`
  return `SELECT group_concat(${id}) AS ids, count(*) AS examined, max(id) AS lastId
    FROM (${source} AND id >= ? ORDER BY id LIMIT +?) c`
}

function headTest(drive: OwnerDrive): string {
  return HEAD_TESTS[drive as keyof typeof HEAD_TESTS].replaceAll('?1x', '?')
}

function headExists(drive: OwnerDrive): string {
  return `EXISTS (SELECT 1 FROM owner_heads h WHERE h.state = ? AND h.head = ?
    AND h.id = c.id AND h.slot = c.slot AND ${headTest(drive)})`
}

/** Two entries of a key are enough to know that it is not unique. */
const FIRST_AT_KEY = 'SELECT id, unit, kind FROM situs WHERE state = ? AND key = ? LIMIT 2'
const FIRST_OF_UNIT = `SELECT id, unit, kind FROM (SELECT id, unit, kind FROM situs
    WHERE state = ? AND key = ? LIMIT 5000) WHERE unit = ? LIMIT 2`

function aloneSql(entries: string): string {
  return `SELECT ${RECORD}, c.kind, c.unit FROM (${entries}) c ${RECORD_JOIN}`
}

function countSlots(table: string, column: string): string {
  const slots = `SELECT 1 FROM ${table} WHERE state = ? AND ${column} = ? LIMIT 1000`
  return `SELECT count(*) AS n FROM (${slots})`
}

export const SQL = {
  byParcelId: `SELECT ${RECORD}, c.parcel_key
    FROM parcels c INDEXED BY parcels_identity ${RECORD_JOIN}
    WHERE c.fips = ? AND c.stripped_key = ? LIMIT 1000`,
  byAlternateId: `SELECT ${RECORD}
    FROM (SELECT id FROM alternate_ids WHERE fips = ? AND key = ? ORDER BY id LIMIT 1000) c
    ${RECORD_JOIN}`,
  bySitusKey: `SELECT ${ENTRY}
    FROM (SELECT id, unit, kind, own_key FROM situs WHERE state = ? AND key = ? LIMIT 5000) c
    CROSS JOIN parcels p ON p.id = c.id`,
  addressesWithPrefix: `SELECT c.key, p.city
    FROM (SELECT key, min(id) AS id FROM situs WHERE state = ? AND key >= ? AND key < ?
    GROUP BY key LIMIT +?) c
    CROSS JOIN parcels p ON p.id = c.id`,
  alone: aloneSql(FIRST_AT_KEY),
  aloneOfUnit: aloneSql(FIRST_OF_UNIT),
  looseKeys: 'SELECT key FROM loose_situs WHERE state = ? AND loose_key = ? LIMIT 100',
  transferCount: `SELECT count(*) AS n FROM (SELECT 1 FROM parcels INDEXED BY parcels_by_transfer
    WHERE state = ? AND transfer_day >= ? LIMIT ${RANGE_IDS + 1})`,
  wordCount: countSlots('owner_words', 'word'),
  headCount: countSlots('owner_heads', 'head'),
  wordsNear: `SELECT word FROM owner_deletions WHERE state = ?
    AND deletion IN (SELECT value FROM json_each(?)) LIMIT 5000`,
  keysOf: 'SELECT r.id, r.keys FROM json_each(?) e CROSS JOIN records r ON r.id = e.value',
  // Skips from one head to the next, because a common one has thousands of entries.
  headsFrom: `WITH RECURSIVE c(head) AS (
      SELECT min(head) FROM owner_heads WHERE state = ?1 AND head >= ?2
      UNION ALL SELECT (SELECT min(o.head) FROM owner_heads o WHERE o.state = ?1
      AND o.head > c.head)
        FROM c WHERE c.head IS NOT NULL AND c.head < ?3)
    SELECT head FROM c WHERE head < ?3 AND EXISTS (SELECT 1 FROM owner_heads p
      WHERE p.state = ?1 AND p.head = c.head AND p.kind = ?5) LIMIT +?4`,
  coverage:
    'SELECT state, fips, parcels, roll_year AS rollYear, loaded_at AS loadedAt, filled FROM scopes',
  parcelsFrom: `SELECT id FROM parcels INDEXED BY parcels_identity
    WHERE fips = ? AND stripped_key >= ? AND stripped_key < ? ORDER BY stripped_key LIMIT +?`,
  version: "SELECT value FROM counters WHERE name = 'written'",
} as const

/** Returns SQL for those of a number of ids that meet conditions. Values: ids, conditions'. */
export const pointsSql = remember<{ conditions: FilterName[]; count: number }>(
  ({ conditions, count }) => `${count} ${conditions}`,
  ({ conditions, count }) => `WITH c(id) AS (VALUES ${Array(count).fill('(?)').join(', ')})
    SELECT p.id FROM c CROSS JOIN parcels p ON p.id = c.id ${where(conditions)}`,
)
