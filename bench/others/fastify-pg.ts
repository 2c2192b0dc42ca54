/**
 * An alternative that a user might build: Fastify with `pg` over PostgreSQL, `LIKE` and a trigram
 * index, a row per charge. One process.
 */
import Fastify from 'fastify'
import { Pool } from 'pg'
import { cursorOfId, idOfCursor, JSON_TYPE, makeKeyCheck, type Order, showList } from './answers.ts'

const POOL = 16

process.once('message', async ({ database, keyHash }: Order) => {
  const pool = new Pool({ connectionString: database, max: POOL })
  const isKnown = makeKeyCheck(keyHash)
  const fastify = Fastify()
  const rows = async (name: string, text: string, values: unknown[]) =>
    (await pool.query<{ id: string; record: string }>({ name, text, values })).rows

  fastify.addHook('onRequest', async (request, reply) => {
    reply.type(JSON_TYPE)
    if (!isKnown(request.headers.authorization)) {
      return reply.code(401).send({ error: 'Unauthorized: Invalid API key' })
    }
  })
  type Query = { Querystring: Record<string, string> }
  fastify.get<Query>('/public/property/parcelId/', async ({ query }, reply) => {
    const [row] = await rows(
      'parcel',
      'SELECT record FROM parcels WHERE state = $1 AND county = $2 AND parcel_id = $3',
      [query.state, query.county, query.parcelId],
    )
    if (row === undefined) return reply.code(404).send({ error: 'Property not found' })
    return `{"property":${row.record}}`
  })
  fastify.get<Query>('/public/property/address/', async ({ query }, reply) => {
    const [row] = await rows(
      'address',
      'SELECT record FROM parcels WHERE state = $1 AND county = $2 AND address ILIKE $3 LIMIT 1',
      [query.state, query.county, `${query.address}%`],
    )
    if (row === undefined) return reply.code(404).send({ error: 'Address not found' })
    return `{"property":${row.record}}`
  })
  fastify.get<Query>('/public/property/search/', async ({ query }) => {
    const limit = Number(query.limit)
    const found = await rows(
      'page',
      `SELECT id, record FROM parcels WHERE state = $1 AND id > $2 AND address IS NOT NULL
        ORDER BY id LIMIT $3`,
      [query.state, idOfCursor(query.cursor ?? ''), limit],
    )
    const last = found.at(-1)
    const nextCursor = last === undefined ? null : cursorOfId(Number(last.id))
    return showList(
      found.map(({ record }) => record),
      { limit, count: found.length, nextCursor },
    )
  })
  fastify.get<Query>('/public/premium/owner/', async ({ query, id }, reply) => {
    const found = await rows(
      'owner',
      `SELECT record FROM parcels WHERE state = $1 AND (owner1 ILIKE $2 OR owner2 ILIKE $2)
        ORDER BY id LIMIT 10`,
      [query.state, `%${query.lastName}%`],
    )
    if (found.length === 0) return reply.code(404).send({ error: 'No properties found' })
    await pool.query({
      name: 'charge',
      text: 'INSERT INTO charges (account, request) VALUES ($1, $2)',
      values: ['bench', id],
    })
    return showList(
      found.map(({ record }) => record),
      { limit: 10, offset: 0, count: found.length },
    )
  })
  const address = await fastify.listen({ host: '127.0.0.1', port: 0 })
  process.send?.(address)
})
process.on('disconnect', () => process.exit(0))
