/** `GET /public/premium/owner/` answers 401: docs/decisions/http-interface.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseKeys } from '../promises.ts'
import { OWNERS, PATH } from './roll.ts'

const service = await startService(OWNERS)
after(() => service.close())

promiseKeys(service, { path: PATH, query: { state: 'WI', lastName: 'Quillon' }, tokenCost: 1 })
