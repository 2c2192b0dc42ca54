/**
 * Writes the tables of docs/performance.md, between their marks, and the plots of docs/performance/
 * from the results that stand there.
 *
 *   node bench/report.ts [FOLDER]              default: docs/performance
 *
 * A bench that has not been run has no result there, and its part of the page stays as it is.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Machine } from './kit/machine.ts'
import { drawBars, drawLines } from './kit/plots.ts'

const FOLDER = process.argv[2] ?? new URL('../docs/performance', import.meta.url).pathname
const PAGE = new URL('../docs/performance.md', import.meta.url).pathname

// biome-ignore lint/suspicious/noExplicitAny: each result has the shape that its bench prints
type Result = any

const KINDS: [string, string, number][] = [
  ['parcelId', 'parcel ID lookup', 0.5],
  ['address', 'address lookup', 0.4],
  ['page25', 'page of 25 by cursor', 0.5],
  ['owner', 'owner search of 10, charged', 0.15],
]
const CONTENDERS: [string, string][] = [
  ['bare', 'bare node:http, same bytes'],
  ['platbook', 'Platbook'],
  ['fastifyPg', 'Fastify, pg, PostgreSQL'],
  ['expressKnex', 'Express, Knex, SQLite'],
]

const PARTS: Record<string, (result: Result) => string> = {
  requests: showRequests,
  steps: showSteps,
  flat: showFlat,
  hostile: showHostile,
  overload: showOverload,
  workers: showWorkers,
  soak: showSoak,
}

mkdirSync(FOLDER, { recursive: true })
let page = readFileSync(PAGE, 'utf8')
for (const [name, show] of Object.entries(PARTS)) {
  const file = join(FOLDER, `${name}.json`)
  if (existsSync(file)) page = replacePart(page, name, show(JSON.parse(readFileSync(file, 'utf8'))))
}
writeFileSync(PAGE, page)

function replacePart(all: string, name: string, text: string): string {
  const [begin, end] = [`<!-- ${name}: written by bench/report.ts -->`, `<!-- ${name} ends -->`]
  const [from, to] = [all.indexOf(begin), all.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`${PAGE} has no marks ${begin} and ${end}`)
  return `${all.slice(0, from)}${begin}\n\n${text.trim()}\n\n${all.slice(to)}`
}

function showRequests({ results, machine, ...run }: Result): string {
  const groups = KINDS.filter(([kind]) => results[kind] !== undefined)
  const present = CONTENDERS.filter(([id]) =>
    groups.some(([kind]) => results[kind].contenders[id] !== undefined),
  )
  const values = (id: string, name: string) =>
    groups.map(([kind]) => results[kind].contenders[id]?.[name] ?? null)
  const series = (name: string) =>
    present.map(([id, label]) => ({ name: label, values: values(id, name) }))
  const labels = groups.map(([, label]) => label)
  plot(
    'requests',
    drawBars({
      title: 'Requests a second',
      unit: '',
      groups: labels,
      series: series('perSecond'),
      logarithmic: true,
    }),
  )
  plot(
    'processor-time',
    drawBars({
      title: 'Processor time of all its processes, µs a request',
      unit: '',
      groups: labels,
      series: series('allCpuMicros'),
      logarithmic: true,
    }),
  )
  const rows = groups.map(([kind, label, goal]) => {
    const { bytes, ratio, cpuRatio, contenders } = results[kind]
    const rates = present.map(([id]) => showNumber(contenders[id]?.perSecond))
    return [label, showNumber(bytes), ...rates, ratio, cpuRatio, goal]
  })
  const noisy = groups.flatMap(([kind]) =>
    present.filter(([id]) => results[kind].contenders[id]?.quiet === false).map(() => kind),
  )
  const { connections, turns, seconds } = run
  const heads = ['', 'bytes', ...present.map(([, label]) => label)]
  heads.push('ratio to bare', 'the same by processor time', 'goal')
  return `${describe(machine)} ${showNumber(run.parcels)} generated parcels, one worker, ${
    connections
  } connections, medians of ${turns} turns of ${seconds} s each, in turns.${
    noisy.length === 0
      ? ''
      : ` **Some turns were less than 95 % busy (${[...new Set(noisy)].join(', ')}): other ` +
        `programs ran, and rates are lower than the machine's.**`
  }

${table(heads, rows)}

![Requests a second](performance/requests.svg)

![Processor time a request](performance/processor-time.svg)`
}

function showSteps({ machine, results }: Result): string {
  const kinds = KINDS.filter(([kind]) => results[kind] !== undefined)
  const parts = Object.keys(results[kinds[0]?.[0] ?? '']?.micros ?? {})
  const rows = parts.map((part) => [part, ...kinds.map(([kind]) => results[kind].micros[part])])
  const graphs = kinds.map(([kind, label]) => `![${label}](performance/flame-${kind}.svg)`)
  const measured = "Microseconds a request by V8's profile of the worker"
  return `${describe(machine)} ${measured}, which makes all of it dearer.

${table(['', ...kinds.map(([, label]) => label)], rows)}

${graphs.join('\n\n')}`
}

function showFlat({ machine, sizes, ratios }: Result): string {
  const kinds = Object.keys(sizes[0].kinds)
  plot(
    'flat',
    drawLines({
      title: 'p50 by number of parcels, ms',
      xName: 'parcels',
      yName: 'ms',
      logarithmicX: true,
      series: kinds.map((kind) => ({
        name: kind,
        points: sizes.map((size: Result) => [size.parcels, size.kinds[kind].p50Ms]),
      })),
    }),
  )
  const rows = kinds.map((kind) => [
    kind,
    ...sizes.map(
      (size: Result) =>
        `${size.kinds[kind].p50Ms} / ${size.kinds[kind].p99Ms} / ${size.kinds[kind].cpuMicros}`,
    ),
    ratios?.[kind] ?? '',
  ])
  const facts = [
    [
      'start, ms / processor time of all processes, ms',
      ...sizes.map(({ startMs, startCpuMs }: Result) => `${startMs} / ${startCpuMs}`),
      '',
    ],
    [
      'memory of the worker, MB: all / own / of files',
      ...sizes.map(({ memory }: Result) => `${memory.rssMb} / ${memory.ownMb} / ${memory.fileMb}`),
      '',
    ],
    [
      'parcels.db, MB / of it in memory before, %',
      ...sizes.map((size: Result) => `${showNumber(size.databaseMb)} / ${size.cachedPercent}`),
      '',
    ],
  ]
  const heads = sizes.map(({ parcels }: Result) => `${showNumber(parcels)} parcels`)
  const columns = 'p50 ms / p99 ms / processor time of the worker in µs'
  return `${describe(machine)} One worker at a fixed rate. ${columns}.

${table(['', ...heads, 'p50, largest to smallest'], [...rows, ...facts])}

![p50 by number of parcels](performance/flat.svg)`
}

function showHostile({ machine, results }: Result): string {
  const rows = Object.entries(results as Record<string, Result>)
    .filter(([name]) => name !== 'none')
    .map(([name, { lookups, dear }]) => [
      name,
      lookups.statuses['200']?.p50Ms,
      lookups.statuses['200']?.p99Ms,
      Object.entries(dear.statuses as Record<string, Result>)
        .map(([status, { count }]) => `${showNumber(count)} × ${status}`)
        .join(', '),
      dear.shortPages,
    ])
  const alone = results.none.statuses['200']
  const { p50Ms, p99Ms } = alone
  const heads = ['flood over 64 connections', 'lookups beside it: p50, ms', 'p99, ms']
  return `${describe(machine)} Lookups with nothing beside them: p50 ${p50Ms} ms, p99 ${p99Ms} ms.

${table([...heads, 'the flood got', 'short pages'], rows)}`
}

function showOverload({
  question,
  machine,
  peaks,
  crowds,
  few,
  series,
  healthz,
  memory,
  recoveredMs,
}: Result): string {
  const slots = series.map((slot: string, at: number) => {
    const [ok, refused] = slot.split('/').map(Number)
    return { at: at / 10, ok: (ok ?? 0) * 10, refused: (refused ?? 0) * 10 }
  })
  plot(
    'overload',
    drawLines({
      title: 'What a few callers got beside the crowd, a second',
      xName: 's',
      yName: '',
      series: [
        { name: 'answered', points: slots.map(({ at, ok }: Result) => [at, ok]) },
        { name: 'refused by 503', points: slots.map(({ at, refused }: Result) => [at, refused]) },
      ],
    }),
  )
  const status = (code: string) => few.statuses[code] ?? { count: 0, p50Ms: '-', p99Ms: '-' }
  const each = (turns: Result[], name: string) =>
    turns.map((turn) => showNumber(turn[name])).join(', ')
  const toFew = (code: string) =>
    `${showNumber(status(code).count)}, ${status(code).p50Ms}, ${status(code).p99Ms}`
  const rows = crowds.map(({ connections, turns, shareOfPeak, shareOfPeakByCpu }: Result) => [
    showNumber(connections),
    each(turns, 'okPerSecond'),
    shareOfPeak,
    shareOfPeakByCpu,
    each(turns, 'refused'),
    each(turns, 'withoutRetryAfter'),
  ])
  const load = `Asked for ${question}; each connection asks again at once, whatever it gets.`
  return `${describe(machine)} ${load}

${table(
  [
    'connections',
    'answered a second, each turn',
    'share of the peak',
    'the same by processor time',
    '503, each turn',
    'of them without Retry-After',
  ],
  [[`${showNumber(64)}: the peak`, each(peaks, 'okPerSecond'), 1, 1, '', ''], ...rows],
)}

${table(
  ['meanwhile', ''],
  [
    ['200 to a few callers beside it: count, p50, p99, ms', toFew('200')],
    ['503 to them: count, p50, p99, ms', toFew('503')],
    [
      '/healthz meanwhile: asked, failed, p50 ms',
      `${healthz.asked}, ${healthz.failed}, ${healthz.p50Ms}`,
    ],
    [
      'memory of the worker, MB: before, most, after',
      [memory.before, memory.most, memory.after].map(({ rssMb }) => rssMb).join(', '),
    ],
    ['nothing refused any more after, ms', recoveredMs],
  ],
)}

![What a few callers got under overload](performance/overload.svg)`
}

function showWorkers({ machine, results }: Result): string {
  const rows = Object.entries(results as Record<string, Result>).map(([kind, result]) => [
    kind,
    result.one,
    result.two,
    result.ratio,
  ])
  return `${describe(machine)} Processor time of the whole service, µs a request.

${table(['', 'one worker', 'two workers', 'ratio (goal: at most 1.15)'], rows)}`
}

function showSoak({ machine, minutes, series, drift, imports }: Result): string {
  plot(
    'soak-memory',
    drawLines({
      title: 'Memory of the worker, MB',
      xName: 'minutes',
      yName: 'MB',
      series: [
        { name: 'all', points: series.map(({ minute, memory }: Result) => [minute, memory.rssMb]) },
        { name: 'own', points: series.map(({ minute, memory }: Result) => [minute, memory.ownMb]) },
      ],
    }),
  )
  plot(
    'soak-p99',
    drawLines({
      title: 'Lookups while imports run: p99, ms',
      xName: 'minutes',
      yName: 'ms',
      series: [{ name: 'p99', points: series.map(({ minute, p99Ms }: Result) => [minute, p99Ms]) }],
    }),
  )
  const load = `${minutes} minutes of imports one after the other (${imports}) and lookups.`
  const change = `p99 of the last third to that of the first: ${drift.p99}`
  return `${describe(machine)} ${load} ${change}; own memory: ${drift.ownMb}.

![Memory](performance/soak-memory.svg)

![p99](performance/soak-p99.svg)`
}

function plot(name: string, svg: string): void {
  writeFileSync(join(FOLDER, `${name}.svg`), svg)
}

function describe({ at, cpu, cores, node, commit, changed, load }: Machine): string {
  return (
    `${at.slice(0, 10)}, ${cores} cores (${cpu}), Node ${node.slice(1)}, commit ` +
    `${commit}${changed ? ' with changes' : ''}, load ${load}.`
  )
}

function table(heads: unknown[], rows: unknown[][]): string {
  const line = (cells: unknown[]) => `| ${cells.map((cell) => String(cell ?? '')).join(' | ')} |`
  const rule = heads.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(heads), `|${rule.join('|')}|`, ...rows.map(line)].join('\n')
}

function showNumber(value: unknown): string {
  return typeof value === 'number' ? value.toLocaleString('en-US') : '-'
}
