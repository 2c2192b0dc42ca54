/**
 * Settings, commands, paths and ports in deploy/ agree with the program. No container engine is
 * needed.
 */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../src/settings/config.ts'
import { readConfig } from '../src/settings/read-config.ts'
import { loadCommands } from './command.ts'

const COMMANDS = await loadCommands()

const ROOT = new URL('..', import.meta.url).pathname
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const FILES = ['Dockerfile', 'compose.yml', 'kubernetes.yml'].map(
  (name) => [name, read(name)] as const,
)

for (const [name, text] of FILES) {
  test(`${name} names settings, commands and a port that there are`, () => {
    const settings = [...text.matchAll(/\bPLATBOOK_[A-Z_]+/g)].map(([found]) => found)
    assert.ok(settings.length > 0)
    for (const found of settings) {
      assert.ok(
        SETTINGS.some((setting) => setting.name === found),
        found,
      )
    }
    for (const [, word = ''] of text.matchAll(/(?:main\.ts|platbook) ([a-z]+)/g)) {
      assert.ok(
        COMMANDS.some(({ name }) => name.split(' ')[0] === word),
        word,
      )
    }
    for (const [, port] of text.matchAll(
      /(?:EXPOSE |containerPort: |targetPort: |port: )(\d{4})/g,
    )) {
      assert.equal(Number(port), readConfig({}).port)
    }
    assert.doesNotMatch(text, /\t| $/m)
  })
}

test('the image has everything that the program reads, and begins it as the package does', () => {
  const file = read('Dockerfile')
  const copied = [...file.matchAll(/^COPY (.+) \.\//gm)].flatMap(
    ([, names]) => names?.split(' ') ?? [],
  )
  for (const name of copied) assert.ok(existsSync(join(ROOT, name)), name)
  const packed = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const [, folder, main] = /ENTRYPOINT \["node", "(src)\/(.+)"\]/.exec(file) ?? []
  // What is published is made of the same files: scripts/build-package.ts.
  const published = `${folder}/${main}`.replace('src/', 'dist/').replace('.ts', '.js')
  assert.equal(published, packed.bin.platbook)
  const named = listFolders()
  for (const needed of ['mappings', 'sources', 'tables', 'docs'])
    assert.ok(named.has(needed), needed)
  for (const needed of ['src', ...named]) assert.ok(copied.includes(needed), needed)
  assert.match(file, new RegExp(`FROM node:${/\d+/.exec(packed.engines.node)?.[0]}`))
})

/** Folders beside `src/` that its files name by an address relative to themselves. */
function listFolders(): Set<string> {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const names = files
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .flatMap((name) => {
      const up = '../'.repeat(name.split('/').length)
      const text = readFileSync(join(ROOT, 'src', name), 'utf8')
      return text
        .split(`new URL('${up}`)
        .slice(1)
        .map((rest) => /^[a-z]+(?=\/)/.exec(rest)?.[0] ?? '')
    })
  return new Set(names.filter((name) => name !== ''))
}

test('the console of compose is reached on this machine alone, and health is checked', () => {
  const text = read('compose.yml')
  const { consolePort } = readConfig({})
  assert.match(text, new RegExp(`"127\\.0\\.0\\.1:${consolePort}:${consolePort}"`))
  assert.match(text, /PLATBOOK_CONSOLE_HOST: 0\.0\.0\.0/)
  assert.match(text, /healthcheck:[\s\S]*\/readyz/)
})
