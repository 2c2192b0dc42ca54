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
import { drawBars } from './kit/plots.ts'

const FOLDER = process.argv[2] ?? new URL('../docs/performance', import.meta.url).pathname
const PAGE = new URL('../docs/performance.md', import.meta.url).pathname

// biome-ignore lint/suspicious/noExplicitAny: each result has the shape that its bench prints
type Result = any

const KINDS: [string, string, number][] = [
  ['parcelId', 'parcel ID lookup', 0.5],
  ['address', 'address lookup', 0.4],
  ['page25', 'page of 25 by cursor', 0.4],
  ['owner', 'owner search of 10, charged', 0.15],
]
const CONTENDERS: [string, string][] = [
  ['bare', 'bare node:http, same bytes'],
  ['platbook', 'Platbook'],
  ['before', 'first version'],
  ['fastifyPg', 'Fastify, pg, PostgreSQL'],
  ['expressKnex', 'Express, Knex, SQLite'],
]

/** Parts of an import that took less are not drawn. */
const SHOWN_SECONDS = 0.1

const PARTS: Record<string, (result: Result) => string> = {
  requests: showRequests,
  hostile: showHostile,
  import: showImport,
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
  return `${all.slice(0, from)}${begin}\n\n${wrapLines(text.trim())}\n\n${all.slice(to)}`
}

/** Breaks sentences at 100 columns; rows of a table stay. */
function wrapLines(text: string): string {
  return text.replace(/^(?![|!]).{101,}$/gm, (line) =>
    line.replace(/(?=.{101}).{1,100}(?<=\S) /g, (part) => `${part.trimEnd()}\n`),
  )
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
    const { bytes, bytesBefore, ratio, cpuRatio, contenders } = results[kind]
    const rates = present.map(([id]) => showNumber(contenders[id]?.perSecond))
    const sizes = bytesBefore === undefined ? [bytes] : [bytes, bytesBefore]
    return [label, sizes.map(showNumber).join('; '), ...rates, ratio, cpuRatio, goal]
  })
  const noisy = groups.flatMap(([kind]) =>
    present.filter(([id]) => results[kind].contenders[id]?.quiet === false).map(() => kind),
  )
  const { connections, turns, seconds } = run
  const isAgainst = present.some(([id]) => id === 'before')
  const heads = [
    '',
    isAgainst ? 'bytes; of the first version' : 'bytes',
    ...present.map(([, label]) => label),
  ]
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
  const heads = ['flood over 64 connections', 'lookups meanwhile: p50, ms', 'p99, ms']
  return `${describe(machine)} Lookups alone: p50 ${p50Ms} ms, p99 ${p99Ms} ms.

${table([...heads, 'the flood got', 'short pages'], rows)}`
}

function showImport({ file, turns, cpuRatio, ratio, profiles, ...machine }: Result): string {
  const series = [profiles.against, profiles.present]
  const parts = [...new Set(series.flatMap((one) => Object.keys(one)))]
    .map((part) => ({ part, most: Math.max(...series.map((one) => one[part] ?? 0)) }))
    .filter(({ most }) => most >= SHOWN_SECONDS)
    .sort((a, b) => b.most - a.most)
    .map(({ part }) => part)
  plot(
    'import-profile',
    drawBars({
      title: `A first load of ${file} by folder, seconds of processor time`,
      unit: '',
      groups: parts,
      series: ['first version', 'Platbook'].map((name, at) => ({
        name,
        values: parts.map((part) => series[at][part] ?? null),
      })),
    }),
  )
  const costs = `${cpuRatio} of the first version's processor time, ${ratio} by the clock`
  return `${describe(machine)} ${file}, ${turns.length} turns: ${costs}. One more load of each was \
profiled by thread.

![Profile of a first load](performance/import-profile.svg)`
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
