/** `former=true`: parcels that a name held in an earlier roll, over both stores. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { shareServer, whyNoServer } from '../../postgres-server.ts'
import { NOON, startService, type TestService } from '../../service.ts'

const HEAD =
  'state,county,parcelId,ownerName1,ownerName2,nameOrder,address,sourceRollYear,' +
  'totalAssessedValue\n'
const roll = (year: number, owners: Record<string, string>, value = year) =>
  HEAD +
  Object.entries(owners)
    .map(([id, name]) => {
      const [first, second = ''] = name.split('&')
      return `WI,Dane,${id},"${first}","${second}",last-first,${id} OAK ST,${year},${value}\n`
    })
    .join('')

const ROLLS = [
  roll(2021, {
    ...{ 1: 'QUILLON, MARA', 2: 'QUILLON, MARA', 3: 'QUILLON, PETER', 4: 'BRINDLE HOMES LLC' },
    ...{ 5: 'ROE, JO', 6: 'QUILLON, MARA', 7: 'MARWICK, JOHN&DOE, MARY', 8: 'TOVEY, ANN' },
    10: 'KEEN, ODA',
  }),
  // 1 is sold, 2 stays, 3 goes to a namesake, 4 is sold, 6 is removed, 7 changes its second owner.
  roll(2022, {
    ...{ 1: 'ROE, JO', 2: 'QUILLON, MARA', 3: 'QUILLON, MARA', 4: 'ROE, JO', 5: 'ROE, JO' },
    ...{ 7: 'MARWICK, JOHN&DOE, ANN', 8: 'ROE, JO' },
  }),
  // 1 is bought back. 10 is there for a second time, and then removed again.
  roll(2023, {
    ...{ 1: 'QUILLON, MARA', 2: 'QUILLON, MARA', 3: 'QUILLON, MARA', 4: 'ROE, JO', 5: 'ROE, JO' },
    ...{ 7: 'MARWICK, JOHN&DOE, ANN', 8: 'ROE, JO', 9: 'ROE, JO' },
    10: 'KEEN, ODA',
  }),
  roll(2024, {
    ...{ 1: 'ROE, JO', 2: 'QUILLON, MARA', 3: 'QUILLON, MARA', 4: 'ROE, JO', 5: 'ROE, JO' },
    ...{ 7: 'MARWICK, JOHN&DOE, ANN', 8: 'ROE, JO', 9: 'ROE, JO' },
  }),
]

async function loadAll(service: TestService) {
  for (const [at, csv] of ROLLS.entries()) {
    await service.importRoll(csv, { force: true, at: NOON + at * 86_400_000 })
  }
}

type Held = { propertyId: string; from: string; to: string | null }

/** The found parcel IDs in order, and the times in which each was held. */
async function ask(service: TestService, query: Record<string, string | number>) {
  const { status, body } = await service.get('/public/premium/owner/', {
    ...{ state: 'WI', former: 'true', limit: 25 },
    ...query,
  })
  if (status === 404) return {}
  assert.equal(status, 200, JSON.stringify(body))
  const shown = body.properties.map(({ parcelId }: { parcelId: string }) => parcelId)
  const held: Held[] = body.metadata.held
  const years = (id: string) =>
    held
      .filter(({ propertyId }) => propertyId === `55025-${id}`)
      .map(({ from, to }) => `${from.slice(0, 4)}-${to?.slice(0, 4) ?? ''}`)
      .join(' ')
  const found = Object.fromEntries(shown.map((id: string) => [id, years(id)]))
  assert.equal(Object.keys(found).length, shown.length)
  return found
}

const CASES: [name: string, query: Record<string, string>, found: Record<string, string>][] = [
  [
    'all times of a name',
    { lastName: 'Quillon', firstName: 'Mara' },
    {
      ...{ 1: '2023-2024 2021-2022', 2: '2021-', 3: '2022-', 6: '2021-2022' },
    },
  ],
  ['a parcel that was removed twice', { lastName: 'Keen' }, { 10: '2023-2024 2021-2022' }],
  [
    'a surname that stays with another given name',
    { lastName: 'Quillon', firstName: 'Peter' },
    {
      3: '2021-2022',
    },
  ],
  ['a whole name', { lastName: 'Peter Quillon' }, { 3: '2021-2022' }],
  ['an organization', { lastName: 'Brindle Homes' }, { 4: '2021-2022' }],
  ['words of one slot', { nameContains: 'mary doe' }, { 7: '2021-2022' }],
  ['no words of two slots', { nameContains: 'john mary' }, {}],
  ['a misspelled name', { lastName: 'Tovet', fuzzy: 'true' }, { 8: '2021-2022' }],
  ['another first letter', { lastName: 'Novey', fuzzy: 'true' }, {}],
  ['the beginning of a name', { lastName: 'Tov', prefix: 'true' }, { 8: '2021-2022' }],
  ['another county', { lastName: 'Tovey', county: 'Rock' }, {}],
  ['a name that nobody had', { lastName: 'Zander' }, {}],
]

async function tryAll(service: TestService) {
  await loadAll(service)
  for (const [name, query, expected] of CASES) {
    assert.deepEqual(await ask(service, query), expected, name)
  }
  // Held now first; pages join without a gap.
  const query = { lastName: 'Quillon', firstName: 'Mara', limit: 1 }
  const pages: string[] = []
  for (const offset of [0, 1, 2, 3]) {
    pages.push(...Object.keys(await ask(service, { ...query, offset })))
  }
  assert.deepEqual(pages, ['2', '3', '1', '6'])
  const { body } = await service.get('/public/property/owner/', {
    ...{ state: 'WI', lastName: 'Tovey', former: 'true', explain: 'true' },
  })
  assert.match(JSON.stringify(body.properties[0]), /ROE, JO/)
  assert.match(
    body.metadata.explain.words.join(),
    /55025-8 .*: the name held it in an earlier roll/,
  )
  const without = { state: 'WI', lastName: 'Tovey' }
  assert.equal((await service.get('/public/property/owner/', without)).status, 404)
}

const service = await startService('')
after(() => service.close())

test('former=true finds what a name held, and says when', () => tryAll(service))

const missing = whyNoServer()
test('PostgreSQL finds the same', { skip: missing ?? false }, async () => {
  const server = await shareServer()
  const own = await startService('', { databaseUrl: await server.createDatabase('former') })
  try {
    await tryAll(own)
  } finally {
    await own.close()
    await server.stop()
  }
})
