/** `GET /public/property/owner/` answers 401: docs/decisions/http-interface.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { OWNERS, PLAIN_PATH } from '../owner-search/roll.ts'
import { promiseKeys } from '../promises.ts'

const service = await startService(OWNERS)
after(() => service.close())

promiseKeys(service, {
  path: PLAIN_PATH,
  query: { state: 'WI', lastName: 'Quillon' },
  tokenCost: 1,
})
