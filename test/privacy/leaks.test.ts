/** No output of Platbook shows suppressed people or places. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { suppressAdd } from '../../src/cli/commands/rolls/suppress.ts'
import { CLUSTER } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import { type Person, type RunningConsole, startTestConsole } from '../console/running-console.ts'
import {
  askEverywhere,
  canaryRoll,
  HOME_ON_TILE,
  HOME_PLACE,
  HOME_WORDS,
  NAMED_ELSEWHERE,
  OWNER_WORDS,
  type Shown,
} from './canaries.ts'

type World = { console: RunningConsole; person: Person }

async function open(): Promise<World> {
  const console = await startTestConsole('')
  await console.service.importRoll(canaryRoll('', true, NAMED_ELSEWHERE), {
    name: 'roll.geojson',
    geometry: true,
    keepSource: true,
  })
  await console.makeOperator('ada', 'admin')
  return { console, person: await console.signIn('ada') }
}

async function suppress({ console }: World, ...words: string[]): Promise<void> {
  const { data } = console.service.config
  await runCommand(suppressAdd, [...words, '--basis', 'a law'], { data })
}

/** Where words are shown, each with the first. */
function findWords(shown: Shown, words: string[]): string[] {
  return [...shown].flatMap(([place, text]) => {
    const upper = text.toUpperCase()
    const word = words.find((one) => upper.includes(one))
    if (word === undefined) return []
    const at = upper.indexOf(word)
    return [`${place}: ${text.slice(Math.max(0, at - 80), at + 40).replace(/\s+/g, ' ')}`]
  })
}

let world: World
let shownBefore: Shown
before(async () => {
  world = await open()
  shownBefore = await askEverywhere(world.console, world.person)
})
after(() => world?.console.close())

test('the questions are such that they find the canaries', (t) => {
  const all = [...OWNER_WORDS, ...HOME_WORDS, ...HOME_PLACE, HOME_ON_TILE]
  for (const word of all) assert.ok(findWords(shownBefore, [word]).length > 0, word)
  const places = findWords(shownBefore, all).map((line) => line.split(/[ :]/)[0] ?? '')
  const backup = CLUSTER === undefined ? ['backup'] : []
  for (const kind of ['API', 'MCP', 'console', 'export', 'enrichment', 'tile', ...backup]) {
    assert.ok(places.includes(kind), `${kind} shows no canary`)
  }
  t.diagnostic(`${shownBefore.size} places, ${places.length} of which show a canary`)
})

for (const round of ['at once', 'after a refresh']) {
  test(`${round}: suppressed owners are shown nowhere`, async () => {
    if (round === 'at once') {
      const where = ['--state', 'WI', '--county', 'Dane']
      await suppress(world, '--owner', 'Qazmer Zyxwell', ...where)
      await suppress(world, '--owner', 'VORTIGAN MARA', ...where)
    } else {
      const roll = canaryRoll('F', true, NAMED_ELSEWHERE)
      await world.console.service.importRoll(roll, { name: 'roll.geojson', geometry: true })
    }
    assert.deepEqual(findWords(await askEverywhere(world.console, world.person), OWNER_WORDS), [])
  })

  test(`${round}: a suppressed home is shown nowhere`, async () => {
    if (round === 'at once') {
      const where = ['--state', 'WI', '--scope', 'address']
      await suppress(world, '--address', '100 Plumfirth St', ...where)
      await suppress(world, '--address', '102 Plumfirth Street', ...where)
    }
    const words = [...HOME_WORDS, ...HOME_PLACE, HOME_ON_TILE]
    assert.deepEqual(findWords(await askEverywhere(world.console, world.person), words), [])
  })
}
