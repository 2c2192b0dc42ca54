/** The alert rules and the dashboard in deploy/ use metrics that the service has. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetrics, createRuntimeMetrics, showMetrics } from '../src/base/metrics.ts'
import { OPERATIONS } from '../src/operations/operations.ts'
import { showMachine } from '../src/processes/machine-metrics.ts'

const FOLDER = new URL('../deploy/', import.meta.url).pathname
const rules = readFileSync(join(FOLDER, 'alerts.yml'), 'utf8')
const dashboard = JSON.parse(readFileSync(join(FOLDER, 'grafana-dashboard.json'), 'utf8'))

/** Beside the machine's PATH, where Debian's package prometheus puts it. */
const PROMTOOL = [...(process.env.PATH ?? '').split(':'), '/usr/bin']
  .map((folder) => join(folder, 'promtool'))
  .find((path) => existsSync(path))
const skip = PROMTOOL === undefined && 'promtool is not installed (apt-get install prometheus)'

test('promtool reads the rules, and each alert is raised by its fault alone', { skip }, () => {
  for (const words of [
    ['check', 'rules', 'alerts.yml'],
    ['test', 'rules', 'alerts.test.yml'],
  ]) {
    const { status, stdout, stderr } = spawnSync(PROMTOOL ?? '', words, { cwd: FOLDER })
    assert.equal(status, 0, `${stdout}${stderr}`)
  }
})

test('every alert is tested, and has an action', () => {
  const tests = readFileSync(join(FOLDER, 'alerts.test.yml'), 'utf8')
  const names = [...rules.matchAll(/alert: (\w+)/g)].map(([, name = '']) => name)
  assert.ok(names.length > 4)
  for (const name of names) assert.ok(tests.split(`alertname: ${name}`).length > 2, name)
  assert.equal(rules.split('action:').length - 1, names.length)
})

test('rules and dashboard ask for metrics and operations that there are', async () => {
  const metrics = createMetrics()
  metrics.request('addressLookup', 200, 1)
  const rolls = [{ state: 'WI', county: '55025', loadedAt: 1_700_000_000 }]
  const runtime = await createRuntimeMetrics(async () => rolls).read()
  const health = { isUp: true, restarts: 0, faults: 0 }
  const text =
    (await showMetrics([await metrics.read(), runtime])) +
    (await showMachine({ data: FOLDER, databaseUrl: null }, health))
  const expressions: string[] = dashboard.panels.flatMap(
    ({ targets }: { targets: { expr: string }[] }) => targets.map(({ expr }) => expr),
  )
  assert.ok(expressions.length >= 8)
  const asked = `${rules}${expressions.join('\n')}`
  for (const [name] of asked.matchAll(/\bplatbook_\w+/g)) {
    assert.match(text, new RegExp(`^${name}\\b`, 'm'))
  }
  const known = ['overload', ...OPERATIONS.map(({ operationId }) => operationId)]
  for (const [, names = ''] of asked.matchAll(/operation=~?"([^"]+)"/g)) {
    for (const name of names.split('|')) assert.ok(known.includes(name), name)
  }
})

test('no two panels of the dashboard share a number or a place', () => {
  const ids = dashboard.panels.map(({ id }: { id: number }) => id)
  const places = dashboard.panels.map(
    ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x} ${y}`,
  )
  assert.equal(new Set(ids).size, ids.length)
  assert.equal(new Set(places).size, places.length)
})

test('metrics of several workers are summed, with those of the runtime', async () => {
  const workers = [createMetrics(), createMetrics()]
  for (const worker of workers) worker.request('addressLookup', 200, 3)
  workers[0]?.charged(2)
  const runtime = await createRuntimeMetrics(async () => []).read()
  // As it goes from a worker to the primary.
  const sent = JSON.parse(
    JSON.stringify([...(await Promise.all(workers.map((one) => one.read()))), runtime]),
  )
  const text = await showMetrics(sent)
  assert.match(text, /^platbook_requests_total\{operation="addressLookup",status="200"\} 2$/m)
  assert.match(text, /^platbook_request_seconds_bucket\{le="0.005",operation="addressLookup"\} 2$/m)
  assert.match(text, /^platbook_tokens_charged_total 2$/m)
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'nodejs_heap_size_used_bytes']) {
    assert.match(text, new RegExp(`^${name} [\\d.e+-]+$`, 'm'))
  }
  assert.match(text, /^# TYPE nodejs_gc_duration_seconds histogram$/m)
  assert.doesNotMatch(text, /^nodejs_active/m)
})
