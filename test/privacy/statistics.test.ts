/** Quality and ratio studies name nobody, although the roll has names in every field. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { qualityCommand } from '../../src/cli/commands/rolls/quality.ts'
import { ratiosCommand } from '../../src/cli/commands/rolls/ratios.ts'
import { CLUSTER } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { type Person, type RunningConsole, startTestConsole } from '../console/running-console.ts'
import { canaryRoll, HOME_WORDS, NAMED_ELSEWHERE, OWNER_WORDS } from './canaries.ts'

let console: RunningConsole
let person: Person
before(async () => {
  console = await startTestConsole('')
  const roll = canaryRoll('', true, NAMED_ELSEWHERE)
  await console.service.importRoll(roll, { name: 'roll.geojson', geometry: true })
  await console.makeOperator('ada', 'admin')
  person = await console.signIn('ada')
})
after(() => console?.close())

/** `GROUPS` without neighborhoods, which are texts of the roll and one of the things asked for. */
const GROUPED = ['', '&groupBy=municipality', '&groupBy=useStandardCode', '&groupBy=priceQuartile']
const PLACE = 'state=WI&county=Dane'
const SUMMARY = '/public/property/summary/'

function assertNobody(where: string, text: string): void {
  assert.ok(text.length > 50, where)
  for (const word of [...OWNER_WORDS, ...HOME_WORDS]) {
    assert.ok(!text.toUpperCase().includes(word), `${where} shows ${word}`)
  }
}

test('a record names them, so that these words would be found', async () => {
  const { text } = await console.service.get('/public/property/search/', {
    ...{ state: 'WI', includeUnassignedAddress: true, limit: 100 },
  })
  for (const word of [...OWNER_WORDS, ...HOME_WORDS]) {
    assert.ok(text.toUpperCase().includes(word), `no record has ${word}`)
  }
})

test('a summary names owners only by owner', async () => {
  const query = 'state=WI&measure=sumAcres,medianMarketValue'
  for (const group of ['city', 'zipCode', 'ownerType', 'useStandardCode,ownerState']) {
    const { text } = await console.service.get(SUMMARY, `${query}&groupBy=${group}`)
    assertNobody(group, text)
  }
  const { text } = await console.service.get(SUMMARY, `${query}&groupBy=owner`)
  assert.ok(text.includes(OWNER_WORDS[0] ?? ''), text)
})

test('the operations name nobody', async () => {
  const { text } = await console.service.get('/public/quality/', PLACE)
  assertNobody('quality', text)
  assertNobody('quality of all', (await console.service.get('/public/quality/', '')).text)
  for (const basis of ['market', 'assessed']) {
    for (const groups of GROUPED) {
      const query = `${PLACE}&basis=${basis}${groups}`
      assertNobody(query, (await console.service.get('/public/ratios/', query)).text)
    }
  }
})

test('the pages of the console and their tables name nobody', async () => {
  const paths = [
    'quality',
    'ratios',
    'ratios?basis=assessed',
    'ratios.csv',
    'ratios.csv?basis=assessed',
  ]
  for (const path of paths) {
    const answer = await person.get(`/coverage/55025/${path}`)
    assert.equal(answer.status, 200, path)
    assertNobody(path, await answer.text())
  }
})

test('the commands name nobody', async (t) => {
  if (CLUSTER !== undefined) return t.skip('the commands read the embedded store')
  const { data } = console.service.config
  const place = ['--state', 'WI', '--county', 'Dane']
  for (const command of [qualityCommand, ratiosCommand]) {
    for (const more of [[], ['--json']]) {
      const { out } = await runCommand(command, [...place, ...more], { data })
      assertNobody(command.name, [out].flat().join('\n'))
    }
  }
})
