/** What the beginning of a line becomes: suggestions, and the parcels of a partial line. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, type Row } from '../rolls.ts'

const at = (parcelId: string, address: string, more: Row = {}): Row => ({
  ...{ parcelId, address, city: 'MADISON', ...more },
})
const ROWS: Row[] = [
  at('A', '1 ELM ST', { subdivision: 'Maple  Hill' }),
  at('B', '2200 NW 15TH RD'),
  at('C', '2200 NORTH AVE'),
  at('D', '22001 OAK SPRINGS LN'),
  at('E', '2200 OAK ST N'),
  at('F', '31 220TH ST'),
  at('G', '7 MAIN ST', { city: 'VERONA', ownerName1: 'QUILLON, MARA' }),
  at('H', '8 SW LITTLEFIELD CROFT BLVD', { county: 'Adams' }),
  at('I', '9 BIRCH CT', { ownerName1: 'QUILLFEATHER & SONS LLC' }),
  at('J', '10 BIRCH CT', { ownerName1: 'TOWN OF TERNWOOD' }),
  at('L', '3013-3015 QUARRY RIDGE ST'),
  at('M', '22W404 WILD MEADOW DR'),
  at('K', '11 BIRCH CT', { ownerName1: 'TOWN OF HERONWOOD' }),
  at('N', '12 BIRCH CT', { ownerName1: 'ROE, JO', ownerName2: 'PENDERGRAST, LENA' }),
]
const service = await startService(makeRoll(ROWS))
after(() => service.close())
const key = await service.keyFor({ responseShape: 'flat' })

const [A, B, C] = ['1 ELM ST', '2200 NW 15TH RD', '2200 NORTH AVE']
const [D, E, H] = ['22001 OAK SPRINGS LN', '2200 OAK ST N', '8 SW LITTLEFIELD CROFT BLVD']
const LITTLEFIELD = 'SW LITTLEFIELD CROFT BLVD'

const SUGGESTED: [q: string, texts: string[], more?: string][] = [
  // A number, whole or begun.
  ['2200', [B, C, E, D]],
  ['220', [D, B, C, E, '220TH ST']],
  ['22001', [D]],
  ['2202', []],
  // A direction, whole or begun.
  ['2200 N', [B, C]],
  ['2200 NW', [B]],
  ['2200 n w', [B]],
  ['2200 North', [B, C]],
  // The second is one edit away.
  ['2200 northw', [B, C]],
  ['2200 Northwest 15', [B]],
  ['2200 S', []],
  // A street with and without its direction, its type, and the direction after it.
  ['2200 NW 15', [B]],
  ['2200 15', [B]],
  ['2200 15th Road', [B]],
  ['2200 15th r', [B]],
  ['2200 NE 15', []],
  ['2200 oak st n', [E]],
  ['2200 oak n', []],
  ['22001 oak s', [D]],
  ['1 EL', [A]],
  // One edit in a word of four letters or more.
  ['22001 oak sprngs', [D]],
  ['22001 oka springs', []],
  ['8 littelfield', [H]],
  ['8 sw littlefield corft', [H]],
  ['2200 NROTH', [C]],
  // Ranges, and numbers of a grid.
  ['3013-3015 quar', ['3013-3015 QUARRY RIDGE ST']],
  ['3015-3013 quar', []],
  ['3013-3017 oak', []],
  ['22w404 wild', ['22W404 WILD MEADOW DR']],
  ['22w404', ['22W404 WILD MEADOW DR']],
  ['22w405 wild', []],
  ['22n404 wild', []],
  // Streets.
  ['15th', ['NW 15TH RD']],
  ['nw 15', ['NW 15TH RD']],
  ['northwest 15th road', ['NW 15TH RD']],
  ['mian', ['MAIN ST']],
  ['sw littlefeild', [LITTLEFIELD]],
  ['littlefield crft', [LITTLEFIELD]],
  ['littlefeild crft', []],
  ['littlef', [LITTLEFIELD], '&county=Adams'],
  ['littlef', [], '&county=Dane'],
]

for (const [q, texts, more = ''] of SUGGESTED) {
  test(`addresses for ${q}${more}: ${texts.join() || 'none'}`, async () => {
    const query = `state=WI&kinds=address&q=${encodeURIComponent(q)}${more}`
    const { status, body } = await service.get('/public/suggest/', query)
    assert.equal(status, 200, JSON.stringify(body))
    assert.deepEqual(
      body.suggestions.map(({ text }: { text: string }) => text),
      texts,
    )
  })
}

const OTHERS: [query: string, told: [kind: string, text: string, id: string | null][]][] = [
  ['q=map', [['subdivision', 'Maple Hill', null]]],
  ['q=mpale', [['subdivision', 'Maple Hill', null]]],
  ['q=vero', [['city', 'VERONA', null]]],
  ['q=vermona', [['city', 'VERONA', null]]],
  // An owner needs three letters, so that a box that asks while one types gets an empty list.
  ['q=qu&kinds=owner', []],
  ['q=q .u&kinds=owner', []],
  ['q=qui&kinds=owner&limit=1', [['owner', 'QUILLON, MARA', '55025-G']]],
  ['q=quillo&kinds=owner', [['owner', 'QUILLON, MARA', '55025-G']]],
  // Companies and offices by the beginning of any word.
  ['q=pender&kinds=owner', [['owner', 'PENDERGRAST, LENA', '55025-N']]],
  ['q=roe&kinds=owner', [['owner', 'ROE, JO', '55025-N']]],
  ['q=quillf&kinds=owner', [['owner', 'QUILLFEATHER & SONS LLC', '55025-I']]],
  ['q=quillfeather %26 so&kinds=owner', [['owner', 'QUILLFEATHER & SONS LLC', '55025-I']]],
  ['q=town of ter&kinds=owner', [['owner', 'TOWN OF TERNWOOD', '55025-J']]],
  ['q=town of oak&kinds=owner', []],
  ['q=feather&kinds=owner', []],
  ['q=quilon&kinds=owner', [['owner', 'QUILLON, MARA', '55025-G']]],
  ['q=1 el', [['address', A, '55025-A']]],
  ['q=quill', []],
  ['q=zz', []],
]
for (const [query, wanted] of OTHERS) {
  test(`suggestions for ${query}: ${wanted.map(([, one]) => one).join() || 'none'}`, async () => {
    const { status, body } = await service.get('/public/suggest/', `state=WI&${query}`)
    assert.equal(status, 200, JSON.stringify(body))
    type Told = { kind: string; text: string; propertyId: string | null }
    const told = body.suggestions.map(({ kind, text, propertyId }: Told) => [
      kind,
      text,
      propertyId,
    ])
    assert.deepEqual(told, wanted)
  })
}

test('a suggestion needs two characters', async () => {
  const { status, body } = await service.get('/public/suggest/', 'q=a')
  assert.deepEqual([status, body.error], [400, 'q must have 2 characters or more'])
})

for (const [query, parcels] of [
  ['2200 N', 'BC'],
  ['2200 NW', 'B'],
  ['2200 NW 1', 'B'],
  ['2200 15', 'B'],
  ['22001 oak s', 'D'],
  ['2200 S', ''],
  ['1 OA', ''],
  ['1 EL', 'A'],
] as const) {
  test(`query=${query} of property search finds ${parcels || 'nothing'}`, async () => {
    const { status, body } = await service.get(
      '/public/property/search/',
      { state: 'WI', query },
      { key },
    )
    assert.equal(status, 200, JSON.stringify(body))
    const found = body.properties.map((one: { parcelId: string }) => one.parcelId)
    assert.equal(found.join(''), parcels)
  })
}
