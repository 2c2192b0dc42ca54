import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../service.ts'

const ROLL = `state,county,parcelId,ownerName1,nameOrder
WI,Dane,1,"QUILLON, MARA",last-first
`

const service = await startService(ROLL)
after(() => service.close())

const ask = (query: Record<string, string>) =>
  service.get('/public/premium/owner/', { state: 'WI', ...query })

test('a condition that no recorded name can match finds nothing, and is not ignored', async () => {
  const long = 'x'.repeat(65)
  for (const query of [
    { lastName: 'Quillon', firstName: '李' },
    { lastName: 'Quillon', firstName: long },
    { lastName: `Quillon ${long}` },
    { nameContains: `quillon ${long}` },
    { nameContains: 'quillon 李' },
    { lastName: 'Quillon', nameContains: 'mara 李' },
    ...[{ lastName: long }, { nameContains: long }, { lastName: '李' }, { nameContains: '李' }],
    ...[
      { lastName: long, nameContains: 'mara' },
      { lastName: 'Quillon', nameContains: long },
    ],
    // More words, and more letters, than any recorded name has.
    ...[41, 70, 150].map((count) => ({ nameContains: `${'mara '.repeat(count)} nobody` })),
    { nameContains: `quillon ${'quillonquillon '.repeat(30)} nobody` },
    { lastName: 'Quillon', firstName: `${'m '.repeat(300)}` },
  ] as Record<string, string>[]) {
    assert.equal((await ask(query)).status, 404, JSON.stringify(query))
  }
  assert.equal((await ask({ lastName: 'Quillón', firstName: 'mära' })).status, 200)
  // However often a word is asked, the name has it.
  assert.equal((await ask({ nameContains: `${'mara '.repeat(100)} quillon` })).status, 200)
})

test('a name without letter or digit is 400 and named', async () => {
  const texts = [
    [{ lastName: '***' }, 'lastName'],
    [{ lastName: 'Quillon', firstName: '***' }, 'firstName'],
    [{ lastName: 'Quillon', nameContains: '&' }, 'nameContains'],
  ] as const
  for (const [query, name] of texts) {
    const { status, body } = await ask(query)
    assert.deepEqual([status, body.error], [400, `${name} has no letter or digit to search for`])
  }
  const { status, body } = await ask({ lastName: 'and', nameContains: 'mara' })
  assert.deepEqual([status, body.error], [400, 'lastName has no word to search for'])
})
