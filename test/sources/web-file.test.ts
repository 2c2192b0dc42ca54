/**
 * Files and data sets of the web come whole, go on where they broke off, and never from a private
 * network unasked.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import test, { type TestContext } from 'node:test'
import { fetchSources } from '../../src/import/sources/fetch-sources.ts'
import { lookAt } from '../../src/import/sources/look.ts'
import { findPublicAddress, isPrivateAddress } from '../../src/import/sources/private-addresses.ts'
import { readJson } from '../../src/import/sources/socrata.ts'
import { ask, makeWeb, readBody, showAddress, type Web } from '../../src/import/sources/web.ts'
import { downloadFile } from '../../src/import/sources/web-file.ts'
import { makeZip } from '../import/make-files.ts'
import { counts, importRoll, makeFolder } from '../import/small-roll.ts'

const ROLL = `state,county,parcelId,address,city\n${Array.from(
  { length: 3000 },
  (_, at) => `NE,Lancaster,P${at},${at + 1} MAPLE ST,LINCOLN\n`,
).join('')}`

type Handler = (request: IncomingMessage, response: ServerResponse, number: number) => void

async function serve(t: TestContext, handler: Handler) {
  let number = 0
  const asked: { url: string; headers: IncomingMessage['headers'] }[] = []
  const server = createServer((request, response) => {
    number += 1
    asked.push({ url: request.url ?? '', headers: request.headers })
    handler(request, response, number)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())
  const { port } = server.address() as AddressInfo
  return { port, at: `http://127.0.0.1:${port}`, asked }
}

function webOf(more: Partial<Web> = {}) {
  const pauses: number[] = []
  const pause = async (ms: number) => {
    pauses.push(ms)
  }
  return { web: makeWeb({ allowPrivate: true, idleMs: 300, pause, ...more }), pauses }
}

/** Serves a text with ranges; every answer ends after `most` bytes by a broken connection. */
function ranged(text: string, most: number, etag: (number: number) => string): Handler {
  return (request, response, number) => {
    const tag = etag(number)
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const start = request.headers['if-range'] === tag ? from : 0
    const status = start > 0 ? 206 : 200
    response.writeHead(status, {
      etag: tag,
      'content-length': text.length - start,
      ...(start > 0 && { 'content-range': `bytes ${start}-${text.length - 1}/${text.length}` }),
    })
    const part = text.slice(start, start + most)
    response.write(part, () => {
      if (start + most >= text.length) response.end()
      else setTimeout(() => response.destroy(), 20)
    })
  }
}

test('bytes that came together with the end of their connection are kept', async (t) => {
  const { at, asked } = await serve(t, (request, response, number) => {
    const from = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
    const head = [
      `HTTP/1.1 ${from > 0 ? 206 : 200} OK`,
      `content-length: ${ROLL.length - from}`,
      'etag: "1"',
      ...(from > 0 ? [`content-range: bytes ${from}-${ROLL.length - 1}/${ROLL.length}`] : []),
    ]
    const part = number < 8 ? ROLL.slice(from, from + 200) : ROLL.slice(from)
    // One packet: head, bytes and end.
    response.socket?.end(`${head.join('\r\n')}\r\n\r\n${part}`)
  })
  const { web } = webOf()
  const file = await downloadFile(web, `${at}/roll.csv`, makeFolder(t))
  assert.equal(readFileSync(file, 'utf8'), ROLL)
  assert.deepEqual(
    asked.map(({ headers }) => headers.range ?? null),
    [null, ...Array.from({ length: 7 }, (_, part) => `bytes=${(part + 1) * 200}-`)],
  )
})

test('a download that breaks off goes on by range, and comes whole', async (t) => {
  const { at, asked } = await serve(
    t,
    ranged(ROLL, 40_000, () => '"a"'),
  )
  const path = await downloadFile(webOf().web, `${at}/roll.csv`, makeFolder(t))
  assert.equal(readFileSync(path, 'utf8'), ROLL)
  assert.ok(asked.length > 2)
  assert.ok(asked.some(({ headers }) => headers.range !== undefined))
})

test('a file that changes between two attempts is downloaded from its start', async (t) => {
  const other = ROLL.replaceAll('MAPLE', 'BIRCH')
  const texts = ranged(ROLL, 40_000, () => '"a"')
  const then = ranged(other, 1_000_000, () => '"b"')
  const { at } = await serve(t, (request, response, number) =>
    (number === 1 ? texts : then)(request, response, number),
  )
  const path = await downloadFile(webOf().web, `${at}/roll.csv`, makeFolder(t))
  assert.equal(readFileSync(path, 'utf8'), other)
})

test('a busy server is asked again after its Retry-After', async (t) => {
  const { at } = await serve(t, (_, response, number) => {
    if (number < 3) response.writeHead(503, { 'retry-after': '7' }).end()
    else response.end(ROLL)
  })
  const { web, pauses } = webOf()
  await downloadFile(web, `${at}/roll.csv`, makeFolder(t))
  assert.ok(pauses.includes(7000), String(pauses))
})

test('a server that sends no byte ends each try, and the download with a sentence', async (t) => {
  const { at, asked } = await serve(t, () => {})
  const { web } = webOf({ idleMs: 30, tries: 3 })
  await assert.rejects(downloadFile(web, `${at}/roll.csv`, makeFolder(t)), /no byte for 0\.03 s/)
  assert.ok(asked.length >= 3)
})

/** Where a second try of a busy machine would be counted. */
const PATIENT_MS = 60_000

/** Answers with a body that never ends. */
const endless: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/csv' })
  const timer = setInterval(() => response.write('1,A\n'.repeat(10_000)), 1)
  response.on('close', () => clearInterval(timer))
}

test('a file without an end is refused before it fills the disk, and nothing stays', async (t) => {
  const { at, asked } = await serve(t, endless)
  const folder = makeFolder(t)
  const { web } = webOf({ unsizedMax: 1_000_000, idleMs: PATIENT_MS })
  const download = downloadFile(web, `${at}/roll.csv`, folder)
  await assert.rejects(download, /roll\.csv cannot be downloaded: it has more than 1 MB/)
  assert.equal(asked.length, 1)
  assert.ok(!existsSync(join(folder, 'body')))
})

test('a file whose size the server gives may be larger', async (t) => {
  const { at } = await serve(t, (_, response) => {
    response.writeHead(200, { 'content-length': ROLL.length }).end(ROLL)
  })
  const { web } = webOf({ unsizedMax: 1000 })
  const path = await downloadFile(web, `${at}/roll.csv`, makeFolder(t))
  assert.equal(readFileSync(path, 'utf8'), ROLL)
})

test('a file that drips is refused after minutes; a slow one comes whole', async (t) => {
  const parts =
    (bytes: number): Handler =>
    (_, response) => {
      let left = 5
      const timer = setInterval(() => {
        left -= 1
        if (left === 0) response.end()
        else response.write('a'.repeat(bytes))
      }, 20)
      response.on('close', () => clearInterval(timer))
    }
  let clock = 0
  const { web } = webOf({
    idleMs: PATIENT_MS,
    now: () => {
      clock += 400_000
      return clock
    },
  })
  const drip = await serve(t, parts(1))
  const download = downloadFile(web, `${drip.at}/roll.csv`, makeFolder(t))
  await assert.rejects(download, /less than 64 KB came in 10 minutes/)
  assert.equal(drip.asked.length, 1)
  const slow = await serve(t, parts(200_000))
  const path = await downloadFile(web, `${slow.at}/roll.csv`, makeFolder(t))
  assert.equal(readFileSync(path).length, 800_000)
})

test('an endless answer that is read whole is refused at 128 MiB', async () => {
  async function* body() {
    for (;;) yield Buffer.alloc(16_777_216)
  }
  assert.equal(await readBody(body()), undefined)
  await assert.rejects(readJson(body()), /larger than 128 MiB/)
})

test('a web page in place of a file is not a file', async (t) => {
  const { at } = await serve(t, (_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end('<html>maintenance</html>')
  })
  await assert.rejects(
    downloadFile(webOf({ tries: 2 }).web, `${at}/roll.csv`, makeFolder(t)),
    /a web page instead of a file/,
  )
})

test('an unchanged file is recognised by its ETag and not sent again', async (t) => {
  let sent = 0
  const { at } = await serve(t, (request, response) => {
    if (request.headers['if-none-match'] === '"a"') return response.writeHead(304).end()
    sent += 1
    response.writeHead(200, { etag: '"a"' }).end(ROLL)
  })
  const { web } = webOf()
  const folder = makeFolder(t)
  const path = await downloadFile(web, `${at}/roll.csv`, folder)
  assert.equal(await downloadFile(web, `${at}/roll.csv`, folder), path)
  assert.equal(sent, 1)
})

test('names come from Content-Disposition, the address or the media type', async (t) => {
  const { at } = await serve(t, (request, response) => {
    if (request.url === '/told') {
      response.setHeader('content-disposition', 'attachment; filename="../../Parcels 2026.csv"')
    } else response.setHeader('content-type', 'application/geo+json')
    response.end('x')
  })
  const downloaded = await downloadFile(webOf().web, `${at}/told`, makeFolder(t))
  assert.equal(basename(downloaded), 'file-Parcels_2026.csv')
  const typed = await downloadFile(webOf().web, `${at}/data`, makeFolder(t))
  assert.equal(basename(typed), 'file.geojson')
})

test('a file inside a zip is named after a !, on the web and on disk', async (t) => {
  const zip = makeZip({ 'other.csv': 'a,b\n1,2\n', 'in/roll.csv': ROLL })
  const { at } = await serve(t, (_, response) => response.end(zip))
  const dataDir = makeFolder(t)
  const job = { sources: [`${at}/roll.zip!roll.csv`], dataDir, geometry: false, force: false }
  const { files, close } = await fetchSources(webOf().web, job)
  assert.equal(counts(await importRoll(dataDir, files)).loaded, 3000)
  close(true)
})

test('a data set of Socrata comes page by page, as many rows as it counts', async (t) => {
  const rows = Array.from({ length: 25_000 }, (_, at) => ({ apn: `P${at}` }))
  const { at, asked } = await serve(t, (request, response, number) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (number === 3) return void response.writeHead(500).end('{}')
    if (searchParams.has('$select')) return void response.end(JSON.stringify([{ count: '25000' }]))
    const from = Number(searchParams.get('$offset'))
    response.end(JSON.stringify(rows.slice(from, from + Number(searchParams.get('$limit')))))
  })
  const sources = [`${at}/resource/abcd-1234.json`]
  const job = { sources, dataDir: makeFolder(t), geometry: false, force: false }
  const { files, close } = await fetchSources(webOf().web, job)
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').trimEnd().split('\n'))
  assert.deepEqual(
    lines.map((line) => JSON.parse(line)),
    rows,
  )
  assert.ok(asked.some(({ url }) => url.includes('order=%3Aid')))
  close(true)
})

test('a look at a data set of Socrata tells its rows, columns and last change', async (t) => {
  const { at } = await serve(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (searchParams.has('$select')) return void response.end('[{"count":"12"}]')
    const columns = [{ fieldName: 'apn' }, { fieldName: 'owner' }]
    if (pathname === '/api/views/abcd-1234.json') {
      return void response.end(JSON.stringify({ rowsUpdatedAt: 1_700_000_000, columns }))
    }
    response.writeHead(404).end('{}')
  })
  const look = async (id: string) => {
    const seen = await lookAt(webOf().web, `${at}/resource/${id}.json`, true)
    return [seen.rows, seen.columns, seen.edited]
  }
  assert.deepEqual(await look('abcd-1234'), [12, ['apn', 'owner'], 1_700_000_000_000])
  assert.deepEqual(await look('abcd-9999'), [12, null, null])
})

test('a data set of Socrata that changes meanwhile is refused, and taken with force', async (t) => {
  const { at } = await serve(t, (request, response, number) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.includes('none-0000')) return void response.writeHead(403).end('{"message":"No"}')
    const isCount = searchParams.has('$select')
    response.end(JSON.stringify(isCount ? [{ count: number % 3 }] : [{ apn: 'P1' }]))
  })
  const ask = (id: string, force: boolean) => {
    const job = { sources: [`${at}/resource/${id}.json`], dataDir: makeFolder(t), geometry: false }
    return fetchSources(webOf().web, { ...job, force })
  }
  await assert.rejects(ask('some-0001', false), /not read whole: 1 rows before, 0 after, 1 read/)
  const { files, close } = await ask('some-0001', true)
  assert.equal(readFileSync(files[0] ?? '', 'utf8').trim(), '{"apn":"P1"}')
  close(true)
  await assert.rejects(ask('none-0000', false), /cannot be read: the server answers 403 No/)
})

test('a data set of CKAN leads to its file, and to a list where there are several', async (t) => {
  const { at, asked } = await serve(t, (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/files/roll.csv') return void response.end(ROLL)
    const one = { format: 'CSV', url: '/files/roll.csv', name: 'Roll' }
    const two = searchParams.get('id') === 'two' ? [one, { ...one, name: 'Sales' }] : [one]
    const resources = [{ format: 'PDF', url: '/files/guide.pdf' }, ...two]
    response.end(JSON.stringify({ success: true, result: { resources } }))
  })
  const job = { dataDir: makeFolder(t), geometry: false, force: false }
  const { files, close } = await fetchSources(webOf().web, {
    ...job,
    sources: [`${at}/dataset/one`],
  })
  assert.equal(readFileSync(files[0] ?? '', 'utf8'), ROLL)
  close(true)
  const several = fetchSources(webOf().web, { ...job, sources: [`${at}/dataset/two`] })
  await assert.rejects(several, /several files.*Roll.*Sales/)
  assert.equal(asked[0]?.url, '/api/3/action/package_show?id=one')
})

test('private addresses are recognised in all forms', () => {
  const closed =
    '127.0.0.1 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 0.0.0.0 ::1 ' +
    ':: fe80::1 fd00::1 ::ffff:10.0.0.1 64:ff9b::a00:1 ::ffff:a00:1 224.0.0.1'
  for (const address of closed.split(' ')) assert.ok(isPrivateAddress(address), address)
  for (const address of ['8.8.8.8', '172.32.0.1', '2606:4700::1111']) {
    assert.ok(!isPrivateAddress(address), address)
  }
})

test('a name is refused when any of its addresses is private', async () => {
  const resolve = async () => [
    { address: '93.184.216.34', family: 4 as const },
    { address: '10.0.0.5', family: 4 as const },
  ]
  await assert.rejects(findPublicAddress('data.example', false, resolve), /10\.0\.0\.5.*private/)
  for (const host of ['127.0.0.1', '[::1]', '0x7f.1']) {
    const { hostname } = new URL(`http://${host}/`)
    await assert.rejects(findPublicAddress(hostname, false, resolve), /private/)
  }
})

test('the connection goes to the address that was checked, at each redirect too', async (t) => {
  const { port, asked } = await serve(t, (request, response) => {
    if (request.url === '/roll.csv') {
      response.writeHead(302, { location: `http://second.invalid:${port}/new.csv` }).end()
    } else response.end('ok')
  })
  const names: string[] = []
  const resolve = async (host: string) => {
    names.push(host)
    return [{ address: '127.0.0.1', family: 4 as const }]
  }
  const { web } = webOf({ resolve })
  const answer = await ask(web, { url: `http://first.invalid:${port}/roll.csv` })
  assert.equal(answer.status, 200)
  // Each name was resolved once: a second answer of the resolver would not be used.
  assert.deepEqual(names, ['first.invalid', 'second.invalid'])
  assert.equal(asked[1]?.headers.host, `second.invalid:${port}`)
  answer.body.resume()
  const closed = makeWeb({ ...web, allowPrivate: false })
  await assert.rejects(ask(closed, { url: `http://first.invalid:${port}/` }), /private network/)
})

test('a redirect to another protocol, and one without end, are refused', async (t) => {
  const { at } = await serve(t, (request, response) => {
    const places: Record<string, string> = { '/file': 'file:///etc/passwd', '/no': 'http://[' }
    const location = places[request.url ?? ''] ?? '/again'
    response.writeHead(302, { location }).end()
  })
  for (const path of ['file', 'no']) {
    await assert.rejects(ask(webOf().web, { url: `${at}/${path}` }), /not an http or https address/)
  }
  await assert.rejects(ask(webOf().web, { url: `${at}/again` }), /redirects more than 5 times/)
})

test('what may be secret in an address is not shown', () => {
  assert.equal(
    showAddress('https://user:pw@h.example/x/FeatureServer/0?token=abc&f=json'),
    'https://h.example/x/FeatureServer/0?f=json',
  )
})
