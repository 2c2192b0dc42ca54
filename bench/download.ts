/**
 * Measures how fast a layer is downloaded. A local server sends prepared pages of 40 columns, so
 * that the time measured is that of the downloader.
 *
 *   node bench/download.ts [--rows 400000]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { downloadLayer } from '../src/import/sources/arcgis/download.ts'
import { makeWeb } from '../src/import/sources/web.ts'

const PAGE = 2000

if (isMainThread) await measure()
else serve(Number(workerData))

async function measure() {
  const { values } = parseArgs({ options: { rows: { type: 'string' } } })
  const rows = Number(values.rows ?? 400_000)
  const server = new Worker(new URL(import.meta.url), { workerData: rows })
  const port = await new Promise<number>((resolve) => server.once('message', resolve))
  const folder = mkdtempSync(join(tmpdir(), 'platbook-download-'))
  const address = `http://127.0.0.1:${port}/rest/services/P/FeatureServer/0`
  const started = performance.now()
  const web = makeWeb({ allowPrivate: true })
  const done = await downloadLayer(web, { address, folder, geometry: false, force: false })
  const seconds = (performance.now() - started) / 1000
  const peakMb = process.resourceUsage().maxRSS / 1024
  console.log(
    JSON.stringify({ rows: done.rows, seconds, rate: Math.round(done.rows / seconds), peakMb }),
  )
  rmSync(folder, { recursive: true })
  await server.terminate()
}

/** Ids are put into text made once, so that the server costs little. */
function serve(rows: number) {
  const columns = Array.from({ length: 39 }, (_, at) => `"COLUMN_${at}":"VALUE ${at} OF A ROW"`)
  const after = `,${columns.join(',')}}}`
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const asked = url.searchParams
    const [first = 1, last = rows] = (asked.get('where')?.match(/\d{1,9}/g) ?? []).map(Number)
    const give = (value: unknown) => response.end(JSON.stringify(value))
    if (!url.pathname.endsWith('/query')) return give(describe())
    if (asked.has('returnCountOnly')) return give({ count: rows })
    if (asked.has('returnIdsOnly')) {
      return give({
        objectIdFieldName: 'OBJECTID',
        objectIds: Array.from({ length: rows }, (_, at) => at + 1),
      })
    }
    const start = asked.has('resultOffset') ? Number(asked.get('resultOffset')) + 1 : first
    const end = asked.has('resultOffset')
      ? start + Number(asked.get('resultRecordCount')) - 1
      : last
    const features = Array.from(
      { length: Math.min(end, rows) - start + 1 },
      (_, at) => `{"attributes":{"OBJECTID":${start + at}${after}`,
    )
    response.end(`{"features":[${features.join(',')}]}`)
  })
  server.listen(0, '127.0.0.1', () =>
    parentPort?.postMessage((server.address() as AddressInfo).port),
  )
}

function describe() {
  return {
    name: 'P',
    maxRecordCount: PAGE,
    geometryType: 'esriGeometryPolygon',
    fields: [{ name: 'OBJECTID', type: 'esriFieldTypeOID' }],
  }
}
