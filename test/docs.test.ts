/** Pages and code agree: settings, refusals, parameters, headers, records, commands, links. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, test } from 'node:test'
import {
  fillPlainMapping,
  fillSchema,
  listFields,
  listParameters,
  listSettings,
} from '../scripts/write-fields.ts'
import { FACTS } from '../src/accounts/account-facts.ts'
import { GATE } from '../src/accounts/billing-gate.ts'
import { COMMAND_TEXTS } from '../src/cli/command.ts'
import { showCommand, showCommands } from '../src/cli/run.ts'
import { describeApi } from '../src/http/openapi/openapi.ts'
import { BATCH } from '../src/operations/batch.ts'
import { TEXT_MAX } from '../src/operations/given-query.ts'
import { OPERATIONS } from '../src/operations/operations.ts'
import { loadCommands } from './command.ts'

const COMMANDS = await loadCommands()

const ROOT = new URL('..', import.meta.url).pathname
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const api = read('docs/api.md')

describe('README.md', () => {
  test('shows how to start it and how to test it, in these words', () => {
    const commands = read('README.md').match(/^npm .+$/gm) ?? []
    assert.equal(commands[0], 'npm ci && npm start')
    assert.equal(commands[1], 'npm ci && npm test')
  })
})

test('docs/settings.tsv lists every setting (npm run fields)', () => {
  assert.equal(listSettings(), read('docs/settings.tsv'))
})

describe('docs/import.md', () => {
  test('lists every property of a mapping', () => {
    const schema = JSON.parse(read('mappings/schema.json'))
    const table = sectionWith(read('docs/mappings.md'), '## Every property of a mapping')
    const joined = sectionWith(read('docs/import.md'), '### Several files')
    const listed = [table, joined].flatMap(tableRows)
    const named = listed.flatMap(([name]) => codesIn(name ?? ''))
    const properties = Object.keys({ ...schema.properties, ...schema.$defs.join.properties })
    assert.deepEqual(
      properties.filter((name) => !named.includes(name)),
      [],
    )
  })
})

describe('docs/accounts.md', () => {
  const page = read('docs/accounts.md')

  test('lists every fact of an account', () => {
    const named = tableRows(page).flatMap(([name]) => codesIn(name ?? ''))
    assert.deepEqual(
      FACTS.map(({ name }) => name).filter((name) => !named.includes(name)),
      [],
    )
  })

  test('shows the gate in the order in which the code asks', () => {
    const gate = tableRows(page).filter(([number]) => /^\d+$/.test(number ?? ''))
    assert.deepEqual(
      gate.map(([, , name]) => name),
      GATE.map((row) => code(row.code)),
    )
  })
})

describe('docs/api.md', () => {
  test('lists every operation with its path and cost, the batch too', () => {
    const rows = tableRows(api).filter(([name]) => name?.startsWith('[`'))
    assert.deepEqual(
      rows.map(([name, path, tokens]) => [codesIn(name ?? '')[0], path, tokens]).sort(),
      [
        ...OPERATIONS.map(({ operationId, path, tokenCost }) => [
          operationId,
          code(path),
          String(tokenCost),
        ]),
        [BATCH.operationId, code(BATCH.path), `${BATCH.tokenCost} a row`],
      ].sort(),
    )
  })

  test('lists the codes of a 403 in the order in which they are found', () => {
    const rows = tableRows(sectionWith(api, '### 403'))
    assert.deepEqual(
      rows.map(([name]) => name),
      ['`code`', ...GATE.map((row) => code(row.code))],
    )
  })

  test('has every text with which a request is refused, but those of a 400', () => {
    const said = codesIn(sectionWith(api, '### The texts')).map((text) => text.toLowerCase())
    const texts = refusalTexts()
    assert.ok(texts.length > 20, 'the texts are found in the code')
    for (const text of texts) {
      const parts = text.split(/\$\{[^}]*\}/).map((part) => part.trim().toLowerCase())
      const found = said.some((one) => parts.every((part) => one.includes(part)))
      assert.ok(found, `not in docs/api.md: ${text}`)
    }
    const longest = TEXT_MAX.toLocaleString('en-US')
    assert.ok(api.replace(/\s+/g, ' ').includes(`longer than ${longest} characters`))
  })

  test('lists the headers of the OpenAPI document, and none that the code does not send', () => {
    const rows = tableRows(sectionWith(api, '## Headers of an answer')).slice(1)
    const shown = rows.map(([name]) => codesIn(name ?? '')[0] ?? '').sort()
    const described = [...headersOf(describeApi())]
    assert.deepEqual(
      described.filter((name) => !shown.includes(name)),
      [],
    )
    const source = sources('src').map(read).join('').toLowerCase()
    for (const name of shown) {
      assert.match(
        source,
        new RegExp(`['"\\s]?${name.toLowerCase()}['"]?:|'${name.toLowerCase()}'`),
        `${name} is sent`,
      )
    }
  })

  test('lists every status that the OpenAPI document describes', () => {
    const rows = tableRows(sectionWith(api, '## Statuses')).map(([status]) => status)
    for (const { refusals } of OPERATIONS) {
      for (const status of [200, 401, 403, 405, 500, ...refusals])
        assert.ok(rows.includes(String(status)), `${status}`)
    }
  })

  test('and its tables have every field and parameter as the code has it (npm run fields)', () => {
    assert.equal(listFields(), read('docs/fields.tsv'))
    assert.equal(listParameters(), read('docs/parameters.tsv'))
    const plain = read('mappings/platbook.json')
    assert.deepEqual(JSON.parse(fillPlainMapping(plain)), JSON.parse(plain))
    const schema = read('mappings/schema.json')
    assert.deepEqual(JSON.parse(fillSchema(schema)), JSON.parse(schema))
  })
})

describe('commands', () => {
  const pages = [...sources('docs', '.md'), 'README.md', 'CONTRIBUTING.md']
  const shown = pages.flatMap((page) =>
    [
      ...read(page).matchAll(
        /(?:^|`)(?:npm run -s platbook -- |platbook )([a-z]+(?: [a-z-]+[a-z])?)/gm,
      ),
    ].map((match) => [page, match[1] ?? ''] as const),
  )

  test('every command that a page shows is there', () => {
    assert.ok(shown.length > 10)
    for (const [page, words] of shown) {
      const known = COMMANDS.some(
        ({ name }) =>
          words === name || words.startsWith(`${name} `) || name === words.split(' ')[0],
      )
      assert.ok(known || words.startsWith('help'), `${page}: platbook ${words}`)
    }
  })

  test('every command is in the list of platbook help, and no other', () => {
    assert.deepEqual(
      COMMANDS.map(({ name }) => name),
      [...COMMAND_TEXTS.keys()],
    )
    const help = showCommands()
    for (const { name } of COMMANDS) assert.match(help, new RegExp(`^  ${name} `, 'm'))
  })

  test('every option of every command is explained; every command has an example', () => {
    for (const command of COMMANDS) {
      const { name, options = {}, example } = command
      for (const [option, { about }] of Object.entries(options))
        assert.ok(about, `${name} ${option}`)
      assert.match(example, new RegExp(`platbook ${name}\\b|npm ${name}\\b`), name)
      assert.ok(
        showCommand(command)
          .split('\n')
          .every((line) => line === line.trimEnd()),
        name,
      )
    }
  })
})

describe('links', () => {
  for (const page of [...sources('docs', '.md'), 'README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']) {
    test(`of ${page} lead somewhere, within the project`, () => {
      for (const [, target = ''] of read(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        assert.doesNotMatch(target, /^[a-z]+:/, 'no page names a host')
        const [path = '', anchor] = target.split('#')
        const file = path === '' ? page : relative(ROOT, join(ROOT, dirname(page), path))
        assert.ok(existsSync(join(ROOT, file)), `${page}: ${target}`)
        if (anchor !== undefined)
          assert.ok(anchorsOf(read(file)).includes(anchor), `${page}: ${target}`)
      }
    })
  }
})

test('sentences of pages have at most 25 words', () => {
  const roots = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'client/README.md']
  const long = [...sources('docs', '.md'), ...roots].flatMap((page) =>
    sentencesOf(read(page))
      .filter((one) => one.split(' ').length > 25)
      .map((one) => `${page}: ${one}`),
  )
  assert.deepEqual(long, [])
})

describe('docs/decisions', () => {
  const files = readdirSync(join(ROOT, 'docs/decisions'))
    .filter((name) => name !== 'README.md')
    .sort()

  test('are all in the index, by title', () => {
    const lines = read('docs/decisions/README.md').match(/^- \[.+$/gm) ?? []
    const expected = files.map((file) => {
      const title = /^# (.+)$/m.exec(read(`docs/decisions/${file}`))?.[1]
      assert.ok(title !== undefined, `${file} has a title`)
      return `- [${title.replace(' · ', ' ')}](${file})`
    })
    assert.deepEqual(lines.toSorted(), expected.toSorted())
  })

  test('have one notation and fit one screen', () => {
    for (const file of files) {
      const page = read(`docs/decisions/${file}`)
      for (const part of ['Context', 'Decision', 'Consequence'])
        assert.match(page, new RegExp(`^(?:\\*\\*|## )${part}`, 'm'), `${file}: ${part}`)
      assert.ok(page.split('\n').length <= 70, `${file} fits one screen`)
    }
  })

  test('that code and tests name are there', () => {
    for (const folder of ['src', 'bench', 'scripts', 'test', 'client']) {
      for (const file of everyFile(folder)) {
        for (const [text, name] of read(file).matchAll(/docs\/decisions\/([\w-]+)\.md/g))
          assert.ok([...files, 'README.md'].includes(`${name}.md`), `${file}: ${text}`)
      }
    }
  })
})

/** TypeScript files under a folder, tests too, by their paths from the root. */
function everyFile(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name))
}

/** Files under a folder, by their paths from the root. */
function sources(folder: string, ending = '.ts'): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending) && !name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .sort()
}

/** Cells of every table row of a page, rulers aside. */
function tableRows(page: string): string[][] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('|---'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    )
}

/** From the last heading before a text, or the heading itself, to the next heading. */
function sectionWith(page: string, text: string): string {
  const at = page.indexOf(text)
  assert.ok(at !== -1, `${text} is on the page`)
  const end = page.slice(at + text.length).search(/^#{2,3} /m)
  return end === -1 ? page.slice(at) : page.slice(at, at + text.length + end)
}

/** Sentences of paragraphs and lists. Blocks of code, tables and headings have none. */
function sentencesOf(page: string): string[] {
  return page
    .replace(/^ *```.*?^ *```/gms, '\n')
    .split(/\n\s*\n|\n(?=\s*(?:[-*#|]|\d+\.)\s?)/)
    .map((paragraph) => paragraph.replace(/\s+/g, ' ').trim())
    .filter((paragraph) => !/^[|#]/.test(paragraph))
    .flatMap((paragraph) => paragraph.split(/(?<=[.!?]\**\)?) (?=[A-Z`*"([<0-9])/))
}

function code(text: string): string {
  return `\`${text}\``
}

function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '')
}

/** Headings as links name them. */
function anchorsOf(page: string): string[] {
  return [...page.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** Texts of refusals and errors in the source, with `${…}` for inserted values. */
/** Those of `/ogc/` are details of a problem, which its standard leaves open. */
function refusalTexts(): string[] {
  const senders = 'notFound|unauthenticated|unavailable|errorReply'
  const thrown = new RegExp(
    `(?:${senders})\\(\\s*(?:(?!400)\\d{3},\\s*)?(['\`])((?:(?!\\1).)+)\\1`,
    'g',
  )
  const files = sources('src').filter((file) => !file.startsWith('src/http/ogc/'))
  return files.flatMap((file) => [...read(file).matchAll(thrown)].map((match) => match[2] ?? ''))
}

function headersOf(schema: unknown): Set<string> {
  const names = new Set<string>()
  const visit = (value: unknown, key: string) => {
    if (typeof value !== 'object' || value === null) return
    if (key === 'headers') for (const name of Object.keys(value)) names.add(name)
    for (const [name, inner] of Object.entries(value)) visit(inner, name)
  }
  visit((schema as { paths: unknown }).paths, '')
  return names
}
