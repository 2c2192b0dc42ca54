/** The statements of owner searches. */
import { RECORD, RECORD_JOIN } from './statements.ts'

/** The index that an owner walk follows, and the other conditions on each slot. */
export type OwnerShape = {
  drive: 'head' | 'word'
  county: boolean
  /** Number of further words. */
  words: number
  /** Whether slots found by a word are tested for a surname. */
  heads: boolean
  /** Whether the text after a head is tested; without it a walk reads the index alone. */
  rest: boolean
  /** Whether the records of a page of the ids are read too. */
  page: boolean
}

/**
 * Tests a head given as four arrays: head, kind, beginning of a given name, and the words that
 * follow.
 */
const HEAD_TEST = `(q.given = '' OR strpos(' ' || h.rest, ' ' || q.given) > 0)
  AND (q.start = '' OR starts_with(h.rest || ' ', q.start))`

/**
 * Returns SQL for one slice of several walks, each by its own head or word from its own id on: the
 * number of entries examined, the last id, and the ids that match. A kind below 0 matches any kind.
 *
 * Values: state, examine, heads or words, first ids; for heads kinds, givens, starts; county; each
 * word's forms; heads tested on slots; for a page the number of ids before it and in it. The page's
 * records are separate rows without a place.
 */
export function ownerStatement(shape: OwnerShape): string {
  let count = 4
  const next = () => {
    count += 1
    return `$${count}`
  }
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
  const passing = tests.length === 0 ? '' : `FILTER (WHERE ${tests.join(' AND ')})`
  const slices = `unnest($3::text[], $4::bigint[]${own}) WITH ORDINALITY AS q(${names}, place)
    CROSS JOIN LATERAL (SELECT count(*) AS examined, coalesce(max(h.id), 0) AS "lastId",
        coalesce(array_agg(h.id) ${passing}, '{}') AS ids
      FROM (${table} AND id >= q.first ORDER BY id LIMIT $2) h) found`
  if (!shape.page) return `SELECT found.* FROM ${slices} ORDER BY q.place`
  return `WITH found AS MATERIALIZED (SELECT q.place, found.* FROM ${slices})
    SELECT place, examined, "lastId", ids, NULL::bigint AS id, NULL::bigint AS "loadedAt",
      NULL::text AS leaves, NULL::text AS geometry, NULL::jsonb AS owned FROM found
    UNION ALL SELECT NULL, NULL, NULL, NULL, ${RECORD}
    FROM (SELECT DISTINCT one AS id FROM found, unnest(found.ids) one
      ORDER BY one OFFSET ${next()} LIMIT ${next()}) c ${RECORD_JOIN}`
}

function headsAsked(next: () => string): string {
  const lists = `${next()}::text[], ${next()}::smallint[], ${next()}::text[], ${next()}::text[]`
  return `EXISTS (SELECT 1 FROM unnest(${lists}) q(head, kind, given, start)
    WHERE EXISTS (SELECT 1 FROM owner_heads o WHERE o.state = $1 AND o.head = q.head
      AND o.id = h.id AND o.slot = h.slot AND o.kind = q.kind
      AND ${HEAD_TEST.replaceAll('h.rest', 'o.rest')} OFFSET 0) OFFSET 0)`
}
