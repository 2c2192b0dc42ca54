/** The state of the service: numbers, disk, operator log, backup, check, and its jobs. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Defect, readDefects } from '../../base/logs/defect-log.ts'
import { sizeOfFiles } from '../../base/safe-files.ts'
import type { OperatorEntry } from '../../store/operator-log.ts'
import type { ConsoleContext, Routes } from '../context.ts'
import { showJob } from '../jobs.ts'
import { pathOfReferer, wantsJson } from '../replies.ts'
import { type Html, html, type PageReply } from '../show/html.ts'
import { JOBS_SCRIPT, showJobs } from '../show/jobs.ts'
import { showChange, showForm, showTable } from '../show/parts.ts'
import { showBytes, showTime } from '../show/words.ts'

const LOG_ROWS = 30
const DEFECT_ROWS = 20
/** Free bytes below which a warning is shown, because an import writes a roll twice. */
const ROOM_BYTES = 2e9

export function addOperationPages(routes: Routes, context: ConsoleContext): void {
  const { config, jobs } = context
  routes.get('/operation', async ({ csrf }) => {
    const [disk, entries] = await Promise.all([readDisk(config.data), readLog(context)])
    const body = html`<p class="summary" role="status" data-service></p>
<noscript><p>The numbers need JavaScript. <code>/healthz</code> and <code>/metrics</code> of the
service have them too.</p></noscript>
<dl class="numbers" data-numbers></dl>
<div class="legend"><span>Answers by status</span><ul data-statuses></ul></div>
<h2>Requests a second <small>since you opened this page, UTC</small></h2>
<div class="plot" data-plot role="img" aria-label="Requests a second since the page was opened">
</div>
<section><h2>Defects</h2>${showDefects(readDefects(config.data, DEFECT_ROWS))}</section>
<section><h2>Disk</h2>${showDisk(disk)}</section>
<section><h2>Backup and check</h2>
${csrf !== undefined && showButtons(csrf, config.databaseUrl === null)}
${showJobs(jobs, csrf, ['backup', 'check', 'ledger'])}
<div data-fresh>${
      config.databaseUrl === null && showBackups(readBackups(config.data), config.data)
    }</div></section>
<section><h2>What operators did</h2>${showLog(entries)}</section>`
    const late = ['uplot.css', 'operation.js', JOBS_SCRIPT]
    return { title: 'Operation', body, late }
  })

  routes.get('/operation.json', async () => ({ json: await readService(context) }))

  routes.post('/operation/backup', async ({ signedIn }) => {
    const stamp = new Date(context.now()).toISOString().slice(0, 19).replace(/[:T]/g, '-')
    const folder = join(config.data, 'backups')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    jobs.start(signedIn.operator, ['backup', join(folder, stamp)], { title: 'Back up' })
    await context.note(signedIn.operator, 'backup', stamp)
    return { redirect: '/operation' }
  })

  routes.post('/operation/check', async ({ signedIn }) => {
    jobs.start(signedIn.operator, ['check'], { title: 'Check the data' })
    await context.note(signedIn.operator, 'check', 'the data')
    return { redirect: '/operation' }
  })
}

async function readLog({ accounts }: ConsoleContext): Promise<OperatorEntry[]> {
  return accounts(async ({ ledger }) => {
    const { operator } = await ledger.newest()
    const entries = await ledger.operatorEntriesAfter(Math.max(0, operator.id - LOG_ROWS), LOG_ROWS)
    return entries.reverse()
  }, true)
}

type Disk = { free: number; total: number; files: { name: string; bytes: number }[] }

async function readDisk(folder: string): Promise<Disk> {
  const { bavail, blocks, bsize } = await statfs(folder)
  const sizes = new Map<string, number>()
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue
    // A database and its `-wal` and `-shm` files count as one.
    const name = entry.name.replace(/-(?:wal|shm)$/, '')
    // The file may be replaced meanwhile: heads are written four times a second.
    const bytes = statSync(join(folder, entry.name), { throwIfNoEntry: false })?.size ?? 0
    sizes.set(name, (sizes.get(name) ?? 0) + bytes)
  }
  const files = [...sizes].map(([name, bytes]) => ({ name, bytes }))
  const large = files.filter(({ bytes }) => bytes > 10_000)
  return { free: bavail * bsize, total: blocks * bsize, files: large }
}

function showDisk({ free, total, files }: Disk): Html {
  return html`<p>${showBytes(free)} of ${showBytes(total)} are free.</p>
${
  free < ROOM_BYTES &&
  html`<p class="error" role="alert">That is little. Imports and charges stop when the disk is
full: make room, for example by moving older folders of <code>backups</code> elsewhere.</p>`
}
${showTable(
  files.sort((one, other) => other.bytes - one.bytes),
  [
    ['File', ({ name }) => html`<code>${name}</code>`],
    ['Size', ({ bytes }) => showBytes(bytes), 'number'],
  ],
  { className: 'compact' },
)}`
}

/** Shows the first line of each; the log on standard error has the rest. */
function showDefects(defects: Defect[]): Html {
  if (defects.length === 0) return html`<p class="note">None is in the log.</p>`
  return showTable(defects, [
    ['When', ({ at }) => showTime(Date.parse(at))],
    ['Operation', ({ operation }) => operation],
    ['Request', ({ requestId }) => html`<code>${requestId}</code>`],
    ['What happened', ({ error }) => error.split('\n', 1)[0], 'wide'],
  ])
}

function showButtons(csrf: string, canBackUp: boolean): Html {
  return html`<div class="actions">${
    canBackUp && showForm(csrf, '/operation/backup', html`<button>Back up now</button>`)
  }${showChange(csrf, '/operation/check', 'Check the data', {})}</div>
${
  !canBackUp &&
  html`<p class="note">The data is in PostgreSQL: pg_dump --schema=platbook copies
it.</p>`
}`
}

type Backup = { name: string; bytes: number; at: number }

function readBackups(data: string): Backup[] {
  const folder = join(data, 'backups')
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
    .reverse()
    .map((name) => {
      const paths = readdirSync(join(folder, name)).map((file) => join(folder, name, file))
      const at = statSync(join(folder, name)).mtimeMs
      return { name, at, bytes: sizeOfFiles(paths) }
    })
}

function showBackups(backups: Backup[], data: string): Html {
  const [newest] = backups
  if (newest === undefined) return html`<p class="note">No backup was made here yet.</p>`
  const table = showTable(
    backups,
    [
      ['Backup', ({ name }) => html`<code>${name}</code>`],
      ['Made', ({ at }) => showTime(at), 'time'],
      ['Size', ({ bytes }) => showBytes(bytes), 'number'],
    ],
    { className: 'compact' },
  )
  return html`${table}<p class="note">To put one back, stop the service and run
<code>platbook restore ${join(data, 'backups', newest.name)}</code></p>`
}

function showLog(entries: OperatorEntry[]): Html {
  if (entries.length === 0) return html`<p class="note">Nothing was changed yet.</p>`
  const rows = entries.map(({ kind, state, at, subject }) => {
    const action = kind === 'action' ? (JSON.parse(state) as Record<string, string>) : undefined
    return action === undefined
      ? { at, what: `${kind} written`, subject, by: '–' }
      : { at, what: action.action, subject: action.subject ?? subject, by: subject }
  })
  return showTable(rows, [
    ['When', ({ at }) => showTime(at)],
    ['What', ({ what }) => what, 'time'],
    ['Subject', ({ subject }) => html`<code>${subject}</code>`],
    ['By', ({ by }) => by],
  ])
}

const ANSWER_MS = 2000

type ServiceNumbers = {
  /** `null`: it does not answer. */
  healthMs: number | null
  /** Counters since the service started. */
  requests: number
  /** By status number. */
  statuses: Record<string, number>
  tokens: number
  /** 99th percentile of the event-loop delay in milliseconds; `null`: unknown. */
  loopDelayMs: number | null
  /** Cumulative counts by upper bound in seconds; the last is `+Inf`. */
  buckets: [bound: string, count: number][]
  /** Resident memory of its processes in bytes; `null` when the system does not report it. */
  memory: number | null
}

async function readService({ service, config }: ConsoleContext): Promise<ServiceNumbers> {
  const admin = config.adminPort === null ? service : `http://127.0.0.1:${config.adminPort}`
  const started = performance.now()
  const health = await fetchText(`${service}/healthz`)
  const healthMs = health === undefined ? null : Math.round((performance.now() - started) * 10) / 10
  const metrics = (await fetchText(`${admin}/metrics`)) ?? ''
  return { healthMs, ...readMetrics(metrics), memory: readMemory(process.ppid) }
}

/** Sums Prometheus lines over all operations. */
function readMetrics(text: string): Omit<ServiceNumbers, 'healthMs' | 'memory'> {
  const statuses: Record<string, number> = {}
  const buckets = new Map<string, number>()
  let [requests, tokens] = [0, 0]
  let loopDelayMs: number | null = null
  for (const line of text.split('\n')) {
    const [, name, labels = '', value = '0'] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
    const count = Number(value)
    if (name === 'platbook_requests_total') {
      const status = /status="(\d+)"/.exec(labels)?.[1] ?? '0'
      statuses[status] = (statuses[status] ?? 0) + count
      requests += count
    } else if (name === 'platbook_request_seconds_bucket') {
      const bound = /le="([^"]*)"/.exec(labels)?.[1] ?? ''
      buckets.set(bound, (buckets.get(bound) ?? 0) + count)
    } else if (name === 'platbook_tokens_charged_total') tokens = count
    else if (name === 'nodejs_eventloop_lag_p99_seconds') loopDelayMs = count * 1000
  }
  return { requests, statuses, tokens, loopDelayMs, buckets: [...buckets] }
}

async function fetchText(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) })
    return await response.text()
  } catch {
    return undefined
  }
}

/** Reads the memory of a process and its children from `/proc` on Linux. */
function readMemory(pid: number): number | null {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    return [String(pid), ...children].reduce((sum, one) => sum + residentOf(one), 0)
  } catch {
    return null
  }
}

function residentOf(pid: string): number {
  if (pid === '') return 0
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1024
}

export function addJobPages(routes: Routes, context: ConsoleContext): void {
  const { jobs } = context
  // Results of a dry run hold names of the roll.
  const show = async ({ params }: { params: Record<string, string> }): Promise<PageReply> => ({
    json: showJob(jobs, params.id ?? ''),
  })
  routes.as('operator').get('/jobs/:id', show)

  routes.post('/jobs/:id/stop', async ({ params, signedIn, raw }): Promise<PageReply> => {
    const job = jobs.find(params.id ?? '')
    jobs.stop(params.id ?? '')
    if (job !== undefined && job.title !== '' && job.endedAt === null) {
      await context.note(signedIn.operator, 'stop', job.title)
    }
    return wantsJson(raw) ? { json: {} } : { redirect: pathOfReferer(raw) }
  })
}
