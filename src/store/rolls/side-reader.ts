/** Reads what imports write besides rows and keys, with one text for both databases. */
import type { ChangeReader, SaleTestReader, StoredChange } from '../changes.ts'
import type { BlockHead, FactReader } from '../facts/table.ts'
import type { OriginReader } from '../origins/origins.ts'
import { VERSION_KINDS, type VersionReader, type VersionRow } from '../versions/versions.ts'
import type { ReadDialect, RollSql } from './roll-sql.ts'

/** Returns the statements. `$1` of each is the state. */
export function sideSql({ of, isIn, bytes, keys }: ReadDialect) {
  const change = `SELECT sequence, what, id, property_id AS "propertyId", fips, municipality,
      groups, parcels, loaded_at AS "loadedAt", import FROM changes`
  const link = `SELECT parent, child, day, import, kind, parent_share AS "shareOfParent",
      child_share AS "shareOfChild", evidence FROM lineage`
  const vintage = `SELECT state, fips, municipality, day, import, roll_year AS "rollYear", source,
      loaded_at AS "loadedAt" FROM vintages`
  const grouped = '(groups = 0 OR groups & cast($3 AS integer) > 0)'
  return {
    lastChange: 'SELECT last FROM change_heads WHERE state = $1',
    oldestChange: `SELECT sequence FROM changes WHERE state = $1 AND loaded_at >= $2
      ORDER BY loaded_at, sequence LIMIT 1`,
    changes: `${change} WHERE state = $1 AND sequence > $2 AND ${grouped}
      ORDER BY sequence LIMIT $4`,
    changesOfCounty: `${change} WHERE state = $1 AND fips = $5 AND sequence > $2 AND ${grouped}
      ORDER BY sequence LIMIT $4`,
    versions: `SELECT id, day, import, what, loaded_at AS "loadedAt", difference FROM versions
      WHERE state = $1 AND id ${isIn('$2', 'bigint')} ORDER BY id, day DESC, import DESC`,
    forms: `SELECT r.id, r.loaded_at AS "loadedAt", r.field_values AS "fieldValues",
        ${keys} AS keys, g.geojson AS geometry
      FROM records r LEFT JOIN geometries g ON ${of('g')} g.id = r.id
      WHERE ${of('r')} r.id ${isIn('$2', 'bigint')}`,
    vintages: `${vintage} WHERE state = $1 ORDER BY fips, municipality, day, import`,
    vintagesOfCounty: `${vintage} WHERE state = $1 AND fips = $2
      ORDER BY municipality, day, import`,
    pastIds: `SELECT DISTINCT id FROM past_keys WHERE state = $1 AND key ${isIn('$2', 'text')}
      ORDER BY id`,
    pastKeys: `SELECT DISTINCT key FROM past_keys WHERE state = $1 AND key >= $2 AND key < $3
      ORDER BY key LIMIT $4`,
    lineage: `${link} WHERE state = $1 AND parent ${isIn('$2', 'bigint')}
      UNION ${link} WHERE state = $1 AND child ${isIn('$2', 'bigint')}
      ORDER BY day DESC, import DESC, parent, child`,
    factHeads: 'SELECT block, version FROM facts WHERE state = $1 AND fact = 0 ORDER BY block',
    factChunks: `SELECT block, version, ${bytes('data')} AS data FROM facts
      WHERE state = $1 AND fact = $2 AND block BETWEEN $3 AND $4 ORDER BY block`,
    saleTest: 'SELECT result FROM sale_tests WHERE state = $1 AND fips = $2',
    qualities: `SELECT result FROM qualities WHERE state = $1 AND fips = $2
      ORDER BY loaded_at DESC LIMIT 100`,
    originBlocks: `SELECT number, ${bytes('data')} AS data FROM origins
      WHERE state = $1 AND block = $2 ORDER BY number DESC`,
    originImport: `SELECT import, ${bytes('document')} AS document FROM origin_imports
      WHERE state = $1 AND number = $2`,
    keptRows: `SELECT ${bytes('data')} AS data FROM kept_rows
      WHERE state = $1 AND number = $2 AND part = $3 AND line <= $4 ORDER BY line DESC LIMIT 1`,
  }
}

const ALL_GROUPS = 0xff

type SideReader = ChangeReader & VersionReader & FactReader & SaleTestReader & OriginReader

export function openSideReader({ ask }: Pick<RollSql, 'ask'>, dialect: ReadDialect): SideReader {
  const sql = sideSql(dialect)
  const { readBytes, readKeys } = dialect
  const read = <Row extends { data: unknown }>({ data, ...row }: Row) => ({
    ...row,
    data: readBytes(data),
  })
  return {
    async changes({ state, fips, groups = ALL_GROUPS, after, since, limit }) {
      // The head first: a change that is committed between the two must not count as deleted.
      const [head] = await ask<{ last: number }>(sql.lastChange, [state])
      const last = head?.last ?? 0
      const [first] = await ask<{ sequence: number }>(sql.oldestChange, [state, since])
      const oldest = first?.sequence ?? last + 1
      const values = [state, Math.max(after, oldest - 1), groups, limit]
      const changes =
        fips === undefined
          ? await ask<StoredChange>(sql.changes, values)
          : await ask<StoredChange>(sql.changesOfCounty, [...values, fips])
      return { changes, oldest, last }
    },
    async versionsOf(state, ids) {
      type Row = Omit<VersionRow, 'what'> & { what: number }
      const rows = await ask<Row>(sql.versions, [state, ids])
      return rows.map((row) => ({ ...row, what: VERSION_KINDS[row.what] ?? 'changed' }))
    },
    async formsOf(state, ids) {
      type Form = Awaited<ReturnType<VersionReader['formsOf']>>[number]
      const rows = await ask<Form>(sql.forms, [state, ids])
      return rows.map((row) => ({ ...row, keys: readKeys(row.keys, row.fieldValues) }))
    },
    vintages: (state, fips) =>
      fips === undefined ? ask(sql.vintages, [state]) : ask(sql.vintagesOfCounty, [state, fips]),
    async pastIds(state, keys) {
      return (await ask<{ id: number }>(sql.pastIds, [state, keys])).map(({ id }) => id)
    },
    async pastKeys(state, start, limit) {
      const values = [state, start, `${start}\uffff`, limit]
      return (await ask<{ key: string }>(sql.pastKeys, values)).map(({ key }) => key)
    },
    lineageOf: (state, ids) => ask(sql.lineage, [state, ids]),
    factHeads: (state) => ask<BlockHead>(sql.factHeads, [state]),
    async factChunks(...asked) {
      return (await ask<BlockHead & { data: unknown }>(sql.factChunks, asked)).map(read)
    },
    async saleTest(...asked) {
      return (await ask<{ result: string }>(sql.saleTest, asked))[0]?.result
    },
    async qualities(...asked) {
      return (await ask<{ result: string }>(sql.qualities, asked)).map(({ result }) => result)
    },
    async originBlocks(...asked) {
      return (await ask<{ number: number; data: unknown }>(sql.originBlocks, asked)).map(read)
    },
    async originImport(...asked) {
      type Found = { import: number; document: unknown }
      const [row] = await ask<Found>(sql.originImport, asked)
      return row && { ...row, document: readBytes(row.document) }
    },
    async keptRows(...asked) {
      const [row] = await ask<{ data: unknown }>(sql.keptRows, asked)
      return row && readBytes(row.data)
    },
  }
}
