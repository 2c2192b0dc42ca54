import assert from 'node:assert/strict'
import test from 'node:test'
import { UnplacedShapes } from '../report/unplaced.ts'
import { decodeText, decodeWestern } from './text.ts'

async function decode(lines: Buffer[]) {
  const said: string[] = []
  const notes = {
    bytes: 0,
    unplaced: new UnplacedShapes(),
    warn: (line: string) => said.push(line),
  }
  const bytes = (async function* () {
    for (const line of lines) yield Buffer.concat([line, Buffer.from('\n')])
  })()
  let text = ''
  for await (const piece of decodeText(bytes, { notes })) text += piece
  return { lines: text.trimEnd().split('\n'), said: said.length }
}

const latin = (text: string) => Buffer.from(text, 'latin1')

test('bytes are of the page that makes letters of them', () => {
  for (const [bytes, text] of [
    ['MU\x84OZ IDA', 'MUÑOZ IDA'],
    ['JOS\x83 TRENT', 'JOSÉ TRENT'],
    ['TRENT JOS\x83', 'TRENT JOSÉ'],
    ['P\x83REZ IDA', 'PÉREZ IDA'],
    ['Jos\x8e Trent', 'José Trent'],
    ['MU\xd1OZ', 'MUÑOZ'],
    ['Mu\xf1oz', 'Muñoz'],
    ['O\x92NEIL', 'O’NEIL'],
    ['O\x92Neil\x96Trent', 'O’Neil–Trent'],
    ['PE\xa5A', 'PEÑA'],
    ['Pe\xa4a', 'Peña'],
    ['B\x84cker', 'Bäcker'],
    ['\x84QUOTED\x94', '„QUOTED”'],
    ['LOT 5 \x96 WEST', 'LOT 5 – WEST'],
  ] as const) {
    assert.equal(decodeWestern(latin(bytes)), text, text)
  }
})

test('lines behind the first of a Mac are too, unless they have letters of Windows', async () => {
  const mac = await decode([
    latin('HARLOW IDA'),
    latin('MU\x84OZ IDA'),
    latin('GARC\xeaA \xd0 TRENT'),
    latin('O\xd5NEIL'),
    latin('MU\xd1OZ'),
    Buffer.from('PEÑA'),
  ])
  const read = ['HARLOW IDA', 'MUÑOZ IDA', 'GARCÍA – TRENT', 'O’NEIL', 'MUÑOZ', 'PEÑA']
  assert.deepEqual(mac, { lines: read, said: 1 })
  const odd = ['MU\x84OZ', 'JOS\xc9', 'CAF\xc9 A', '12\xb0 30\x92', 'PE\xa5A', 'L\xd3PEZ', 'A\xa0B']
  const mixed = await decode([...odd, 'COST\x83', 'Jos\xe9', '\xc9COLE \x96'].map(latin))
  const few = ['MUÑOZ', 'JOSÉ', 'CAFÉ A', '12° 30’', 'PEÑA', 'LÓPEZ', 'A\xa0B', 'COSTÉ', 'José']
  assert.deepEqual(mixed.lines, [...few, 'ÉCOLE –'])
  const windows = await decode([latin('MU\xd1OZ'), latin('O\x92NEIL'), latin('\xc9COLE')])
  assert.deepEqual(windows, { lines: ['MUÑOZ', 'O’NEIL', 'ÉCOLE'], said: 0 })
})
