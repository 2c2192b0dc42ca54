/**
 * The service as deploy/ starts it: the image's command, with exactly the environment of the
 * compose file and the Kubernetes manifest, over a real server reached by TCP. Only the data
 * folder, the port and the server's name differ from those of a container.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { sampleCsv } from '../src/sample/generate.ts'
import { ROOT } from './ledger/running-service.ts'
import { startProxy } from './postgres-proxy.ts'
import { NOT_DURABLE, startServer, whyNoServer } from './postgres-server.ts'

// Comes with the validator of OpenAPI documents, and is needed here only.
const near = createRequire(
  createRequire(import.meta.url).resolve('@seriousme/openapi-schema-validator'),
)
const yaml = near('yaml') as { parseAllDocuments(text: string): { toJS(): unknown }[] }
const read = (name: string) => readFileSync(join(ROOT, 'deploy', name), 'utf8')
const [compose] = parse(read('compose.yml')) as [Compose]
const [deployment, service] = parse(read('kubernetes.yml')) as [Deployment, Service]
const image = readImage(read('Dockerfile'))

type Compose = {
  services: Record<'db' | 'platbook', { environment: Record<string, string>; image?: string }> & {
    platbook: { ports: string[]; volumes: string[]; stop_grace_period: string }
    db: { healthcheck: { test: string[] } }
  }
}
type Container = {
  envFrom: { secretRef: { name: string } }[]
  env: { name: string; value: string }[]
  ports: { containerPort: number }[]
  readinessProbe: { httpGet: { path: string; port: number } }
  volumeMounts: { mountPath: string }[]
}
type Deployment = {
  spec: {
    selector: { matchLabels: object }
    template: {
      metadata: { labels: object }
      spec: { terminationGracePeriodSeconds: number; containers: [Container] }
    }
  }
}
type Service = { spec: { selector: object; ports: { targetPort: number }[] } }

/** Values that an operator sets in the environment or in the secret that the manifest names. */
const GIVEN = { POSTGRES_PASSWORD: 'abc123', PLATBOOK_KEY_SECRET: 'k'.repeat(32) }
/** Its default: docs/configuration.md. */
const CONSOLE_PORT = 8081
const [container] = deployment.spec.template.spec.containers

test('both files agree with the image and with themselves', () => {
  const port = 8080
  assert.deepEqual(image.exposed, [port])
  const published = [port, CONSOLE_PORT].map((one) => `127.0.0.1:${one}:${one}`)
  assert.deepEqual(compose.services.platbook.ports, published)
  assert.deepEqual(compose.services.platbook.volumes, [`data:${image.env.PLATBOOK_DATA}`])
  assert.deepEqual(container.ports, [{ containerPort: port }])
  assert.equal(container.readinessProbe.httpGet.port, port)
  assert.deepEqual(container.volumeMounts, [{ name: 'data', mountPath: image.env.PLATBOOK_DATA }])
  assert.equal(service.spec.ports[0]?.targetPort, port)
  const { selector, template } = deployment.spec
  assert.deepEqual(service.spec.selector, selector.matchLabels)
  assert.deepEqual(template.metadata.labels, selector.matchLabels)
  const { db } = compose.services
  assert.deepEqual(db.healthcheck.test, ['CMD', 'pg_isready', '-U', db.environment.POSTGRES_USER])
})

const missing = whyNoServer()
if (missing !== undefined) test('deploy/ is started', { skip: missing }, () => undefined)
else {
  const server = await startServer(NOT_DURABLE)
  const proxy = await startProxy(server.folder)
  const data = mkdtempSync(join(tmpdir(), 'platbook-deploy-'))
  const children: ChildProcess[] = []
  after(async () => {
    for (const child of children) child.kill('SIGKILL')
    await proxy.close()
    await server.stop()
    rmSync(data, { recursive: true, force: true })
  })
  const { db } = compose.services
  const { POSTGRES_USER = '', POSTGRES_DB = '' } = db.environment
  // As the image of PostgreSQL makes them: the user owns everything.
  const admin = new Client(server.url('postgres'))
  await admin.connect()
  await admin.query(`CREATE ROLE "${POSTGRES_USER}" LOGIN SUPERUSER`)
  await admin.query(`CREATE DATABASE "${POSTGRES_DB}" OWNER "${POSTGRES_USER}"`)
  await admin.end()

  const inCompose = fill(compose.services.platbook.environment)
  const inKubernetes = {
    PLATBOOK_DATABASE_URL: String(inCompose.PLATBOOK_DATABASE_URL),
    PLATBOOK_KEY_SECRET: GIVEN.PLATBOOK_KEY_SECRET,
    ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])),
  }
  /**
   * The environment in a container: the image's, what the file adds, and nothing of this process.
   */
  const inside = (own: Record<string, string>) => ({
    ...image.env,
    ...own,
    PLATBOOK_DATABASE_URL: String(own.PLATBOOK_DATABASE_URL).replace(
      '@db:5432/',
      `@127.0.0.1:${proxy.port}/`,
    ),
    PLATBOOK_DATA: data,
    PLATBOOK_PORT: '0',
    PATH: String(process.env.PATH),
  })

  test('a roll is imported by the line that the compose file gives', async () => {
    const commands = read('compose.yml').replaceAll(/ \\\n# +/g, ' ')
    const [, line = ''] = /run --rm .+ platbook (import .+)$/m.exec(commands) ?? []
    assert.notEqual(line, '')
    const roll = join(data, 'roll.csv')
    writeFileSync(roll, [...sampleCsv({ parcels: 200, seed: 1 })].join(''))
    const words = line.split(' ').map((word) => word.replace('/rolls/roll.csv', roll))
    const [program = '', ...first] = image.entrypoint
    const options = { cwd: ROOT, env: inside(inCompose) }
    const command = await promisify(execFile)(program, [...first, ...words, '--json'], options)
    assert.equal(JSON.parse(command.stdout).loaded, 200)
  })

  for (const [name, own, graceSeconds] of [
    ['compose.yml', inCompose, Number.parseInt(compose.services.platbook.stop_grace_period, 10)],
    ['kubernetes.yml', inKubernetes, deployment.spec.template.spec.terminationGracePeriodSeconds],
  ] as const) {
    test(`${name}: the service starts, is ready, and ends in the time it is given`, async () => {
      const [program = '', ...words] = [...image.entrypoint, ...image.command]
      const child = spawn(program, words, {
        cwd: ROOT,
        env: inside(own),
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      children.push(child)
      const ended = once(child, 'exit')
      let said = ''
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      const [line] = await Promise.race([
        once(child.stdout.setEncoding('utf8'), 'data'),
        ended.then(() => assert.fail(said)),
      ])
      const [, port] = /http:\/\/0\.0\.0\.0:(\d+)/.exec(String(line)) ?? []
      assert.ok(port, String(line))
      const address = `http://127.0.0.1:${port}`
      const probe = await fetch(address + container.readinessProbe.httpGet.path)
      assert.equal(probe.status, 200)
      assert.equal((await fetch(`${address}/public/usage/`)).status, 401)
      const began = performance.now()
      child.kill('SIGTERM')
      assert.deepEqual(await ended, [0, null])
      assert.ok(performance.now() - began < graceSeconds * 1000)
    })
  }
}

function parse(text: string): unknown[] {
  return yaml.parseAllDocuments(text).map((document) => document.toJS())
}

/** `${NAME}` and `${NAME:?why}`, as compose reads them. */
function fill(environment: Record<string, string>): Record<string, string> {
  const known: Record<string, string> = GIVEN
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, asked: string) => {
        assert.ok(known[asked], `${asked} is told nobody`)
        return known[asked] ?? ''
      }),
    ]),
  )
}

function readImage(text: string) {
  const list = (word: string) =>
    JSON.parse(new RegExp(`^${word} (\\[.+\\])$`, 'm').exec(text)?.[1] ?? '[]') as string[]
  const env = /^ENV (.+)$/m.exec(text)?.[1] ?? ''
  return {
    env: Object.fromEntries(env.split(' ').map((pair) => pair.split('='))) as Record<
      string,
      string
    >,
    exposed: [...text.matchAll(/^EXPOSE (\d+)$/gm)].map(([, port]) => Number(port)),
    entrypoint: list('ENTRYPOINT'),
    command: list('CMD'),
  }
}
