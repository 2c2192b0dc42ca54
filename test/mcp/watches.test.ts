/** Agents make watches and read their events. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { NOON, startService } from '../service.ts'

const HEAD = 'state,county,parcelId,ownerName1,nameOrder,address\n'
const service = await startService(`${HEAD}WI,Dane,1,"DOE, JO",last-first,1 A ST\n`)
after(() => service.close())

test('watch_create makes a watch, and watch_events says what it heard', async () => {
  const key = await service.keyFor()
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: key } }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), { requestInit }),
  )
  const call = async (name: string, given: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: given })
    return result.structuredContent as Record<string, unknown>
  }
  const made = await call('watch_create', { kind: 'parcels', propertyIds: '55025-1, 55025-2' })
  assert.deepEqual([made.parcels, made.kind], [2, 'parcels'])
  const at = NOON + 86_400_000
  await service.importRoll(`${HEAD}WI,Dane,1,"ROE, ANN",last-first,1 A ST\n`, { force: true, at })
  while (await service.keeper.find());
  const { events } = await call('watch_events', { id: made.id })
  assert.equal((events as { type: string }[])[0]?.type, 'parcel.changed')
  const wrong = await call('watch_create', { kind: 'parcels' })
  assert.equal(wrong.status, 400)
  await client.close()
})
