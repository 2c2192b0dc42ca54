/** Suppressions in both stores: which are in force, and what an import receives. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Suppression } from '../../src/base/model/suppression.ts'
import { hashForms, personForm, recipeForm, registryForm } from '../../src/privacy/matcher.ts'
import { rulesOf } from '../../src/privacy/rules.ts'
import { readConfig } from '../../src/settings/read-config.ts'
import { openAccounts, prepareData } from '../../src/store/open.ts'
import { shareServer, whyNoServer } from '../postgres-server.ts'

const SECRET = new Uint8Array(32).fill(7)
const RECIPE = 'sha256:{surname}|{given}'
const PLACE = { state: 'WI', fips: 55025 }

testStore('SQLite', async () => null)
const missing = whyNoServer()
if (missing !== undefined) test('suppressions in PostgreSQL', { skip: missing }, () => undefined)
else {
  testStore('PostgreSQL', async () => {
    const server = await shareServer()
    after(() => server.stop())
    return server.createDatabase('suppressions')
  })
}

function testStore(name: string, findUrl: () => Promise<string | null>): void {
  test(`${name}: an import gets each hash in force once, and few texts`, async () => {
    const data = mkdtempSync(join(tmpdir(), 'platbook-test-'))
    const config = { ...readConfig({}), data, databaseUrl: await findUrl() }
    await prepareData(config)
    const accounts = await openAccounts(config)
    const persons = Array.from({ length: 300 }, (_, at) =>
      make(`sup_${at}`, hashForms(SECRET, [personForm(`SURNAME${at}`, ['JO', 'B'], PLACE)]), at),
    )
    const marks = [RECIPE, 'sha1:{surname}'].map((one) => hashForms(SECRET, [recipeForm(one)]))
    const listed = marks.map((mark, at) =>
      make(`reg_${at}`, mark + hashForms(SECRET, [registryForm('ab12', PLACE)]), 500),
    )
    const ended = { ...make('sup_ended', persons[0]?.hashes ?? '', 700), endedAt: 800 }
    const home = { ...make('sup_home', 'f'.repeat(72), 600), kind: 'address', scope: 'both' }
    await accounts.admin.putSuppressions([...persons, ...listed, ended, home as Suppression])

    const rules = await accounts.admin.suppressionRules()
    const hashes = rules.flatMap((one) => one.hashes.match(/.{72}/g) ?? []).sort()
    const inForce = [...persons, ...listed, home].flatMap((one) => one.hashes.match(/.{72}/g) ?? [])
    assert.deepEqual(hashes, inForce.sort())
    assert.ok(rules.length <= 16 + 2 + 1, `${rules.length} texts`)
    assert.deepEqual(
      rules.filter(({ kind }) => kind === 'address').map(({ scope }) => scope),
      ['both'],
    )
    // The registry with the other recipe is identified by its own id.
    assert.throws(
      () => rulesOf(rules, { data: config.data, registryHash: RECIPE }),
      /suppression\.secret is missing/,
    )
    const registered = rules.filter(({ id }) => id.startsWith('reg_'))
    assert.deepEqual(registered.map(({ id }) => id).sort(), ['reg_0', 'reg_1'])
    for (const { id, hashes: own } of registered) {
      assert.ok(own.startsWith(marks[Number(id.slice(4))] ?? 'none'))
    }

    const since = await accounts.admin.suppressions(500)
    assert.deepEqual(
      since.map(({ id }) => id),
      ['reg_0', 'reg_1', 'sup_home', 'sup_ended'],
    )
    assert.equal((await accounts.admin.suppressions()).length, 304)
    await accounts.close()
    rmSync(data, { recursive: true, force: true })
  })
}

function make(id: string, hashes: string, createdAt: number): Suppression {
  const scope = { ...PLACE, kind: 'owner' as const, scope: 'owner' as const }
  return { ...scope, id, hashes, basis: 'a test', createdAt, until: null, endedAt: null }
}
