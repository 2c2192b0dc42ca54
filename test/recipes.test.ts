/**
 * Recipes name existing files and all files of their change; every script has its line in
 * CONTRIBUTING.
 */
import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = new URL('..', import.meta.url).pathname
const read = (name: string) => readFileSync(join(ROOT, name), 'utf8')
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)

for (const page of ['docs/recipes.md', 'docs/security.md']) {
  test(`every file that ${page} names is there`, () => {
    const named = [...read(page).matchAll(/`((?:src|test|scripts|docs|mappings)\/[\w./-]+)`/g)]
    assert.ok(named.length > 10)
    for (const [, path = ''] of named) assert.ok(existsSync(join(ROOT, path)), path)
  })
}

test('recipes: an operation, a field, a filter, a format, a mapping and a setting', () => {
  const headings = [...read('docs/recipes.md').matchAll(/^## (?:A|An) (\w+)$/gm)]
  assert.deepEqual(
    headings.map(([, name]) => name),
    ['operation', 'field', 'filter', 'format', 'mapping', 'setting'],
  )
})

/** For each recipe, a text of every source file that its change touches or has to consider. */
const TOUCHED: [recipe: string, text: RegExp, least: number][] = [
  // A read of the store: declared, in the table of questions, and written for each store.
  ['An operation', /\bheadsFrom\b/, 6],
  ['A field', /const DERIVED\b|\bADDRESS_FIELDS = |slot\?: number/, 3],
  ['A filter', /\bDRIVEN\b|\bFILTERS = /, 5],
  ['A setting', /\bsecretOf\b/, 2],
]

for (const [recipe, text, least] of TOUCHED) {
  test(`the recipe "${recipe}" names every file that ${text} is in`, () => {
    const files = globSync('src/**/*.ts', { cwd: ROOT })
      .filter((path) => !/\.test\.ts$|^src\/operations\/(?:find\/find-|time\/)/.test(path))
      .filter((path) => text.test(read(path)))
    assert.ok(files.length >= least, files.join('\n'))
    const [, section = ''] = read('docs/recipes.md').split(`\n## ${recipe}\n`)
    const [own = ''] = section.split('\n## ')
    assert.deepEqual(
      files.filter((path) => !own.includes(`\`${path}\``)),
      [],
    )
  })
}

test('every script of package.json is in the list of CONTRIBUTING, and no other', () => {
  const page = read('CONTRIBUTING.md')
  const listed = [...page.matchAll(/^\| `npm (?:run )?([\w:-]+)/gm)].map(([, name = '']) => name)
  // npm runs it by itself.
  assert.deepEqual(listed.sort(), scripts.filter((name) => name !== 'prepack').sort())
})

test('pages name only scripts that there are', () => {
  for (const page of ['CONTRIBUTING.md', 'docs/recipes.md', 'README.md']) {
    for (const [, name = ''] of read(page).matchAll(/npm run (?:-s )?([\w:-]+)/g)) {
      assert.ok(scripts.includes(name), `${page}: npm run ${name}`)
    }
  }
})
