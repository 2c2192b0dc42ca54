/**
 * Draws a flame graph of each endpoint and lists its steps in microseconds, from V8's profile of
 * the worker under load.
 *
 *   node bench/flame.ts [--seconds 6] [--parcels 20000] [--out docs/performance/steps.json]
 *     [--plots docs/performance]
 *
 * Prints JSON. Profiling makes everything some tenths slower. Its samples count elapsed time, which
 * includes other programs on the same core.
 */
import { writeFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawFlame, type Flame } from './kit/flame-plot.ts'
import { describeMachine } from './kit/machine.ts'
import { ownTimes, profileWhile, sumParts } from './kit/profiler.ts'
import { type Kind, keepAnswered, makeQueries } from './kit/queries.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, startRunning, withScratch, workerOf } from './kit/service.ts'
import { runWrk } from './kit/wrk.ts'

const { values } = parseArgs({
  options: {
    parcels: { type: 'string', default: '20000' },
    seconds: { type: 'string', default: '6' },
    /** Folder for the graphs, one SVG an endpoint. */
    plots: { type: 'string' },
    out: { type: 'string' },
  },
})
const WARM_SECONDS = 5
const CONNECTIONS = 32

/** Parts of a request by the file of the code; the innermost match counts. */
const PARTS: [string, RegExp][] = [
  ['collecting garbage', /\(garbage collector\)/],
  ['waiting', /\(idle\)/],
  ['SQLite', /node:sqlite|\b(?:all|get) $/],
  ['store', /src\/store\//],
  ['rendering', /src\/render\//],
  ['address and owner engines', /src\/(?:address|owner|fold)/],
  ['parameters', /src\/operations\/(?:parameters|given-query)/],
  ['operation', /src\/operations\//],
  ['key and gate', /src\/access\//],
  ['charge', /src\/ledger\//],
  ['HTTP: ours', /src\/(?:http|observe)/],
  ['HTTP: framework', /node_modules\//],
  ['node: HTTP, streams, sockets', /node:/],
  ['system calls and the rest', /./],
]

tellResult(await withScratch(run), values.out)

async function run(scratch: string) {
  const data = join(scratch, 'data')
  const { key } = prepareData(data, Number(values.parcels))
  const service = await startRunning({ data, workers: 1 })
  try {
    const { address } = service
    const queries = await keepAnswered(await makeQueries(data, 1000), address, key)
    const results: Record<string, unknown> = {}
    for (const kind of Object.keys(queries) as Kind[]) {
      const load = {
        address,
        key,
        paths: queries[kind].map(({ path }) => path),
        connections: CONNECTIONS,
      }
      await runWrk({ ...load, seconds: WARM_SECONDS })
      let requests = 0
      const profile = await profileWhile(workerOf(service), async () => {
        requests = (await runWrk({ ...load, seconds: Number(values.seconds) })).requests
      })
      results[kind] = {
        requests,
        micros: sumParts(
          profile,
          PARTS.map(([part]) => part),
          requests,
          partOf,
        ),
      }
      if (values.plots !== undefined) {
        const svg = drawFlame(`${kind}: where the worker's time goes`, flameOf(profile))
        writeFileSync(join(values.plots, `flame-${kind}.svg`), svg)
      }
    }
    return { question: 'where does a request go', machine: describeMachine(), results }
  } finally {
    await service.stop()
  }
}

/**
 * The innermost part counts; what V8 does for a function (built-ins, natives without a place)
 * belongs to who called it.
 */
function partOf({ functionName, url }: { functionName: string; url: string }, above: string) {
  const place = `${functionName} ${url}`
  const here = PARTS.find(([, pattern]) => pattern.test(place))?.[0] ?? above
  return url === '' && !functionName.startsWith('(') && here !== 'SQLite' ? above : here
}

/** The profile as a flame: frames of the same function below the same one are one. */
function flameOf(profile: Profiler.Profile): Flame {
  const own = ownTimes(profile)
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const build = (ids: number[], name: string, place: string): Flame => {
    const groups = new Map<string, { name: string; place: string; ids: number[] }>()
    let time = 0
    for (const id of ids) {
      time += own.get(id) ?? 0
      for (const childId of nodes.get(id)?.children ?? []) {
        const { functionName, url } = (nodes.get(childId) as Profiler.ProfileNode).callFrame
        const key = `${functionName} ${url}`
        const group = groups.get(key) ?? {
          name: functionName || '(anonymous)',
          place: url,
          ids: [],
        }
        group.ids.push(childId)
        groups.set(key, group)
      }
    }
    const children = [...groups.values()]
      .filter((group) => group.name !== '(idle)')
      .map((group) => build(group.ids, group.name, group.place))
    return { name, place, time: children.reduce((sum, child) => sum + child.time, time), children }
  }
  const [root] = profile.nodes
  return build(root === undefined ? [] : [root.id], 'all', '')
}
