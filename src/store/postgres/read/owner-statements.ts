/** The statements of owner searches. */
import { RECORD, RECORD_JOIN } from './statements.ts'

/** The index that an owner walk follows, and the other conditions on each slot. */
export type OwnerShape = {
  drive: 'head' | 'word'
  county: boolean
  words: number
  /** Whether slots found by a word are tested for a surname. */
  heads: boolean
  /** Whether persons and organizations of a head are distinguished. */
  kinds: boolean
  /** Whether the text after a head is tested; without it a walk reads the index alone. */
  rest: boolean
  /** Whether there are several walks. */
  several: boolean
  /** Whether the records of a page of the ids are read too. */
  page: boolean
}

/** Reports whether every entry of a head or word is a hit, because no slot is tested further. */
export function isPlain(shape: Omit<OwnerShape, 'several' | 'page'>): boolean {
  const { county, words, heads, kinds, rest } = shape
  return !(county || words > 0 || heads || kinds || rest)
}

/** Tests a head given as four arrays: head, kind, given name's beginning, following words. */
const HEAD_TEST = `(q.given = '' OR strpos(' ' || h.rest, ' ' || q.given) > 0)
  AND (q.start = '' OR starts_with(h.rest || ' ', q.start))`

/** Most entries of a parcel under one head: two slots, each of a person and an organization. */
const ENTRIES_MAX = 4

/** One after the other, the numbers of the values of a statement: `$1`. */
type Next = () => string

/**
 * Returns SQL for one slice of walks, each by its own head or word from its own id on. A row
 * without `loadedAt` is a walk: its place, counted from 1, as `id`, and what was read as
 * `geometry`, which is a text too. The other rows are the records of the page.
 *
 * - *Plain* (`isPlain`): a slice reads the number of ids that `$2` says, and `geometry` is
 *   `{id,id,…}`. Values: state, ids, head or word, first id (arrays for several walks).
 * - *Tested*: a slice examines the number of entries that `$2` says, and `geometry` is the number
 *   of those that there were, the last id, and the ids that match, in which a parcel may occur
 *   twice: `128 4711 {4,4,711}`. Values: state, entries, heads or words, first ids; for heads kinds
 *   (any below 0), givens, starts; county; each word's forms; heads tested on slots.
 *
 * For a page, the number of ids before it and in it follow.
 */
export function ownerStatement(shape: OwnerShape): string {
  let count = 4
  const next = () => {
    count += 1
    return `$${count}`
  }
  if (!isPlain(shape)) return joinPage(shape, testedWalks(shape, next), next)
  if (shape.several) return joinPage(shape, plainWalks(shape), next)
  const walk = plainWalk(shape, '$3', '$4')
  if (!shape.page) {
    return `SELECT 1 AS id, NULL AS "loadedAt", array_agg(id)::text AS geometry FROM (${walk}) w`
  }
  return `WITH found AS MATERIALIZED (${walk})
    ${asRow('1', '(SELECT array_agg(id) FROM found)::text')}
    UNION ALL SELECT ${RECORD}
    FROM (SELECT id FROM found ORDER BY id OFFSET ${next()} LIMIT ${next()}) c ${RECORD_JOIN}`
}

/** Adds the page's records to walks (`place`, `read`, `ids`). */
function joinPage({ page }: OwnerShape, walks: string, next: Next): string {
  if (!page) return `SELECT place AS id, NULL AS "loadedAt", read AS geometry FROM (${walks}) w`
  return `WITH found AS MATERIALIZED (${walks}) ${asRow('place', 'read')} FROM found
    UNION ALL SELECT ${RECORD} FROM (SELECT DISTINCT one AS id FROM found, unnest(found.ids) one
      ORDER BY one OFFSET ${next()} LIMIT ${next()}) c ${RECORD_JOIN}`
}

/** Has the columns of a record, because a statement has only one kind of row. */
function asRow(place: string, read: string): string {
  return `SELECT ${place} AS id, NULL::bigint AS "loadedAt", NULL::bytea AS "fieldValues",
    ${read} AS geometry, NULL::json AS owned`
}

/** The first `$2` ids; reads no more entries than they have, however common the name is. */
function plainWalk({ drive }: OwnerShape, text: string, first: string): string {
  return `SELECT DISTINCT id FROM (SELECT id FROM owner_${drive}s
      WHERE state = $1 AND ${drive} = ${text} AND id >= ${first}
      ORDER BY id LIMIT $2 * ${ENTRIES_MAX}::bigint) h ORDER BY id LIMIT $2`
}

function plainWalks(shape: OwnerShape): string {
  return `SELECT q.place, found.ids, found.ids::text AS read
    FROM unnest($3::text[], $4::bigint[]) WITH ORDINALITY AS q(text, first, place)
    CROSS JOIN LATERAL (SELECT array_agg(id) AS ids
      FROM (${plainWalk(shape, 'q.text', 'q.first')}) w) found`
}

function testedWalks(shape: OwnerShape, next: Next): string {
  const byHead = shape.drive === 'head'
  const own = byHead ? `, ${next()}::smallint[], ${next()}::text[], ${next()}::text[]` : ''
  const names = byHead ? 'text, first, kind, given, start' : 'text, first'
  const table = byHead
    ? `SELECT id, slot, fips, kind${shape.rest ? ', rest' : ''} FROM owner_heads
        WHERE state = $1 AND head = q.text`
    : 'SELECT id, slot, fips FROM owner_words WHERE state = $1 AND word = q.text'
  const tests = byHead
    ? [`(q.kind < 0 OR h.kind = q.kind)${shape.rest ? ` AND ${HEAD_TEST}` : ''}`]
    : []
  if (shape.county) tests.push(`h.fips = ${next()}`)
  for (let word = 0; word < shape.words; word += 1) {
    tests.push(`EXISTS (SELECT 1 FROM owner_words w WHERE w.state = $1
      AND w.word = ANY(${next()}::text[])
      AND w.id = h.id AND w.slot = h.slot OFFSET 0)`)
  }
  if (shape.heads) tests.push(headsAsked(next))
  return `SELECT q.place, found.ids, concat_ws(' ', examined, last, found.ids) AS read
    FROM unnest($3::text[], $4::bigint[]${own}) WITH ORDINALITY AS q(${names}, place)
    CROSS JOIN LATERAL (SELECT count(*) AS examined, coalesce(max(h.id), 0) AS last,
        array_agg(h.id) FILTER (WHERE ${tests.join(' AND ')}) AS ids
      FROM (${table} AND id >= q.first ORDER BY id LIMIT $2) h) found`
}

function headsAsked(next: Next): string {
  const lists = `${next()}::text[], ${next()}::smallint[], ${next()}::text[], ${next()}::text[]`
  return `EXISTS (SELECT 1 FROM unnest(${lists}) q(head, kind, given, start)
    WHERE EXISTS (SELECT 1 FROM owner_heads o WHERE o.state = $1 AND o.head = q.head
      AND o.id = h.id AND o.slot = h.slot AND (q.kind < 0 OR o.kind = q.kind)
      AND ${HEAD_TEST.replaceAll('h.rest', 'o.rest')} OFFSET 0) OFFSET 0)`
}
