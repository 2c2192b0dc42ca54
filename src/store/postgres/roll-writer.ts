/**
 * Writes rolls into PostgreSQL: staged by COPY in tables of the connection's own, compared with what is kept, and applied as
 * differences in one transaction. Readers see the old roll until the commit and the new one after it.
 *
 * A state that is being loaded is locked from its first row until the end, for the connection: ids of a state commit in their
 * order, two imports of one state do not meet, and a connection that is lost keeps nothing locked.
 */
import type { Client } from 'pg'
import { CommandError } from '../../errors.ts'
import { carryAssessments } from '../../layout/leaves.ts'
import { COVERAGE_FIELDS } from '../../model/coverage.ts'
import type {
  RollChange,
  RollComparison,
  RollWriter,
  ScopeChange,
  StagedParcel,
  StagedRow,
} from '../store.ts'
import { clientConfig, connect, describeServer } from './connection.ts'
import { copyIn } from './copy-in.ts'
import { asDriverError, explainOpening, isOutOfOrder } from './errors.ts'
import { applyChanges, refreshStatistics } from './roll-apply.ts'
import { dropEndlessKeys } from './roll-keys.ts'

/** First number of the advisory locks of states, "PBst" as bytes; the second is the state's two letters. */
const STATE_LOCKS = 0x50427374

/** What sorting and building may take of the server's memory. */
const IMPORTING = {
  work_mem: '64MB',
  maintenance_work_mem: '256MB',
  temp_buffers: '64MB',
  jit: 'off',
}

const STAGING = `
  CREATE TEMP TABLE staged (
    seq bigint PRIMARY KEY, row bigint, state text COLLATE "C", fips integer, municipality text COLLATE "C",
    stripped_key text COLLATE "C", variant text COLLATE "C", parcel_key text COLLATE "C",
    city text COLLATE "C", zip text COLLATE "C", unit text COLLATE "C", use_code text COLLATE "C",
    residential boolean, transfer_day integer, assigned boolean, roll_year integer, filled integer,
    leaves text COLLATE "C", keys text COLLATE "C", geometry text COLLATE "C");
  CREATE TEMP TABLE change (seq bigint, state text COLLATE "C", id bigint, what text COLLATE "C");
  CREATE TEMP TABLE carried (seq bigint, leaves text COLLATE "C")`

/**
 * Which kept parcel a staged one is: the one recorded alike, else the only one with its letters and digits, if the roll too
 * has only one. So no two staged parcels are ever taken for one that is kept.
 */
const SAME_PARCEL = `(p.parcel_key = s.parcel_key OR NOT EXISTS (
      SELECT 1 FROM staged t WHERE t.fips = s.fips AND t.stripped_key = s.stripped_key
        AND t.municipality = s.municipality AND t.seq <> s.seq)
    AND NOT EXISTS (SELECT 1 FROM parcels q WHERE q.state = p.state AND q.fips = p.fips
        AND q.stripped_key = p.stripped_key AND q.municipality = p.municipality AND q.id <> p.id))`

const KEPT = `staged s
  LEFT JOIN parcels p ON p.state = s.state AND p.fips = s.fips AND p.stripped_key = s.stripped_key
    AND p.municipality = s.municipality AND ${SAME_PARCEL}
  LEFT JOIN records r ON r.state = p.state AND r.id = p.id
  LEFT JOIN record_keys k ON k.state = p.state AND k.id = p.id
  LEFT JOIN geometries g ON g.state = p.state AND g.id = p.id`

/** What happens to a parcel: `leaves`: only its record changes; `keys`: what finds it changes too. */
const COMPARE = `
  INSERT INTO change (seq, state, id, what)
  SELECT s.seq, s.state, p.id, CASE
    WHEN p.id IS NULL THEN 'new'
    WHEN k.keys <> s.keys OR p.parcel_key <> s.parcel_key THEN 'keys'
    WHEN r.leaves <> s.leaves THEN 'leaves'
    WHEN (p.city, p.zip, p.unit, p.use_code, p.assigned, p.filled) <>
         (s.city, s.zip, s.unit, s.use_code, s.assigned, s.filled) THEN 'leaves'
    WHEN p.residential IS DISTINCT FROM s.residential
      OR p.transfer_day IS DISTINCT FROM s.transfer_day
      OR p.roll_year IS DISTINCT FROM s.roll_year THEN 'leaves'
    WHEN s.geometry IS NOT NULL AND s.geometry IS DISTINCT FROM g.geojson THEN 'leaves'
    ELSE 'same' END
  FROM ${KEPT} ORDER BY s.seq`

const REMOVED = `
  INSERT INTO change (seq, state, id, what)
  SELECT NULL, p.state, p.id, 'removed'
  FROM (SELECT DISTINCT state, fips, municipality FROM staged) d
  JOIN parcels p ON p.state = d.state AND p.fips = d.fips AND p.municipality = d.municipality
  WHERE NOT EXISTS (SELECT 1 FROM change c WHERE c.state = p.state AND c.id = p.id)`

/** Rows of a result that are worked on at a time. */
const BATCH = 2000

/** Opens a writer on a connection of its own. Throws `CommandError` for what a sentence explains. */
export async function openRollWriter(url: string): Promise<RollWriter> {
  const where = describeServer(url)
  try {
    const client = await connect(clientConfig(url, 0, IMPORTING))
    await client.query(STAGING)
    return guard(new Writer(client, where), where)
  } catch (error) {
    throw explainOpening(asDriverError(error), where)
  }
}

class Writer implements RollWriter {
  readonly #client: Client
  readonly #where: string
  readonly #states = new Set<string>()
  #seq = 0
  #indexed = false
  #compared = false

  constructor(client: Client, where: string) {
    this.#client = client
    this.#where = where
  }

  async stage(parcels: StagedParcel[]): Promise<void> {
    for (const state of new Set(parcels.map((parcel) => parcel.state))) await this.#lock(state)
    const rows = parcels.map((parcel) => {
      this.#seq += 1
      return [this.#seq, ...stagedColumns(parcel)]
    })
    if (rows.length > 0) await copyIn(this.#client, 'staged', rows)
  }

  async *repeats(): AsyncGenerator<StagedRow[]> {
    await this.#index()
    yield* readRepeats(this.#client)
  }

  async drop(rows: number[]): Promise<void> {
    await this.#index()
    await this.#client.query('DELETE FROM staged WHERE row = ANY($1::bigint[])', [rows])
  }

  async compare(): Promise<RollComparison> {
    await this.#compare()
    return { ...(await this.#countChanges(true)), scopes: await readScopes(this.#client) }
  }

  async apply(
    removeAbsent: boolean,
    loadedAt: number,
    onProgress: (share: number) => void = () => undefined,
  ): Promise<RollChange> {
    await this.#compare()
    if (!removeAbsent) await this.#client.query("DELETE FROM change WHERE what = 'removed'")
    const changes = await this.#countChanges(removeAbsent)
    await this.#client.query('BEGIN')
    try {
      await applyChanges(this.#client, loadedAt, onProgress)
    } catch (error) {
      await this.#client.query('ROLLBACK').catch(() => undefined)
      throw error
    }
    await this.#commit()
    await refreshStatistics(this.#client, changes)
    return changes
  }

  async discard(): Promise<void> {
    await this.#client.end().catch(() => undefined)
  }

  async #lock(state: string): Promise<void> {
    if (this.#states.has(state)) return
    await lockState(this.#client, state, this.#where)
    this.#states.add(state)
  }

  async #index(): Promise<void> {
    if (this.#indexed) return
    this.#indexed = true
    await this.#client.query(`CREATE INDEX staged_identity
        ON staged (fips, stripped_key, municipality, variant, row);
      CREATE INDEX staged_row ON staged (row);
      ANALYZE staged`)
  }

  async #compare(): Promise<void> {
    if (this.#compared) return
    this.#compared = true
    await this.#index()
    await carryOver(this.#client)
    await this.#client.query(COMPARE)
    await this.#client.query('CREATE INDEX change_id ON change (state, id); ANALYZE change')
    await this.#client.query(REMOVED)
    await this.#client.query('ANALYZE change')
  }

  async #countChanges(withRemoved: boolean): Promise<RollChange> {
    const { rows } = await this.#client.query(
      'SELECT what, count(*) AS n FROM change GROUP BY what',
    )
    const counts = new Map(rows.map(({ what, n }) => [String(what), Number(n)]))
    const count = (what: string) => counts.get(what) ?? 0
    return {
      loaded: count('new'),
      updated: count('leaves') + count('keys'),
      unchanged: count('same'),
      removed: withRemoved ? count('removed') : 0,
    }
  }

  /** A commit whose reply is lost may have happened: loading the roll again finds out, and changes nothing then. */
  async #commit(): Promise<void> {
    try {
      await this.#client.query('COMMIT')
    } catch (error) {
      throw new CommandError(
        `${this.#where} was lost while the roll was committed: whether it is loaded is not known; import it again`,
        1,
        error,
      )
    }
  }
}

/** Held until the connection ends; who comes second is told at once. */
export async function lockState(client: Client, state: string, where: string): Promise<void> {
  const letters = state.charCodeAt(0) * 256 + state.charCodeAt(1)
  const { rows } = await client.query('SELECT pg_try_advisory_lock($1, $2) AS held', [
    STATE_LOCKS,
    letters,
  ])
  if (rows[0]?.held === true) return
  throw new CommandError(
    `another import is loading parcels of ${state} into ${where}; try again when it has ended`,
  )
}

/** Gives staged parcels the assessments of earlier years that only the kept records hold, as `layout/leaves.ts` joins them. */
async function carryOver(client: Client): Promise<void> {
  await client.query(`BEGIN; DECLARE differing NO SCROLL CURSOR FOR
    SELECT s.seq, r.leaves AS before, s.leaves AS after FROM ${KEPT} WHERE r.leaves <> s.leaves`)
  for (;;) {
    const { rows } = await client.query<{ seq: number; before: string; after: string }>(
      `FETCH ${BATCH} FROM differing`,
    )
    if (rows.length === 0) break
    const carried = rows
      .map(({ seq, before, after }) => [seq, carryAssessments(before, after), after] as const)
      .filter(([, leaves, after]) => leaves !== after)
    if (carried.length > 0) {
      await copyIn(
        client,
        'carried',
        carried.map(([seq, leaves]) => [seq, leaves]),
      )
    }
  }
  await client.query(`CLOSE differing;
    UPDATE staged SET leaves = carried.leaves FROM carried WHERE staged.seq = carried.seq;
    COMMIT`)
}

function stagedColumns(parcel: StagedParcel) {
  return [
    parcel.row,
    parcel.state,
    parcel.fips,
    parcel.municipality,
    parcel.strippedKey,
    parcel.identity === parcel.strippedKey ? '' : parcel.identity,
    parcel.parcelKey,
    parcel.city,
    parcel.zip,
    parcel.unit,
    parcel.useCode,
    parcel.residential,
    parcel.transferDay,
    parcel.assigned,
    parcel.rollYear,
    parcel.filled,
    parcel.leaves,
    dropEndlessKeys(parcel.keys),
    parcel.geometry,
  ] as const
}

type RepeatRow = StagedRow & {
  fips: number
  stripped_key: string
  municipality: string
  variant: string
}

/** Walks the shared identities by key, so that the importer may settle a group in between. */
async function* readRepeats(client: Client): AsyncGenerator<StagedRow[]> {
  const identity = 'fips, stripped_key, municipality, variant'
  let after: unknown[] = [0, '', '', '']
  for (;;) {
    const { rows } = await client.query<RepeatRow>(
      `SELECT s.row, s.parcel_key AS "parcelKey", s.leaves, ${identity}
      FROM staged s JOIN (SELECT ${identity} FROM staged
        WHERE (${identity}) > ($1::integer, $2::text, $3::text, $4::text)
        GROUP BY ${identity} HAVING count(*) > 1 ORDER BY ${identity} LIMIT ${BATCH}) shared
      USING (${identity}) ORDER BY ${identity}, s.row`,
      after,
    )
    const last = rows.at(-1)
    if (last === undefined) return
    const groups = Map.groupBy(rows, (row) => JSON.stringify(identityOf(row)))
    for (const group of groups.values()) {
      yield group.map(({ row, parcelKey, leaves }) => ({ row, parcelKey, leaves }))
    }
    after = identityOf(last)
  }
}

function identityOf({ fips, stripped_key, municipality, variant }: RepeatRow) {
  return [fips, stripped_key, municipality, variant]
}

/** Each staged scope before and after. */
async function readScopes(client: Client): Promise<ScopeChange[]> {
  const [owner, address] = [bit('owner'), bit('address')]
  const { rows } = await client.query<ScopeChange>(`
    SELECT d.fips, d.municipality, d.after, d."ownerAfter", d."addressAfter", b.*
    FROM (SELECT state, fips, municipality, count(*) AS after,
        count(*) FILTER (WHERE filled & ${owner} > 0) AS "ownerAfter",
        count(*) FILTER (WHERE filled & ${address} > 0) AS "addressAfter"
      FROM staged GROUP BY state, fips, municipality) d
    CROSS JOIN LATERAL (SELECT count(*) AS before,
        count(*) FILTER (WHERE filled & ${owner} > 0) AS "ownerBefore",
        count(*) FILTER (WHERE filled & ${address} > 0) AS "addressBefore",
        count(*) FILTER (WHERE EXISTS (SELECT 1 FROM change c
          WHERE c.state = p.state AND c.id = p.id AND c.what = 'removed')) AS removed
      FROM parcels p WHERE p.state = d.state AND p.fips = d.fips
        AND p.municipality = d.municipality) b
    ORDER BY d.fips, d.municipality`)
  return rows
}

function bit(field: (typeof COVERAGE_FIELDS)[number]): number {
  return 2 ** COVERAGE_FIELDS.indexOf(field)
}

/** Makes a sentence of what went wrong with the server while a roll was written. */
function guard(writer: Writer, where: string): RollWriter {
  const explain = (caught: unknown) => {
    const error = caught instanceof CommandError ? caught : asDriverError(caught)
    if (!isOutOfOrder(error)) return error
    const { message } = error as Error
    return new CommandError(
      `${where}: ${message}; nothing was loaded, and the roll that was there still answers`,
      1,
      error,
    )
  }
  const guarded = <Result>(work: Promise<Result>) =>
    work.catch((error: unknown) => {
      throw explain(error)
    })
  return {
    stage: (parcels) => guarded(writer.stage(parcels)),
    repeats: () => writer.repeats(),
    drop: (rows) => guarded(writer.drop(rows)),
    compare: () => guarded(writer.compare()),
    apply: (removeAbsent, loadedAt, onProgress) =>
      guarded(writer.apply(removeAbsent, loadedAt, onProgress)),
    discard: () => writer.discard(),
  }
}
