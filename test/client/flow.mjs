/**
 * A program that uses the installed client, in JavaScript that every runtime understands: `RUNTIME
 * flow.mjs SERVICE KEY PROXY`. Prints its results as one line of JSON.
 *
 * PROXY is the address of a proxy to the service that drops the first answer of each path.
 */
import {
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  Platbook,
} from '@platbook/client'

const [baseUrl, key, proxy] = globalThis.process.argv.slice(-3)
const platbook = new Platbook({ baseUrl, key })
const fails = (promise) =>
  promise.then(
    () => 'no error',
    (error) => error,
  )

const found = await platbook.addressLookup({ state: 'WI', address: '7 Oak Street' })
const missing = { state: 'WI', county: 'Dane', parcelId: 'NONE' }
const strict = new Platbook({ baseUrl, key, throwOnMissing: true })
const byCursor = new Set()
for await (const { parcelId } of platbook.propertySearch({ state: 'WI', limit: 100 })) {
  byCursor.add(parcelId)
}
const list = platbook.propertySearch({ state: 'WI', limit: 10 })[Symbol.asyncIterator]()
const parallel = await Promise.all(Array.from({ length: 40 }, () => list.next()))
const owned = { state: 'WI', lastName: 'Garcia', limit: 25 }
const pages = []
for await (const { items, meta } of platbook.premiumOwnerSearch(owned).pages()) {
  pages.push([items.length, meta.tokensCharged])
}
const lossy = new Platbook({ baseUrl: proxy, key })
const [paid] = [
  (
    await lossy
      .premiumOwnerSearch({ ...owned, limit: 7 })
      .pages()
      .next()
  ).value,
]
const controller = new AbortController()
controller.abort()
const rows = [
  { id: 7, state: 'WI', address: '7 Oak St' },
  { id: 8, ...missing },
]

const result = {
  lookup: [found?.parcelId, found?.meta.match, typeof found?.meta.requestId],
  missing: await platbook.parcelIdLookup(missing),
  thrown: (await fails(strict.parcelIdLookup(missing))) instanceof NotFoundError,
  byCursor: byCursor.size,
  parallel: new Set(parallel.map(({ value }) => value.parcelId)).size,
  all: (await platbook.ownerSearch(owned).all({ max: 45 })).length,
  pages,
  batch: (await platbook.batch(rows)).map(({ id, status }) => [id, status]),
  lossy: [paid.items.length, paid.meta.tokensCharged],
  raw: (await platbook.raw('/public/property/search', { state: 'WI', limit: 1 })).meta.status,
  errors: [
    (await fails(new Platbook({ baseUrl, key: 'pbk_no' }).usage())) instanceof AuthenticationError,
    (await fails(platbook.propertySearch({ state: 'XX' }).all())) instanceof BadRequestError,
    (await fails(
      new Platbook({ baseUrl: 'http://127.0.0.1:1', key, retries: 0 }).usage(),
    )) instanceof ConnectionError,
    (await fails(platbook.usage({ signal: controller.signal }))).name,
  ],
}
console.log(JSON.stringify(result))
