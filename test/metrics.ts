/** Reads the counters of a service in this process. */
import { type Metrics, showMetrics } from '../src/base/metrics.ts'

type Counted = { observe: Pick<Metrics, 'read'> }

/** Answered requests of an operation with a status. */
export async function countRequests(
  { observe }: Counted,
  operation: string,
  status: number,
): Promise<number> {
  const text = await tellMetrics({ observe })
  return readValue(text, `platbook_requests_total{operation="${operation}",status="${status}"}`)
}

export async function countDamaged({ observe }: Counted): Promise<number> {
  return readValue(await tellMetrics({ observe }), 'platbook_damaged_data_total')
}

/** The text of `/metrics`. */
export async function tellMetrics({ observe }: Counted): Promise<string> {
  return showMetrics([await observe.read()])
}

function readValue(text: string, name: string): number {
  const line = text.split('\n').find((one) => one.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1) ?? 0)
}
