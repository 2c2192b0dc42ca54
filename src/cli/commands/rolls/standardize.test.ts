import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { describe, it } from 'node:test'
import { readConfig } from '../../../settings/read-config.ts'
import { standardizeCommand } from './standardize.ts'

async function run(input: string, positionals: string[], values = {}): Promise<unknown[]> {
  const lines: string[] = []
  await standardizeCommand.run({ positionals, values } as never, {
    config: readConfig({}),
    json: false,
    stdin: Readable.from([input]),
    print: (line) => lines.push(line),
    report: () => {},
    terminal: false,
    now: () => 0,
  })
  return lines.map((line) => JSON.parse(line))
}

describe('platbook standardize', () => {
  it('answers one object for every address line, in order, empty lines too', async () => {
    const [first, second, third, ...more] = await run('123 n main st apt 4b\n\nPO Box 7\n', [
      'address',
    ])
    assert.deepEqual(first, {
      input: '123 n main st apt 4b',
      number: '123',
      numberHigh: null,
      predirectional: 'N',
      street: 'MAIN',
      suffix: 'ST',
      postdirectional: null,
      unitType: 'APT',
      unit: '4B',
      key: '123|N|MAIN|ST||4B',
      alternates: [],
    })
    assert.equal((second as { key: string }).key, '')
    assert.equal((third as { key: string }).key, '||PO BOX 7|||')
    assert.deepEqual(more, [])
  })

  it('gives equal keys to one address only, alternates in the same form', async () => {
    const [range, member] = (await run('1616-22 Oak St #4\n1618 Oak St Apt 4\n', ['address'])) as {
      key: string
      alternates: string[]
    }[]
    assert.ok(range?.alternates.includes(member?.key ?? ''))
  })

  it('reads a state’s own routes with --state', async () => {
    const lines = '12 NE HWY 2\n12 State Hwy 2\n'
    const keys = async (values: object) =>
      (await run(lines, ['address'], values)).map((line) => (line as { key: string }).key)
    const [own, plain] = await keys({ state: 'ne' })
    assert.equal(own, plain)
    const [other, again] = await keys({})
    assert.notEqual(other, again)
  })

  it('answers counties by state and name, null when unrecognized', async () => {
    assert.deepEqual(await run('NE\tLancaster Co.\nNE\tNowhere\n\n', ['county']), [
      { input: 'NE\tLancaster Co.', state: 'NE', county: 'LANCASTER', fips: '31109' },
      { input: 'NE\tNowhere', state: 'NE', county: null, fips: null },
      { input: '', state: null, county: null, fips: null },
    ])
  })

  it('answers one object for every owner line', async () => {
    const answers = await run('EXAMPLE, PAT\n\n', ['owner'], { 'name-order': 'last-first' })
    assert.equal(answers.length, 2)
  })

  it('refuses other kinds, states and orders with exit code 2', async () => {
    const wrong = { exitCode: 2 }
    await assert.rejects(run('', []), wrong)
    await assert.rejects(run('', ['street']), wrong)
    await assert.rejects(run('', ['address'], { state: 'XX' }), wrong)
    await assert.rejects(run('', ['owner'], { 'name-order': 'sideways' }), wrong)
  })
})
