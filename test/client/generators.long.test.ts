/** Clients that others' generators make of the OpenAPI document compile, and one in Python runs. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EXAMPLE_ROLL, EXAMPLES_PATH } from '../../scripts/write-examples.ts'
import { describeApi } from '../../src/http/openapi/openapi.ts'
import { startService } from '../service.ts'

const folder = mkdtempSync(join(tmpdir(), 'platbook-generators-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const LIMIT_MS = 600_000
const IN = 'openapi.json'

/** Package, its command, and the arguments that write `out/NAME`. */
const GENERATORS: Record<string, [command: string, ...args: string[]]> = {
  'openapi-typescript@7.13.0': ['openapi-typescript', IN, '-o', 'out/openapi-typescript/api.ts'],
  '@hey-api/openapi-ts@0.99.0': ['openapi-ts', '-i', IN, '-o', 'out/hey-api'],
  'orval@8.38.0': ['orval', '--input', IN, '--output', 'out/orval/api.ts', '--client', 'fetch'],
  'swagger-typescript-api@13.13.0': [
    ...['swagger-typescript-api', 'generate', '-p', IN, '-o', 'out/swagger', '-n', 'api.ts'],
  ] as [string, ...string[]],
  'oazapfts@7.5.0': ['oazapfts', IN, 'out/oazapfts/api.ts'],
  'openapi-typescript-codegen@0.31.0': ['openapi', '--input', IN, '--output', 'out/codegen'],
}
/** What the generated code imports, and the compiler. */
const BESIDES = ['typescript@5.9.3', 'axios@1.21.1', 'form-data@4.0.6', '@types/node@24.19.2']
/** A program in Java; later versions of the package load it from elsewhere. */
const JAVA_GENERATOR = '@openapitools/openapi-generator-cli@1.0.18-5.0.0-beta2'
const JAR = 'node_modules/@openapitools/openapi-generator-cli/bin/openapi-generator.jar'

/** A call through openapi-typescript's types: parameters and answers are typed. */
const TYPED = `import type { paths } from './out/openapi-typescript/api'
type Comparables = paths['/public/premium/comparables/']['get']
export const query: NonNullable<Comparables['parameters']['query']> = { lat: 1, lng: 2 }
type Found = paths['/public/property/address/']['get']['responses'][200]
type Property = Found['content']['application/json']['property']
export const cityOf = (one: Property) => ('_id' in one ? one.city : one.propertyLocation?.city)
`

test('clients of six generators compile under strict rules', { timeout: LIMIT_MS }, async (t) => {
  if (!install('compiled', [...Object.keys(GENERATORS), ...BESIDES])) {
    return t.skip('the registry cannot be reached')
  }
  const here = join(folder, 'compiled')
  writeFileSync(join(here, IN), JSON.stringify(describeApi('https://example.com/parcels')))
  for (const [name, [command, ...args]] of Object.entries(GENERATORS)) {
    for (const one of args.filter((arg) => arg.endsWith('/api.ts')))
      mkdirSync(join(here, one, '..'), { recursive: true })
    const made = run(here, join('node_modules/.bin', command), args)
    assert.equal(made.status, 0, `${name}: ${made.stderr}${made.stdout}`)
  }
  writeFileSync(join(here, 'typed.ts'), TYPED)
  writeFileSync(
    join(here, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        ...{ strict: true, noEmit: true, skipLibCheck: true, target: 'es2022', module: 'esnext' },
        ...{ moduleResolution: 'bundler', types: ['node'], lib: ['es2023', 'dom', 'dom.iterable'] },
      },
      include: ['out', 'typed.ts'],
    }),
  )
  const compiled = run(here, 'node_modules/.bin/tsc', ['-p', '.'])
  assert.equal(compiled.status, 0, compiled.stdout.slice(0, 4000))
})

test('a Python client of openapi-generator runs every operation', {
  timeout: LIMIT_MS,
}, async (t) => {
  const lacks = ['java -version', 'python3 -c "import urllib3, six, dateutil"'].find(
    (command) => spawnSync(command, { shell: true }).status !== 0,
  )
  if (lacks !== undefined) return t.skip(`${lacks} fails here`)
  if (!install('python', [JAVA_GENERATOR])) return t.skip('the registry cannot be reached')
  const here = join(folder, 'python')
  const service = await startService(readFileSync(EXAMPLE_ROLL, 'utf8'))
  try {
    writeFileSync(join(here, IN), JSON.stringify(makeOlder(describeApi(service.address))))
    const args = ['-jar', JAR, 'generate', '-g', 'python', '-i', IN, '-o', 'client']
    const made = run(here, 'java', [...args, '--skip-validate-spec'])
    assert.equal(made.status, 0, made.stderr.slice(-4000))
    for (const emptyFields of ['omit', 'null'] as const) {
      const key = await service.keyFor({ responseShape: 'flat', emptyFields })
      assert.deepEqual(await call(here, service.address, key), [], emptyFields)
    }
  } finally {
    await service.close()
  }
})

/** Runs the example of each operation and status through the client; returns what went wrong. */
async function call(here: string, address: string, key: string): Promise<unknown> {
  const script = new URL('generated_client.py', import.meta.url).pathname
  const env = { ...process.env, PYTHONPATH: join(here, 'client') }
  const child = spawn('python3', [script, address, key], { env })
  const texts: string[] = []
  child.stdout.on('data', (text) => texts.push(String(text)))
  child.stderr.on('data', (text) => texts.push(String(text)))
  child.stdin.end(JSON.stringify(listCalls()))
  await new Promise((resolve) => child.on('close', resolve))
  const text = texts.join('')
  assert.ok(text.startsWith('['), text)
  return JSON.parse(text)
}

function listCalls(): object[] {
  const examples = JSON.parse(readFileSync(EXAMPLES_PATH, 'utf8')) as Record<
    string,
    { query: object }
  >
  // Abutters and tiles need polygons, which the roll of examples has in a file of its own; the
  // summary's example gives its list as a text.
  const left = new Set(['abutterSearch', 'tile', 'propertySummary'])
  const found = Object.entries(examples)
    .filter(([operationId]) => !left.has(operationId))
    .map(([operationId, { query }]) => ({ operationId, query, status: 200 }))
  return [
    ...found,
    ...[
      { operationId: 'addressLookup', query: { state: 'WI', address: '9 None St' }, status: 404 },
      { operationId: 'premiumOwnerSearch', query: { state: 'WI' }, status: 400 },
      { operationId: 'locationSearch', query: { latitude: 43, longitude: -89 }, status: 200 },
      {
        operationId: 'propertySummary',
        query: { state: 'WI', groupBy: ['city', 'useStandardCode'], top: 3 },
        status: 200,
      },
    ],
  ]
}

/**
 * The document in OpenAPI 3.0, which the generator reads: null among the types becomes `nullable`,
 * and a record is the flat one, because 3.0 generators merge alternatives.
 */
// biome-ignore lint/suspicious/noExplicitAny: a document of nested plain objects
function makeOlder(document: any): unknown {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const walk = (part: any): any => {
    if (Array.isArray(part)) return part.map(walk)
    if (typeof part !== 'object' || part === null) return part
    const { example: _, 'x-example-query': __, const: one, ...rest } = part
    // biome-ignore lint/suspicious/noExplicitAny: as above
    const made: any = Object.fromEntries(Object.entries(rest).map(([name, is]) => [name, walk(is)]))
    const types = [made.type ?? []].flat()
    if (types.includes('null')) made.nullable = true
    const [type = 'string', more] = types.filter((name) => name !== 'null')
    if (types.length > 0) made.type = type
    if (more !== undefined) delete made.type
    if (one !== undefined) made.enum = [one]
    if (Array.isArray(made.enum)) made.enum = made.enum.filter((is: unknown) => is !== null)
    if (typeof made.exclusiveMinimum === 'number') {
      made.minimum = made.exclusiveMinimum
      made.exclusiveMinimum = true
    }
    return made
  }
  const older = walk(document)
  const { license: _, ...info } = older.info
  older.components.schemas.Property = { allOf: [{ $ref: '#/components/schemas/FlatProperty' }] }
  return { ...older, info, openapi: '3.0.3' }
}

/** Installs packages in a folder of their own; false without a registry. */
function install(name: string, packages: string[]): boolean {
  const here = join(folder, name)
  mkdirSync(here)
  writeFileSync(join(here, 'package.json'), '{"private":true,"type":"module"}')
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock']
  return run(here, 'npm', ['install', ...flags, ...packages]).status === 0
}

function run(cwd: string, command: string, args: string[]) {
  return spawnSync(command, args, { cwd, encoding: 'utf8', timeout: LIMIT_MS })
}
