/** Commands that pages of the console print work as they are printed. */
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { makeSuppression } from '../../src/privacy/suppress.ts'
import { runWarm } from '../warm-client.ts'
import { ROLL } from './people.ts'
import { type Person, type RunningConsole, startTestConsole } from './running-console.ts'

const CONSOLE = fileURLToPath(new URL('../../src/console/', import.meta.url))
const PARCEL = '55025-0709-123-0101-4'
const PATHS = ['/imports', '/sources', '/operation', `/privacy?property=${PARCEL}`, '/sign-in']

let console: RunningConsole
let admin: Person
before(async () => {
  console = await startTestConsole(ROLL, true)
  await console.makeOperator('ada', 'admin')
  admin = await console.signIn('ada')
  const { config } = console.service
  const asked = {
    ...({ kind: 'owner', text: 'NOBODY, NORA', scope: 'owner', nameOrder: 'mixed' } as const),
    ...{ place: { state: 'WI', fips: 55025 }, basis: 'order 17', until: null },
  }
  await console.context.accounts(({ admin: data }) =>
    data.putSuppressions([makeSuppression(asked, config, 0)]),
  )
  mkdirSync(join(config.data, 'backups', '2026-01-01'), { recursive: true })
})
after(() => console?.close())

/** The commands between tags of a page, with its placeholders filled in. */
async function readCommands(path: string): Promise<string[]> {
  const text = (await (await admin.get(path)).text()).replaceAll('&#39;', "'")
  return [...text.matchAll(/platbook ((?:[a-z-]+ ?)+[^<]*)<\/(?:code|pre)>/g)].map(
    ([, words = '']) => words.trim(),
  )
}

/** Commands that pages show where there is much, or something is followed: from their sources. */
function readRareCommands(): string[] {
  const texts = ['pages', 'show'].flatMap((folder) =>
    readdirSync(join(CONSOLE, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(CONSOLE, folder, name), 'utf8')),
  )
  return texts
    .flatMap((text) => [...text.matchAll(/(?<![=/-])\bplatbook ([a-z][^<`\n]*?)\.?\s*(?=[<`])/g)])
    .map(([, words = '']) => words.replace(/\$\{propertyId\}/, PARCEL))
    .filter((words) => !words.includes('$'))
}

test('each printed command runs and is not wrong use', async () => {
  const file = join(console.service.config.data, 'roll.csv')
  writeFileSync(file, ROLL)
  const shown = (await Promise.all(PATHS.map(readCommands))).flat()
  assert.ok(shown.length >= 3, shown.join('\n'))
  const found = new Set([...shown, ...readRareCommands()])
  for (const rare of ['sync --all --due', 'import list --all', `audit who-saw ${PARCEL}`]) {
    assert.ok(found.has(rare), [...found].join('\n'))
  }
  for (const command of found) {
    const words = command
      .replace('FILE', file)
      .replace(/--mapping NAME/, '--mapping platbook')
      .replace('create NAME', 'create nora')
      .replace('NAME', 'NORA')
      .split(/\s+/)
    // Stores are in use, so a restore is refused, which is no wrong use.
    let printed = ''
    const code = await runWarm([...words, '--data', data()], (_, text) => {
      printed += text
    })
    assert.ok(code === 0 || (code === 1 && command.startsWith('restore')), `${command}\n${printed}`)
  }
})

test('every command that the sources of pages name exists', async () => {
  const { COMMAND_TEXTS } = await import('../../src/cli/command.ts')
  const files = readdirSync(CONSOLE, { recursive: true, encoding: 'utf8' })
  const named = files
    .filter((name) => /\.(?:ts|js)$/.test(name) && !name.includes('.test.'))
    .flatMap((name) => [
      ...readFileSync(join(CONSOLE, name), 'utf8').matchAll(
        /(?<![=/-])\bplatbook ([a-z]+)(?: ([a-z-]+))?/g,
      ),
    ])
  assert.ok(named.length > 5, 'commands are found in the sources')
  for (const [text, first = '', second = ''] of named) {
    const isKnown = COMMAND_TEXTS.has(first) || COMMAND_TEXTS.has(`${first} ${second}`)
    assert.ok(isKnown, text)
  }
})

function data(): string {
  return console.service.config.data
}
