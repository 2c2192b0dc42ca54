/** Owners that share addresses and care-of names, and those that share too common ones. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { makeRoll, type Row, times } from '../rolls.ts'

const PATH = '/public/premium/network/'
const at = (ownerAddressLine1: string, more: Row = {}): Row => ({
  ...{ ownerAddressLine1, ownerCity: 'TAMPA', ownerState: 'FL', ownerZipCode: '33601' },
  ...more,
})

const inTower = (ownerAddressLine1: string): Row => ({
  ...{ ownerAddressLine1, ownerCity: 'MADISON', ownerState: 'WI', ownerZipCode: '53703' },
})

const ROWS: Row[] = [
  { parcelId: 'A', ownerName1: 'OAKEN SPOON LLC', ...at('9 PALM AVE') },
  { parcelId: 'B', ownerName1: 'OAKEN SPOON LLC', ...at('PO BOX 12') },
  { parcelId: 'C', ownerName1: 'HOLLOW REED LLC', ...at('9 Palm Ave.') },
  { parcelId: 'D', ownerName1: 'HOLLOW REED LLC', ...at('1 FAR RD', { ownerCareOf: 'T PELLAM' }) },
  { parcelId: 'E', ownerName1: 'WILLOW KEEP LLC', ...at('77 ELM ST', { ownerCareOf: 'T PELLAM' }) },
  // Another person of the same two words.
  { parcelId: 'F', ownerName1: 'QUILLON, MARA', ...at('9 PALM AVE') },
  { parcelId: 'G', ownerName1: 'QUILLON, MARA', ...at('500 DISTANT LN') },
  // An agent's address.
  { parcelId: 'H', ownerName1: 'OAKEN SPOON LLC', ...at('1 AGENT PLZ') },
  // Two owners with the mail of a tower of condominiums.
  {
    parcelId: 'T1',
    city: 'MADISON',
    address: '30 TOWER RD',
    unitNumberStripped: '1',
    ...at('1 FAR RD'),
  },
  {
    parcelId: 'T2',
    city: 'MADISON',
    address: '30 TOWER RD',
    unitNumberStripped: '2',
    ...at('2 FAR RD'),
  },
  { parcelId: 'U', ownerName1: 'PELLAM TERN', ...inTower('30 TOWER RD') },
  { parcelId: 'V', ownerName1: 'VOSTER WREN', ...inTower('30 TOWER RD') },
  { parcelId: 'W', ownerName1: 'LARK KEEP LLC', ...inTower('30 TOWER RD APT 4') },
  { parcelId: 'X', ownerName1: 'PELLAM MOSS', ...inTower('30 TOWER RD APT 4') },
  // An office of each.
  {
    parcelId: 'Y',
    ownerName1: 'HERON LLC',
    ...at('3 FAR RD', { ownerCareOf: 'Accounts Payable' }),
  },
  {
    parcelId: 'Z',
    ownerName1: 'EGRET LLC',
    ...at('4 FAR RD', { ownerCareOf: 'ACCOUNTS PAYABLE' }),
  },
  // A large owner with one parcel at a tenant's address.
  ...times(120, (number) => ({
    ...{ parcelId: `L${number}`, ownerName1: 'CITY OF TERN' },
    ...at(number === 7 ? '8 TENANT ST' : '1 CITY HALL PLZ'),
  })),
  { parcelId: 'L-T', ownerName1: 'TENANT GROUP LLC', ...at('8 TENANT ST') },
  { parcelId: 'L-C', ownerName1: 'TERN HOUSING AUTHORITY', ...at('1 CITY HALL PLZ') },
  // A name that alone identifies nobody.
  { parcelId: 'K', ownerName1: 'PELLAM FAMILY TRUST', ...at('5 QUIET LN') },
  { parcelId: 'K-W', ownerName1: 'WREN KEEP LLC', ...at('5 QUIET LN') },
  ...times(31, (number) => ({
    ...{ parcelId: `N${number}`, ownerName1: `CLIENT${number} HOLDINGS LLC`, ...at('1 AGENT PLZ') },
  })),
]

const service = await startService(makeRoll(ROWS))
after(() => service.close())

type Told = {
  nodes: { id: string; kind: string; label: string; parcels: number; properties: string[] }[]
  edges: { from: string; to: string; reason: string; weight: number }[]
  metadata: { complete: boolean; left: { node: string; why: string }[] }
}

async function ask(query: Record<string, string | number>): Promise<Told> {
  const { status, body } = await service.get(PATH, { propertyId: '55025-A', ...query })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}
const labels = ({ nodes }: Told, kind: string) =>
  nodes.flatMap((one) => (one.kind === kind ? one.label : [])).sort()

test('depth 1 is the owner with its own addresses', async () => {
  const told = await ask({ depth: 1 })
  assert.deepEqual(labels(told, 'owner'), ['OAKEN SPOON LLC'])
  assert.deepEqual(told.nodes[0]?.properties, ['55025-A', '55025-B', '55025-H'])
  assert.equal(told.edges.length, 3)
})

test('depth 2 also has the other owners of these addresses, depth 3 those of theirs', async () => {
  const two = await ask({})
  assert.deepEqual(labels(two, 'owner'), ['HOLLOW REED LLC', 'OAKEN SPOON LLC', 'QUILLON, MARA'])
  assert.deepEqual(labels(two, 'careOf'), ['T PELLAM'])
  const three = await ask({ depth: 3 })
  assert.ok(labels(three, 'owner').includes('WILLOW KEEP LLC'))
  const places = labels(three, 'mailingAddress')
  assert.ok(!places.some((label) => label.includes('DISTANT')), 'a name of two words is not enough')
})

test('an address of more than 30 owners is a leaf, and says so', async () => {
  const { nodes, metadata } = await ask({ depth: 3 })
  const agent = nodes.find(({ label }) => label.startsWith('1 AGENT PLZ'))
  assert.deepEqual(metadata, {
    complete: true,
    left: [{ node: agent?.id, why: '32 different owners use it' }],
  })
  assert.ok(!nodes.some(({ label }) => label.startsWith('CLIENT')))
})

const LED: [parcelId: string, owners: string[], why: RegExp | undefined][] = [
  ['U', ['PELLAM TERN'], /building of several units/],
  ['W', ['LARK KEEP LLC', 'PELLAM MOSS'], undefined],
  ['Y', ['HERON LLC'], /names an office/],
  ['L1', ['CITY OF TERN', 'TERN HOUSING AUTHORITY'], /^only 1 of the 120 parcels/],
  ['L-T', ['CITY OF TERN', 'TENANT GROUP LLC'], undefined],
  ['K', ['PELLAM FAMILY TRUST', 'WREN KEEP LLC'], undefined],
]

for (const [parcelId, owners, why] of LED) {
  test(`the network of ${parcelId} has ${owners.join(' and ')}`, async () => {
    const told = await ask({ propertyId: `55025-${parcelId}` })
    assert.deepEqual(labels(told, 'owner'), owners)
    const [left] = told.metadata.left
    if (why === undefined) assert.equal(left, undefined)
    else assert.match(left?.why ?? '', why)
  })
}

test('edges count the parcels of an owner at an address', async () => {
  const { nodes, edges } = await ask({ depth: 1 })
  const byId = new Map(nodes.map((node) => [node.id, node.label]))
  assert.deepEqual(
    edges.map(({ from, to, reason, weight }) => [byId.get(from), byId.get(to), reason, weight])[0],
    ['OAKEN SPOON LLC', '9 PALM AVE, TAMPA, FL 33601', 'mailing address', 1],
  )
})

for (const [query, status] of [
  [{ propertyId: '55025-NOBODY' }, 404],
  [{ propertyId: '55025-A', depth: 4 }, 400],
  [{ state: 'WI' }, 400],
] as const) {
  test(`${JSON.stringify(query)} is ${status}`, async () => {
    assert.equal((await service.get(PATH, query)).status, status)
  })
}
