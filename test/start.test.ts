/** The first run: `platbook start` makes everything and prints a line to type for each endpoint. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { endStarted, readCurl, shareFirstRun, start } from './first-run.ts'
import { ROOT } from './ledger/running-service.ts'

const { thing: first, release } = await shareFirstRun()
const { data } = first
after(async () => {
  endStarted()
  await release()
})

test('it prints a curl line per endpoint, each answers 200; a restart is the same', async () => {
  const paths = first.answers.map(({ line }) => new URL(readCurl(line).url).pathname)
  assert.deepEqual(paths.slice(0, 4).sort(), [
    '/public/premium/owner/',
    '/public/property/address/',
    '/public/property/parcelId/',
    '/public/property/search/',
  ])
  for (const { line, status, body } of first.answers) {
    assert.equal(status, 200, line)
    assert.ok(body.property ?? body.properties?.[0], line)
  }
  assert.match(first.reported, /sample/)
  assert.equal(first.exitCode, 0)

  const second = await start(data)
  assert.doesNotMatch(second.reported, /sample/)
  const keys = [first, second].map(({ printed }) => /pbk_\w+/.exec(printed)?.[0])
  assert.equal(keys[1], keys[0])
  const line = second.printed.split('\n').find((one) => one.startsWith('curl '))
  await checkTwoRolls(readCurl(String(line)))
  assert.equal(await second.stop(), 0)
})

/** One county has the roll of the year before, and the present one is the newest. */
async function checkTwoRolls({ url, key }: ReturnType<typeof readCurl>): Promise<void> {
  const ask = async (path: string) => {
    const response = await fetch(new URL(path, url), { headers: { authorization: key } })
    return (await response.json()) as { properties: { propertyId: string }[]; versions: object[] }
  }
  const { properties } = await ask('/public/property/search/?state=TX&county=TRAVIS&limit=1')
  const id = encodeURIComponent(String(properties[0]?.propertyId))
  const { versions } = await ask(`/public/property/history/?propertyId=${id}`)
  assert.deepEqual(
    (versions as { rollYear: number }[]).map(({ rollYear }) => rollYear),
    [2025, 2024],
  )
}

test('with --json standard output has one value, standard error the rest', async () => {
  const words = ['src/cli/main.ts', 'start', '--port', '0', '--workers', '1', '--data', data]
  const child = spawn(process.execPath, [...words, '--no-console', '--json'], { cwd: ROOT })
  after(() => child.kill('SIGKILL'))
  let [printed, reported] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  child.stderr.setEncoding('utf8')
  while (!reported.includes('Ctrl-C')) {
    const [text] = (await once(child.stderr, 'data', { signal: AbortSignal.timeout(60_000) })) as [
      string,
    ]
    reported += text
  }
  child.kill('SIGTERM')
  await once(child, 'exit')
  assert.match(JSON.parse(printed).address, /^http:/)
  assert.match(reported, /^curl /m)
})
