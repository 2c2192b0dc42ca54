/** `GET /public/property/owner/` answers 403: docs/api.md, docs/accounts.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { OWNERS, PLAIN_PATH } from '../owner-search/roll.ts'
import { promiseGate } from '../promises.ts'

const service = await startService(OWNERS)
after(() => service.close())

promiseGate(service, {
  path: PLAIN_PATH,
  query: { state: 'WI', lastName: 'Quillon' },
  tokenCost: 1,
})
