/** `GET /public/premium/portfolio/` answers 200, 400, 401 and 404. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'
import { parcelIds } from '../look.ts'
import { promiseKeys } from '../promises.ts'
import { makeRoll } from '../rolls.ts'

const PATH = '/public/premium/portfolio/'
const home = { ownerAddressLine1: '9 ELM ST', ownerCity: 'Madison', ownerState: 'WI' }
const mail = (ownerAddressLine1: string, ownerZipCode: string, ownerCity = 'Madison') => ({
  ownerAddressLine1,
  ownerCity,
  ownerState: 'WI',
  ownerZipCode,
})
const PLACEHOLDERS = [
  'UNAVAILABLE',
  'Address unavailable',
  'GENERAL DELIVERY',
  'SAME',
  'SAME AS ABOVE',
  'PO BOX',
  'P.O. Box #',
  'UNDETERMINED',
  'RETURNED MAIL 2019',
]
const service = await startService(
  makeRoll([
    { parcelId: 'S', ownerName1: 'VAREK, MARA JUNE', ...home },
    { parcelId: 'A', ownerName1: 'VAREK, MARA JUNE', ...home },
    { parcelId: 'B', ownerName1: 'VAREK, MARA JUNE', county: 'Milwaukee' },
    { parcelId: 'C', ownerName1: 'VAREK, OTIS', ...home, ownerAddressLine1: '9 Elm Street' },
    { parcelId: 'D', ownerName1: 'VAREK, OTIS', ...home, ownerAddressLine1: '10 ELM ST' },
    { parcelId: 'E', ownerName1: 'HOLLIN, PETRA', ...home },
    { parcelId: 'N1', ownerName1: 'TENOR, ADA', ownerAddressLine1: '99999 ** NO ADDRESS** ST' },
    { parcelId: 'N2', ownerName1: 'TENOR, BEA', ownerAddressLine1: '99999 ** NO ADDRESS** ST' },
    { parcelId: 'J1', ownerName1: 'ORBEK, DARIO A & PELLA', ...mail('70 OAK ST', '53703') },
    { parcelId: 'J2', ownerName1: 'ORBEK, PELLA & DARIO ALDO', ...mail('8 FIR CT', '53711') },
    { parcelId: 'J3', ownerName1: 'ORBEK, DARIO A & SUNNE', ...mail('2 ASH ST', '53711') },
    { parcelId: 'J4', ownerName1: 'ORBEK, DARIO B & PELLA', ...mail('3 ASH ST', '53711') },
    { parcelId: 'J5', ownerName1: 'ORBEK, TOVE', ...mail('70 OAK ST', '53730') },
    { parcelId: 'J6', ownerName1: 'ORBEK, LIV', ...mail('70 OAK ST', '53730', 'Monona') },
    { parcelId: 'P1', ownerName1: 'SELVIK, ARNE', ...mail('PO BOX 12', '53703') },
    { parcelId: 'P2', ownerName1: 'SELVIK, BODIL', ...mail('P.O. Box 12', '53711') },
    { parcelId: 'P3', ownerName1: 'SELVIK, CILLA', ...mail('POST OFFICE BOX 12', '53703') },
    { parcelId: 'T1', ownerName1: 'TOLLAN, ASK P', ownerName2: 'TOLLAN, EMBLA R' },
    { parcelId: 'T2', ownerName1: 'TOLLAN, EMBLA & ASK PEDER' },
    { parcelId: 'T3', ownerName1: 'TOLLAN, SUNNE & ASK PEDER' },
    { parcelId: 'U1', ownerName1: 'USKEN, ADA', ownerAddressLine1: '7 ELM ST' },
    { parcelId: 'U2', ownerName1: 'USKEN, BEA', ownerAddressLine1: '7 ELM ST' },
    ...PLACEHOLDERS.flatMap((line, at) => [
      { parcelId: `X${at}A`, ownerName1: `YDRE${'ABCDEFGHIJ'[at]}, ADA`, ...mail(line, '53703') },
      { parcelId: `X${at}B`, ownerName1: `YDRE${'ABCDEFGHIJ'[at]}, BEA`, ...mail(line, '53703') },
    ]),
    { parcelId: 'Y1', ownerName1: 'ZETTEN, ADA', ...mail('SAME ST', '53703') },
    { parcelId: 'Y2', ownerName1: 'ZETTEN, BEA', ...mail('Same Street', '53703') },
    { parcelId: 'L1', ownerName1: 'BRIGHTWATER HOLDINGS LLC' },
    { parcelId: 'L2', ownerName1: 'Brightwater Holdings, L.L.C.' },
    { parcelId: 'L3', ownerName1: 'BRIGHTWATER FARMS LLC' },
  ]),
)
after(() => service.close())
const propertyId = '55025-S'

promiseKeys(service, { path: PATH, query: { propertyId }, tokenCost: 1 })

test('nearest kin first, each with its reason, never by a surname alone', async () => {
  const answer = await service.get(PATH, { propertyId })
  assert.deepEqual(parcelIds(answer), ['A', 'B', 'C'])
  const reasons = ['name+mailing', 'name', 'mailing']
  assert.deepEqual(answer.body.metadata, {
    limit: 25,
    offset: 0,
    count: 3,
    total: 3,
    complete: true,
    reasons,
  })
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId, scope: 'county' })), ['A', 'C'])
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-L1' })), ['L2'])
})

test('joint owners are the same in either order, unless one of them differs', async () => {
  const answer = await service.get(PATH, { propertyId: '55025-J2' })
  assert.deepEqual(parcelIds(answer), ['J1'])
  assert.deepEqual(answer.body.metadata.reasons, ['name'])
})

test('a mailing address with another ZIP of the same city is the same', async () => {
  const answer = await service.get(PATH, { propertyId: '55025-J1' })
  assert.deepEqual(parcelIds(answer), ['J2', 'J5'])
  assert.deepEqual(answer.body.metadata.reasons, ['name', 'mailing'])
})

test('a PO box with another ZIP is another one', async () => {
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-P1' })), ['P3'])
})

test('a street line without a known city or ZIP is not the same address', async () => {
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-U1' })), [])
})

test('a couple in two name columns is the couple in one', async () => {
  const answer = await service.get(PATH, { propertyId: '55025-T1', explain: true })
  assert.deepEqual(parcelIds(answer), ['T2'])
  assert.match(
    answer.body.metadata.explain.words.join(' '),
    /the same name, TOLLAN ASK P \/ EMBLA R\./,
  )
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-T2' })), ['T1'])
})

test('explain lists the compared names and addresses and why others do not match', async () => {
  const { body } = await service.get(PATH, { propertyId, explain: true })
  const plain = await service.get(PATH, { propertyId })
  const { explain, ...metadata } = body.metadata
  assert.deepEqual([body.properties, metadata], [plain.body.properties, plain.body.metadata])
  assert.deepEqual(explain.words, [
    'The owners of 55025-S are read as VAREK MARA JUNE.',
    'Mail goes to 9 ELM ST MADISON WI.',
    'Looked in WI for names that begin with VAREK: 4 parcels.',
    'Found 55025-A: it has the same name, VAREK MARA JUNE and the same mailing address.',
    'Found 55079-B: it has the same name, VAREK MARA JUNE.',
    'Found 55025-C: it has the same mailing address and the name VAREK in common.',
    "Not the owner's: 55025-D. Only VAREK is the same in its name, and the mailing " +
      'address is different.',
    'Answer: 3 parcels.',
  ])
  const page = await service.get(PATH, { propertyId, explain: true, limit: 1, scope: 'county' })
  assert.match(page.body.metadata.explain.words.join(' '), /in DANE County .* 1 on this page\.$/)
})

test('a text for an unknown mailing address does not count as a common one', async () => {
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-N1' })), [])
  for (const [at, line] of PLACEHOLDERS.entries()) {
    const answer = await service.get(PATH, { propertyId: `55025-X${at}A` })
    assert.deepEqual(parcelIds(answer), [], line)
  }
  assert.deepEqual(parcelIds(await service.get(PATH, { propertyId: '55025-Y1' })), ['Y2'])
})

test('countOnly is metadata alone, for no token', async () => {
  const key = await service.keyFor({})
  const { body } = await service.get(PATH, { propertyId, countOnly: true }, { key })
  assert.deepEqual([Object.keys(body), body.metadata.total], [['metadata'], 3])
  assert.equal(await service.charges(key), 0)
  await service.get(PATH, { propertyId }, { key })
  assert.equal(await service.charges(key), 1)
})

test('countOnly explains without naming other parcels', async () => {
  const { body } = await service.get(PATH, { propertyId, countOnly: true, explain: true })
  const { explain } = body.metadata
  assert.deepEqual([explain.met, explain.leftOut], [[], []])
  assert.doesNotMatch(JSON.stringify(explain), /55025-[A-D]|55079-B/)
  assert.match(explain.words.at(-1), /^Answer: 3 parcels, 0 on this page\.$/)
})

test('countOnly is answered to an account without a token left', async () => {
  const key = await service.keyFor({ includedTokens: 0 })
  const ask = async (countOnly: string) =>
    (await service.get(PATH, { propertyId, countOnly }, { key })).status
  assert.deepEqual(await Promise.all(['TRUE', '1', 'false', ''].map(ask)), [200, 200, 403, 403])
})

test('no property is 400, an unknown one 404', async () => {
  assert.equal((await service.get(PATH)).status, 400)
  assert.equal((await service.get(PATH, { propertyId: '55025-NOBODY' })).status, 404)
})
