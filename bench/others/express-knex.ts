/**
 * An alternative that a user might build: Express with Knex over SQLite, `LIKE` and plain indexes,
 * a row per charge. One process.
 *
 * Knex needs a driver that is compiled at installation; here its client for better-sqlite3 uses the
 * runtime's `node:sqlite`.
 */
import { DatabaseSync } from 'node:sqlite'
import { requirePackages } from '../kit/packages.ts'
import { cursorOfId, idOfCursor, JSON_TYPE, makeKeyCheck, type Order, showList } from './answers.ts'

const require = requirePackages()
const express = require('express')
const knexOf = require('knex')
const SqliteClient = require('knex/lib/dialects/better-sqlite3')

/** The part of better-sqlite3 that Knex uses. */
class Driver {
  readonly #db: DatabaseSync
  readonly #statements = new Map<string, ReturnType<typeof wrap>>()

  constructor(path: string) {
    this.#db = new DatabaseSync(path)
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  }

  /**
   * Knex prepares every query again; better-sqlite3 does that fast, so statements are cached here.
   */
  prepare(sql: string) {
    let statement = this.#statements.get(sql)
    if (statement === undefined) {
      statement = wrap(this.#db, sql)
      this.#statements.set(sql, statement)
    }
    return statement
  }

  close() {
    this.#db.close()
  }
}

function wrap(db: DatabaseSync, sql: string) {
  const statement = db.prepare(sql)
  return {
    reader: statement.columns().length > 0,
    all: (values: string[]) => statement.all(...values),
    run: (values: string[]) => statement.run(...values),
  }
}

class NodeSqliteClient extends SqliteClient {
  _driver() {
    return Driver
  }
}

process.once('message', ({ database, keyHash }: Order) => {
  const knex = knexOf({
    client: NodeSqliteClient,
    connection: { filename: database },
    useNullAsDefault: true,
  })
  const isKnown = makeKeyCheck(keyHash)
  const app = express()
  // biome-ignore lint/suspicious/noExplicitAny: no types are fetched for these packages
  type Any = any
  app.use((request: Any, response: Any, next: () => void) => {
    response.type(JSON_TYPE)
    if (isKnown(request.headers.authorization)) return next()
    response.status(401).send({ error: 'Unauthorized: Invalid API key' })
  })
  app.get('/public/property/parcelId/', async ({ query }: Any, response: Any) => {
    const { state, county, parcelId } = query
    const found = await knex('parcels')
      .where({ state, county, parcel_id: parcelId })
      .first('record')
    if (found === undefined) return response.status(404).send({ error: 'Property not found' })
    response.send(`{"property":${found.record}}`)
  })
  app.get('/public/property/address/', async ({ query }: Any, response: Any) => {
    const { state, county, address } = query
    const found = await knex('parcels')
      .where({ state, county })
      .whereLike('address', `${address}%`)
      .first('record')
    if (found === undefined) return response.status(404).send({ error: 'Address not found' })
    response.send(`{"property":${found.record}}`)
  })
  app.get('/public/property/search/', async ({ query }: Any, response: Any) => {
    const limit = Number(query.limit)
    const found = await knex('parcels')
      .where('state', query.state)
      .where('id', '>', idOfCursor(query.cursor))
      .whereNotNull('address')
      .orderBy('id')
      .limit(limit)
      .select('id', 'record')
    const nextCursor = found.length === 0 ? null : cursorOfId(found.at(-1).id)
    const records = found.map((row: Any) => row.record)
    response.send(showList(records, { limit, count: found.length, nextCursor }))
  })
  app.get('/public/premium/owner/', async ({ query }: Any, response: Any) => {
    const name = `%${query.lastName}%`
    const found = await knex('parcels')
      .where('state', query.state)
      .where((either: Any) => either.whereLike('owner1', name).orWhereLike('owner2', name))
      .orderBy('id')
      .limit(10)
      .select('record')
    if (found.length === 0) return response.status(404).send({ error: 'No properties found' })
    await knex('charges').insert({ account: 'bench', request: String(Math.random()) })
    const records = found.map((row: Any) => row.record)
    response.send(showList(records, { limit: 10, offset: 0, count: found.length }))
  })
  const server = app.listen(0, '127.0.0.1', () => {
    process.send?.(`http://127.0.0.1:${server.address().port}`)
  })
})
process.on('disconnect', () => process.exit(0))
