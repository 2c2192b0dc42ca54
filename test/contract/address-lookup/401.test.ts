/** `GET /public/property/address/` answers 401: docs/decisions/http-interface.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseKeys } from '../promises.ts'
import { ADDRESSES, PATH } from './roll.ts'

const service = await startService(ADDRESSES)
after(() => service.close())

promiseKeys(service, { path: PATH, query: { state: 'WI', address: '100 Main St' }, tokenCost: 0 })
