/**
 * Does a stop lose requests? Starts the service, keeps connections busy, stops it, again and again.
 *
 *   node bench/stops.ts [--stops 50] [--connections 24] [--workers 2] [--out FILE]
 *
 * Half of the callers are plain `fetch`, half are keep-alive connections of `node:http`. A request
 * is lost when its connection was made and no whole answer came; refused connections are not lost.
 */
import { Agent, get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { describeMachine } from './kit/machine.ts'
import { tellResult } from './kit/result.ts'
import { prepareData, startRunning, withScratch } from './kit/service.ts'

const { values } = parseArgs({
  options: {
    stops: { type: 'string', default: '50' },
    connections: { type: 'string', default: '24' },
    workers: { type: 'string', default: '2' },
    out: { type: 'string' },
  },
})

type Counts = { answered: number; refused: number; lost: number; reasons: Record<string, number> }

tellResult(await withScratch(run), values.out)

async function run(data: string) {
  const { key } = prepareData(data, 1000)
  const counts: Counts = { answered: 0, refused: 0, lost: 0, reasons: {} }
  const codes: (number | null)[] = []
  for (let stop = 1; stop <= Number(values.stops); stop += 1) {
    const service = await startRunning({ data, workers: Number(values.workers) })
    const agent = new Agent({ keepAlive: true })
    let going = true
    const callers = Array.from({ length: Number(values.connections) }, async (_, at) => {
      const ask = at % 2 === 0 ? askByFetch : askByAgent
      const url = `${service.address}/public/usage/`
      while (going) await ask(url, key, agent).then(() => count('answered'), note)
    })
    await setTimeout(300)
    codes.push(await service.stop())
    going = false
    await Promise.all(callers)
    agent.destroy()
  }
  return { machine: describeMachine(), ...counts, clean: codes.every((code) => code === 0) }

  function count(kind: 'answered' | 'refused' | 'lost'): void {
    counts[kind] += 1
  }

  async function note(error: Error & { code?: string; cause?: { code?: string } }): Promise<void> {
    const code = error.code ?? error.cause?.code ?? error.message
    if (code === 'ECONNREFUSED') {
      count('refused')
      await setTimeout(20)
      return
    }
    count('lost')
    counts.reasons[code] = (counts.reasons[code] ?? 0) + 1
  }
}

async function askByFetch(url: string, key: string): Promise<void> {
  await (await fetch(url, { headers: { authorization: key } })).text()
}

function askByAgent(url: string, key: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers: { authorization: key } }, (response) => {
      response.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', reject)
  })
}
