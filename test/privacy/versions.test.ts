/** Suppressions reach earlier versions: a file of its own, because it loads a roll twice. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { suppressAdd } from '../../src/cli/commands/rolls/suppress.ts'
import { CLUSTER, noteDatabase } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'
import { NOON, startService } from '../service.ts'

const HEAD =
  'state,county,parcelId,ownerName1,nameOrder,address,sourceRollYear,totalAssessedValue\n'
const row = (id: number, owner: string, year: number, street = 'OAK ST') =>
  `WI,Dane,${id},"${owner}",last-first,${id} ${street},${year},${year}\n`
const FIRST =
  HEAD +
  row(1, 'ZYXWELL, QAZMER J', 2023) +
  row(2, 'ZYXWELL, QAZMER J', 2023) +
  row(3, 'ROE, JANE', 2023, 'PLUMFIRTH ST') +
  row(4, 'ROE, JANE', 2023)
const SECOND =
  HEAD + row(1, 'HARLOW, PAUL', 2024) + row(3, 'ROE, JANE', 2024) + row(4, 'ROE, JO', 2024)

/** Suppresses a person, a home and a parcel, and looks for them in earlier versions. */
async function suppressAll(databaseUrl?: string): Promise<void> {
  const service = await startService('', databaseUrl === undefined ? {} : { databaseUrl })
  const { data } = service.config
  if (databaseUrl !== undefined) noteDatabase(data, databaseUrl)
  const suppress = async (...words: string[]) => {
    const { code, err } = await runCommand(suppressAdd, [...words, '--basis', 'a law'], { data })
    assert.equal(code, 0, err)
  }
  const history = async (id: number) => {
    const query = { propertyId: `55025-${id}`, records: 'true' }
    const { text } = await service.get('/public/property/history/', query)
    return ['QAZMER', 'PLUMFIRTH', 'HARLOW', 'ROE, JANE', '2023', 'not found'].filter((word) =>
      text.includes(word),
    )
  }
  try {
    await service.importRoll(FIRST, { force: true })
    await service.importRoll(SECOND, { force: true, at: NOON + 86_400_000 })
    assert.deepEqual(await history(1), ['QAZMER', 'HARLOW', '2023'])
    assert.deepEqual(await history(2), ['QAZMER', '2023'])
    const former = { state: 'WI', lastName: 'Zyxwell', former: 'true' }
    const found = await service.get('/public/property/owner/', former)
    assert.equal(found.body.properties.length, 2)
    await suppress('--owner', 'Qazmer J Zyxwell')
    assert.equal((await service.get('/public/property/owner/', former)).status, 404)
    // The values stay.
    assert.deepEqual(await history(1), ['HARLOW', '2023'])
    assert.deepEqual(await history(2), ['2023'])
    assert.deepEqual(await history(3), ['PLUMFIRTH', 'ROE, JANE', '2023'])
    await suppress('--address', '3 Plumfirth St', '--state', 'WI', '--scope', 'address')
    assert.deepEqual(await history(3), ['ROE, JANE', '2023'])
    assert.deepEqual(await history(4), ['ROE, JANE', '2023'])
    await suppress('--property', '55025-4', '--scope', 'both')
    assert.deepEqual(await history(4), ['not found'])
    if (databaseUrl === undefined && CLUSTER === undefined) {
      const bytes = readFileSync(join(data, 'parcels.db'), 'latin1')
      for (const name of ['QAZMER', 'PLUMFIRTH']) assert.equal(bytes.includes(name), false, name)
    }
  } finally {
    await service.close()
  }
}

test('what is suppressed is in no earlier version; a suppressed parcel has none', () =>
  suppressAll())

const missing = whyNoServer()
test('nor is it in PostgreSQL', { skip: missing ?? CLUSTER ?? false }, async () => {
  const server = await shareServer()
  try {
    await suppressAll(await server.createDatabase('versions'))
  } finally {
    await server.stop()
  }
})
