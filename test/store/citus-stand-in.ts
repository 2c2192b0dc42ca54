/**
 * A stand-in for Citus. A distributed table becomes a table partitioned by hash of the distribution
 * column, so that PostgreSQL's planner shows which statements touch one shard: it prunes partitions
 * by the conditions on each table, as Citus prunes shards.
 */
import { Client } from 'pg'
import { LAYOUT } from '../../src/store/postgres/citus.ts'

/** Few, because each has its own files and plans. */
const SHARDS = 4

/**
 * Creates the functions and the catalogue of Citus that the layout needs. Returns the address under
 * which the database appears to have Citus. `url`: of a shared server, which ends with options.
 */
export async function standInForCitus(url: string): Promise<string> {
  const admin = new Client(url)
  await admin.connect()
  await admin.query(STAND_IN)
  await admin.end()
  const options = ` -c search_path=platbook,stub -c citus.shard_count=${SHARDS}`
  return `${url}${encodeURIComponent(options)}`
}

/**
 * Creates the schema `stub`: a catalogue, the functions, and every shard. Foreign keys are created
 * again, so that the catalogue lists them.
 */
const STAND_IN = `CREATE SCHEMA stub;
  CREATE TABLE stub.pg_dist_partition
    (logicalrelid regclass, partmethod "char", partkey text, beside text);
  CREATE FUNCTION stub.create_distributed_table(t regclass, by text, colocate_with text)
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    own text := relname FROM pg_class WHERE oid = t;
    foreign_key text;
  BEGIN
    IF EXISTS (SELECT FROM pg_class WHERE oid = t AND relpersistence = 't') THEN
      RAISE EXCEPTION 'a temporary table cannot be distributed';
    END IF;
    EXECUTE format('ALTER TABLE platbook.%I RENAME TO whole', own);
    EXECUTE format('CREATE TABLE platbook.%I (LIKE platbook.whole INCLUDING ALL)
      PARTITION BY HASH (%I)', own, by);
    FOR shard IN 0..${SHARDS - 1} LOOP
      EXECUTE format('CREATE TABLE stub.%I PARTITION OF platbook.%I
        FOR VALUES WITH (MODULUS ${SHARDS}, REMAINDER %s)',
        own || '_' || shard, own, shard);
    END LOOP;
    FOR foreign_key IN SELECT pg_get_constraintdef(oid) FROM pg_constraint
        WHERE conrelid = 'platbook.whole'::regclass AND contype = 'f' LOOP
      EXECUTE format('ALTER TABLE platbook.%I ADD %s', own, foreign_key);
    END LOOP;
    EXECUTE format('INSERT INTO platbook.%I SELECT * FROM platbook.whole', own);
    DROP TABLE platbook.whole;
    INSERT INTO stub.pg_dist_partition
      VALUES (format('platbook.%I', own)::regclass, 'h', by, colocate_with);
  END $$;
  CREATE FUNCTION stub.truncate_local_data_after_distributing_table(t regclass)
  RETURNS void LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '% has none', t; END $$;
  CREATE VIEW stub.pg_dist_shard AS SELECT logicalrelid, shard::bigint AS shardid
    FROM stub.pg_dist_partition, generate_series(0, ${SHARDS - 1}) shard;
  CREATE VIEW stub.pg_dist_placement AS
    SELECT shard::bigint AS shardid, 1 AS groupid FROM generate_series(0, ${SHARDS - 1}) shard;
  CREATE VIEW stub.pg_dist_node AS
    SELECT 'node' AS nodename, 5432 AS nodeport, 1 AS groupid, 'primary' AS noderole;
  CREATE FUNCTION stub.get_shard_id_for_distribution_column(t oid, v text)
  RETURNS bigint LANGUAGE plpgsql STABLE AS $$
  BEGIN
    FOR shard IN 0..${SHARDS - 1} LOOP
      IF satisfies_hash_partition(t, ${SHARDS}, shard, v) THEN RETURN shard; END IF;
    END LOOP;
  END $$;
  CREATE FUNCTION stub.master_run_on_worker
    (hosts text[], ports integer[], commands text[], parallel boolean)
  RETURNS TABLE (success boolean) LANGUAGE plpgsql AS $$
  DECLARE
    command text;
  BEGIN
    FOREACH command IN ARRAY commands LOOP
      -- A function cannot vacuum.
      IF command LIKE 'ANALYZE %' THEN EXECUTE replace(command, ' platbook.', ' stub.'); END IF;
      success := true;
      RETURN NEXT;
    END LOOP;
  END $$`

/** A statement that Citus would refuse, or would send to every shard instead of one. */
export type Stray = { text: string; why: string }

type Query = (this: Client, ...asked: unknown[]) => unknown

/**
 * Runs EXPLAIN on every statement that this process sends to one server, with its values, before it
 * runs, until `stop`: once for each text and the states in its values. Returns the statements that
 * break the rule: a statement on distributed tables touches one shard of each, the same one, and no
 * table that is only on the coordinator.
 *
 * `folder`: where the server's sockets are. Plans of a real cluster, which tests of the same
 * process may ask too, name shards in another way.
 */
export function watchStatements(folder: string): {
  strays: Stray[]
  seen: Set<string>
  stop(): void
} {
  const strays: Stray[] = []
  const seen = new Set<string>()
  const planned = new Set<string>()
  const query = Client.prototype.query as unknown as Query
  const explain = async (client: Client, text: string, values: unknown[]) => {
    const plan = `${text} ${JSON.stringify(values.map(choosesShards))}`
    if (planned.has(plan)) return
    planned.add(plan)
    const asked = { text: `EXPLAIN (VERBOSE, FORMAT JSON) ${text}`, values }
    try {
      const { rows } = (await query.call(client, asked)) as { rows: { 'QUERY PLAN': unknown }[] }
      const touched = relationsOf(rows[0]?.['QUERY PLAN'])
      if (touched.some(isDistributed)) seen.add(text)
      const why = judge(text, touched)
      if (why !== undefined) strays.push({ text, why })
    } catch (error) {
      strays.push({ text, why: (error as Error).message })
    }
  }
  const watching: Query = function (this: Client & { pipeline?: boolean }, ...asked) {
    const { text, values } = read(asked)
    if (text === undefined || this.host !== folder) return query.call(this, ...asked)
    const explained = explain(this, text, values)
    // A connection that takes one statement at a time is asked in turn; on others the order is that
    // of asking.
    if (this.pipeline !== true) return explained.then(() => query.call(this, ...asked))
    return query.call(this, ...asked)
  }
  Client.prototype.query = watching as unknown as typeof Client.prototype.query
  return {
    strays,
    seen,
    stop() {
      Client.prototype.query = query as unknown as typeof Client.prototype.query
    },
  }
}

/** What of a value decides which shards a plan touches: states, and whether it is there. */
function choosesShards(value: unknown): unknown {
  if (Array.isArray(value)) return [...new Set(value.map(choosesShards))]
  const isState = typeof value === 'string' && /^[A-Z]{2}$/.test(value)
  return isState || typeof value === 'boolean' ? value : typeof value
}

/** The statement that is planned, if it is one: also that of a cursor. */
function read(asked: unknown[]): { text?: string; values: unknown[] } {
  const [first, second] = asked
  const given = (typeof first === 'string' ? { text: first } : first) as {
    text?: unknown
    values?: unknown[]
  }
  const values = given.values ?? (Array.isArray(second) ? second : [])
  if (typeof given.text !== 'string') return { values }
  const text = /CURSOR FOR (.*)/s.exec(given.text)?.[1] ?? given.text
  // A new connection begins with several statements in one text.
  if (text.startsWith('SELECT set_config(')) return { values }
  return /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\b/.test(text) ? { text, values } : { values }
}

type Touched = { schema: string; name: string }

function relationsOf(plan: unknown): Touched[] {
  const found: Touched[] = []
  JSON.stringify(plan, (_, node) => {
    if (node?.['Relation Name'] !== undefined) {
      found.push({ schema: node.Schema, name: node['Relation Name'] })
    }
    return node
  })
  return found
}

const OF_CLUSTER = new Set(LAYOUT)

function isDistributed({ schema, name }: Touched): boolean {
  if (schema === 'stub') return /_\d$/.test(name)
  return schema === 'platbook' && isParent(name)
}

/** A distributed table itself, not a shard of it: what rows are inserted into. */
function isParent(name: string): boolean {
  return OF_CLUSTER.has(name)
}

/** What Citus evaluates on the coordinator, or refuses where it is asked on a worker. */
const VOLATILE = /\b(nextval|setval|random|clock_timestamp|gen_random_uuid|pg_advisory\w*)\s*\(/

function judge(text: string, touched: Touched[]): string | undefined {
  if (!touched.some(isDistributed)) return undefined
  if (VOLATILE.test(text)) return 'a volatile function beside a distributed table'
  const local = touched.find((one) => !isDistributed(one))
  if (local !== undefined) return `${local.name} is on the coordinator alone`
  const shards = new Set(touched.flatMap(({ name }) => /_(\d)$/.exec(name)?.[1] ?? []))
  if (shards.size <= 1 || isPlainScan(text)) return undefined
  return `touches ${shards.size} shards`
}

/** One table read whole, or counted: each shard does its part. */
function isPlainScan(text: string): boolean {
  return /^\s*SELECT\b/.test(text) && text.match(/\b(FROM|JOIN)\b/g)?.length === 1
}
