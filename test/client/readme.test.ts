/** Runs the ten examples of client/README.md against a sandbox key of a real service. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { makeSandboxKey } from '../../src/accounts/api-key.ts'
import { buildSandbox } from '../../src/sandbox/build.ts'
import { NOON, startService, type TestService } from '../service.ts'

const README = readFileSync(new URL('../../client/README.md', import.meta.url), 'utf8')
const EXAMPLES = [...README.matchAll(/^## (\d+)\. .*?\n```ts\n(.*?)```/gms)].map(
  ([, number = '', code = '']) => ({ number, code }),
)
const folder = mkdtempSync(join(tmpdir(), 'platbook-readme-'))
const SCRIPT = join(folder, 'examples.ts')

let service: TestService
let key = ''
before(async () => {
  service = await startService('')
  await buildSandbox(service.config.data, () => NOON)
  key = await service.keyFor({ responseShape: 'flat' }, makeSandboxKey)
})
after(async () => {
  rmSync(folder, { recursive: true })
  await service.close()
})

test('the ten examples run and find what they ask for', async () => {
  assert.equal(EXAMPLES.length, 10)
  const imports = new Set<string>()
  const bodies = EXAMPLES.map(({ number, code }) => {
    const rest = code.replaceAll(/^import \{(.*?)\} from '@platbook\/client'$/gm, (_, names) => {
      for (const name of names.split(',')) imports.add(name.trim())
      return ''
    })
    return `at(${number})\n${rest}`
  })
  const from = new URL('../../client/src/index.ts', import.meta.url).pathname
  writeFileSync(
    SCRIPT,
    `// @ts-nocheck\nimport { ${[...imports].join(', ')} } from '${from}'\nexport ` +
      `async function run(baseUrl, key, at, console) {\n${bodies.join('\n')}\n}\n`,
  )
  const { run } = await import(pathToFileURL(SCRIPT).href)
  const logged = new Map<number, unknown[][]>()
  let current = 0
  const at = (number: number) => {
    current = number
    logged.set(number, [])
  }
  await run(service.address, key, at, {
    log: (...words: unknown[]) => logged.get(current)?.push(words),
  })
  assert.deepEqual(logged.get(1), [['SVS PARTNERS LLC', 245700]])
  assert.equal(logged.get(2)?.[0]?.[0], 'exact')
  assert.deepEqual(logged.get(3), [['3200 W GRANT LN']])
  assert.ok((logged.get(4)?.length ?? 0) > 0)
  assert.ok((logged.get(5)?.length ?? 0) >= 5)
  assert.deepEqual(logged.get(5)?.at(-1)?.[1], null)
  assert.deepEqual(logged.get(6), [[30]])
  assert.equal([logged.get(7)?.[0]?.[0]].flat().length, 5)
  assert.deepEqual(logged.get(8), [
    [
      [
        [1, 200, 'SVS PARTNERS LLC'],
        [2, 200, 'FLORES JERRY TRAVIS & SUSAN'],
      ],
    ],
  ])
  assert.deepEqual(logged.get(9), [])
  assert.deepEqual(logged.get(10), [[0, 200, 'object']])
})
