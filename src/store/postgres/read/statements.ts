/**
 * All statements that requests run on the rolls, so that a test can examine each query plan.
 *
 * Walks are keyset walks over one index: an inner select reads some entries after an id, the outer
 * one filters. The inner LIMIT keeps the planner from merging them. `EXISTS (… OFFSET 0)` is probed
 * for each row; else it would become a join whose order the planner may reverse.
 */
import { FILTERS, type FilterName } from '../../columns.ts'
import { DRIVEN, type Drive, RANGE_IDS } from '../../walk/page-walk.ts'
import { KEYS } from '../pack/unpack.ts'
import type { Lookup } from '../pool/lookup-queue.ts'

/**
 * A statement, and the names of its values: `state`, `after`, `examine`, `limit`, `skip`, `ids`, …
 */
export type Statement = { text: string; values: string[] }

export const RECORD =
  'r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues", g.geojson AS geometry, o.owned'

/**
 * Records of the candidates `c`; `$1` is the state. Geometry and owner are subqueries for each row
 * by their OFFSET: a join planned on an empty table would scan the whole table for each row.
 */
export const RECORD_JOIN = `JOIN records r ON r.state = $1 AND r.id = c.id
  LEFT JOIN LATERAL (SELECT g.geojson FROM geometries g
    WHERE g.state = $1 AND g.id = r.id OFFSET 0) g ON true
  LEFT JOIN LATERAL (SELECT ('{"parcels":' || o.parcels || ',"residential":' || o.residential ||
      ',"other":' || o.other || '}')::json AS owned FROM owner_counts o
    WHERE o.state = $1 AND o.owner = r.owner OFFSET 0) o ON true`

/** A page of records after an id. */
export function pageStatement(drive: Drive, conditions: FilterName[]): Statement {
  return build((value) => {
    const walk = candidates(drive, conditions, value)
    const tests = where(conditions, value)
    return `SELECT ${RECORD} FROM (
        SELECT id FROM (${walk}) w ${tests} ORDER BY id LIMIT ${value('limit')} OFFSET
        ${value('skip')}
      ) c ${RECORD_JOIN} ORDER BY c.id`
  })
}

/** Counts the entries of a slice after an id and those that match, and returns the last id. */
export function countStatement(drive: Drive, conditions: FilterName[]): Statement {
  return build((value) => {
    const walk = candidates(drive, conditions, value)
    const tests = where(conditions, value)
    const matched = tests === '' ? 'count(*)' : `count(*) FILTER (${tests})`
    return `SELECT count(*) AS examined, coalesce(max(id), 0) AS "lastId", ${matched} AS matched
      FROM (${walk}) w`
  })
}

/** Returns records with the given ids that meet the conditions, in the given order. */
export function idsStatement(conditions: FilterName[]): Statement {
  return build((value) => {
    const ids = value('ids')
    const tests = conditions.map((condition) => ` AND ${test(condition, value)}`).join('')
    const asked = `unnest(${ids}::bigint[]) WITH ORDINALITY c(id, place)`
    // OFFSET has the conditions tested before any record is read.
    const found =
      conditions.length === 0
        ? asked
        : `(SELECT c.id, c.place FROM ${asked}
          JOIN parcels p ON p.state = $1 AND p.id = c.id${tests} OFFSET 0) c`
    return `SELECT ${RECORD} FROM ${found} ${RECORD_JOIN} ORDER BY c.place`
  })
}

/** `$1` is always the state; a value named twice gets one parameter. */
function build(write: (value: Value) => string): Statement {
  const values = ['state']
  const text = write((wanted) => {
    if (!values.includes(wanted)) values.push(wanted)
    return `$${values.indexOf(wanted) + 1}`
  })
  return { text, values }
}

type Value = (name: string) => string

function candidates(drive: Drive, conditions: FilterName[], value: Value): string {
  const tested = conditions.map((condition) => FILTERS[condition].column)
  const columns = [...new Set(['id', ...tested])].join(', ')
  const after = `id > ${value('after')}`
  const end = `ORDER BY id LIMIT ${value('examine')}`
  if (drive === 'transfer') {
    return `SELECT ${columns} FROM (SELECT DISTINCT id AS one FROM (SELECT id FROM parcels
        WHERE state = $1 AND transfer_day >= ${value('transferredFrom')} LIMIT ${RANGE_IDS}) t
        WHERE ${after}) i JOIN parcels p ON p.state = $1 AND p.id = i.one ${end}`
  }
  const driven = DRIVEN[drive]
  const fixed = driven === undefined ? '' : ` AND ${test(driven, value)}`
  return `SELECT ${columns} FROM parcels WHERE state = $1${fixed} AND ${after} ${end}`
}

function where(conditions: FilterName[], value: Value): string {
  if (conditions.length === 0) return ''
  return `WHERE ${conditions.map((condition) => test(condition, value)).join(' AND ')}`
}

function test(condition: FilterName, value: Value): string {
  const { column, test: compared } = FILTERS[condition]
  if (compared === 'is one of') {
    // The list ends with a comma, after which an empty text would be a member.
    return `${column} = ANY(string_to_array(rtrim(${value(condition)}, ','), ','))`
  }
  if (compared === 'is a line of') {
    return `${column} = ANY(string_to_array(btrim(${value(condition)}, chr(10)), chr(10)))`
  }
  return compared === 'is true' ? column : `${column} ${compared} ${value(condition)}`
}

/** SQL for the entries of each word or head, at most 1,000. Values: state, texts. */
function counts(table: string, column: string): string {
  return `SELECT (SELECT count(*) FROM (SELECT 1 FROM ${table}
      WHERE state = $1 AND ${column} = q.text LIMIT 1000) s) AS n
    FROM unnest($2::text[]) WITH ORDINALITY q(text, place) ORDER BY q.place`
}

const SITUS = 's.id, s.unit AS "unitKey", s.kind, s.own_key AS "ownKey", p.fips, p.city, p.zip'

/**
 * Lookups, each for one question `q` and for many (`lookup-queue.ts`). `place` is what rows of many
 * begin with and are ordered by. Address lookups, which may be many, give way.
 */
export const LOOKUPS = {
  byParcelId: lookup({ fips: 'integer', key: 'text' }, false, (q, place) => {
    return `SELECT ${place} ${RECORD}, c.parcel_key AS "parcelKey" FROM ${q}
      CROSS JOIN LATERAL (SELECT id, parcel_key FROM parcels
        WHERE state = $1 AND fips = q.fips AND stripped_key = q.key
        ORDER BY municipality, parcel_key LIMIT 1000) c ${RECORD_JOIN} ORDER BY ${place} r.id`
  }),
  byAlternateId: lookup({ fips: 'integer', key: 'text' }, false, (q, place) => {
    return `SELECT ${place} ${RECORD} FROM ${q}
      CROSS JOIN LATERAL (SELECT id FROM alternate_ids
        WHERE state = $1 AND fips = q.fips AND key = q.key ORDER BY id LIMIT 1000) c ${RECORD_JOIN}
      ORDER BY ${place} r.id`
  }),
  bySitusKey: lookup({ key: 'text' }, true, (q, place) => {
    return `SELECT ${place} ${SITUS} FROM ${q}
      CROSS JOIN LATERAL (SELECT id, unit, kind, own_key FROM situs
        WHERE state = $1 AND key = q.key ORDER BY id, unit, kind, own_key LIMIT 5000) s
      JOIN parcels p ON p.state = $1 AND p.id = s.id
      ORDER BY ${place} s.id, s.unit, s.kind, s.own_key`
  }),
  onlyAtSitusKey: lookup({ key: 'text', unit: 'text' }, true, (q, place) => {
    return `SELECT ${place} ${RECORD}, c.kind, c.unit AS "unitKey" FROM ${q}
      CROSS JOIN LATERAL (SELECT id, unit, kind FROM situs
        WHERE state = $1 AND key = q.key AND (unit = q.unit OR q.unit = '') LIMIT 2) c
      ${RECORD_JOIN}`
  }),
  byLooseKey: lookup({ loose_key: 'text' }, true, (q, place) => {
    return `SELECT ${place} l.key, ${SITUS} FROM ${q}
      CROSS JOIN LATERAL (SELECT key FROM loose_situs
        WHERE state = $1 AND loose_key = q.loose_key ORDER BY key LIMIT 100) l
      CROSS JOIN LATERAL (SELECT id, unit, kind, own_key FROM situs
        WHERE state = $1 AND key = l.key AND kind = 0
        ORDER BY id, unit, kind, own_key LIMIT 5000) s
      JOIN parcels p ON p.state = $1 AND p.id = s.id ORDER BY ${place} s.id, l.key, s.unit`
  }),
  byId: lookup({ id: 'bigint' }, false, (q, place) => {
    return `SELECT ${place} ${RECORD} FROM ${q} CROSS JOIN LATERAL (SELECT q.id) c ${RECORD_JOIN}`
  }),
}

/** Values of many questions are arrays, each with one element per question. */
function lookup(
  values: Record<string, string>,
  yields: boolean,
  write: (q: string, place: string) => string,
): Lookup {
  const typed = Object.entries(values).map(([name, type], at) => ({
    name,
    value: `$${at + 2}::${type}`,
  }))
  const one = typed.map(({ name, value }) => `${value} AS ${name}`)
  const many = typed.map(({ value }) => `${value}[]`)
  const columns = [...Object.keys(values), 'place']
  return {
    one: write(`(SELECT ${one.join(', ')}) q`, ''),
    many: write(`unnest(${many.join(', ')}) WITH ORDINALITY q(${columns.join(', ')})`, 'q.place,'),
    yields,
  }
}

const SCOPE = 'state, fips, parcels, roll_year AS "rollYear", loaded_at AS "loadedAt", filled'

export const SQL = {
  addressesWithPrefix: `SELECT c.key, p.city
    FROM (SELECT key, min(id) AS id FROM situs WHERE state = $1 AND key >= $2 AND key < $3
      GROUP BY key ORDER BY key LIMIT $4) c
    JOIN parcels p ON p.state = $1 AND p.id = c.id ORDER BY c.key`,
  transferCount: `SELECT count(*) AS n FROM (SELECT 1 FROM parcels
    WHERE state = $1 AND transfer_day >= $2 LIMIT ${RANGE_IDS + 1}) t`,
  wordCounts: counts('owner_words', 'word'),
  headCounts: counts('owner_heads', 'head'),
  wordsNear: `SELECT d.word FROM unnest($2::text[]) q(deletion)
    CROSS JOIN LATERAL (SELECT word FROM owner_deletions
      WHERE state = $1 AND deletion = q.deletion LIMIT 5000) d LIMIT 5000`,
  keysOf: `SELECT r.id, r.field_values AS "fieldValues", ${KEYS} FROM records r
    WHERE r.state = $1 AND r.id = ANY($2::bigint[])`,
  // Skips from one head to the next, because a common one has thousands of entries.
  headsFrom: `WITH RECURSIVE h(head) AS (
      SELECT (SELECT head FROM owner_heads WHERE state = $1 AND head >= $2 ORDER BY head LIMIT 1)
      UNION ALL SELECT (SELECT o.head FROM owner_heads o
          WHERE o.state = $1 AND o.head > h.head ORDER BY o.head LIMIT 1)
        FROM h WHERE h.head IS NOT NULL AND h.head < $3)
    SELECT head FROM h WHERE head < $3 AND EXISTS (SELECT 1 FROM owner_heads p
      WHERE p.state = $1 AND p.head = h.head AND p.kind = $5 OFFSET 0) LIMIT $4`,
  coverage: `SELECT ${SCOPE} FROM scopes ORDER BY fips, municipality`,
  coverageOfState: `SELECT ${SCOPE} FROM scopes WHERE state = $1 ORDER BY fips, municipality`,
  parcelsFrom: `SELECT id FROM parcels WHERE state = $1 AND fips = $2 AND stripped_key >= $3
    AND stripped_key < $4 ORDER BY stripped_key, municipality, parcel_key LIMIT $5`,
  version: `SELECT concat_ws('-', (SELECT max(id) FROM imports),
    (SELECT sum(version) FROM state_versions)) AS version`,
} as const

/** Returns SQL for points in a box that meet a filter; `inState` is the condition on the state. */
export function pointsStatement(conditions: FilterName[], inState: string): Statement {
  const values = ['box', 'limit', ...conditions.filter((one) => one !== 'assignedOnly')]
  const value = (name: string) => `$${values.indexOf(name) + 1}`
  const tests = conditions.map((condition) => ` AND ${test(condition, value)}`).join('')
  const text = `SELECT id, state, x, y FROM parcels
    WHERE ${inState} x IS NOT NULL AND point(x, y) <@ $1::box${tests} LIMIT $2`
  return { text, values }
}
