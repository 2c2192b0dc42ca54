/**
 * Fifty explanations as a caller gets them, in `explanations.txt`: a line with the query, then the
 * sentences.
 *
 * `PLATBOOK_WRITE_EXPLANATIONS=1` writes the sentences again; read the difference before you commit
 * it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { explainCommand } from '../../src/cli/commands/rolls/explain.ts'
import { runCommand } from '../command.ts'
import { ADDRESS_ROWS } from '../contract/address-lookup/roll.ts'
import { OWNER_ROWS } from '../contract/owner-search/roll.ts'
import { makeRoll } from '../contract/rolls.ts'
import { startService, type TestService } from '../service.ts'

const FILE = new URL('./explanations.txt', import.meta.url)

type Case = { asked: string; words: string[] }

let service: TestService
before(async () => {
  service = await startService(makeRoll([...ADDRESS_ROWS, ...OWNER_ROWS]))
})
after(() => service.close())

test('every explanation is the recorded one', async () => {
  const cases = readCases()
  assert.ok(cases.length >= 50, `${cases.length} cases`)
  const explained: Case[] = []
  for (const { asked } of cases) explained.push({ asked, words: await explain(asked) })
  if (process.env.PLATBOOK_WRITE_EXPLANATIONS === '1') writeFileSync(FILE, writeCases(explained))
  assert.deepEqual(explained, readCases())
})

test('without explain nothing of an answer changes, byte for byte', async () => {
  for (const { asked } of readCases()) {
    const [path, query] = split(asked)
    const plain = await service.get(path, query)
    const off = await service.get(path, `${query}&explain=false`)
    const on = await service.get(path, `${query}&explain=true`)
    assert.equal(off.text, plain.text)
    assert.equal(on.status, plain.status)
    assert.equal(on.headers.get('x-match'), plain.headers.get('x-match'), asked)
    delete on.body.explain
    delete on.body.metadata?.explain
    assert.equal(JSON.stringify(on.body), plain.text, asked)
  }
})

test('the command explains as the service does', async () => {
  const runExplain = (words: string[]) =>
    runCommand(explainCommand, words, { data: service.config.data })
  const address = await runExplain(['address', '200 Elm St', '--state', 'WI', '--county', 'Dane'])
  const lookup = '/public/property/address/?state=WI&address=200 Elm St&county=Dane'
  assert.equal(address.out.trim(), (await explain(lookup)).join('\n'))
  const owner = await runExplain(['owner', 'Quillon', '--first-name', 'Mar', '--state', 'WI'])
  const search = '/public/premium/owner/?state=WI&lastName=Quillon&firstName=Mar'
  assert.equal(owner.out.trim(), (await explain(search)).join('\n'))
  await assert.rejects(runExplain(['owner', '--state', 'WI']), { exitCode: 2 })
})

async function explain(asked: string): Promise<string[]> {
  const [path, query] = split(asked)
  const { body } = await service.get(path, `${query}&explain=true`)
  const explanation = 'metadata' in body ? body.metadata.explain : body.explain
  return explanation.words
}

function split(asked: string): [path: string, query: string] {
  const [path = '', query = ''] = asked.split('?')
  return [path, query.replaceAll(' ', '+')]
}

function readCases(): Case[] {
  return readFileSync(FILE, 'utf8')
    .trim()
    .split('\n\n')
    .map((block) => {
      const [asked = '', ...words] = block.split('\n')
      return { asked, words: words.map((line) => line.replace(/^ {2}/, '')) }
    })
}

function writeCases(cases: Case[]): string {
  const blocks = cases.map(({ asked, words }) =>
    [asked, ...words.map((line) => `  ${line}`)].join('\n'),
  )
  return `${blocks.join('\n\n')}\n`
}
