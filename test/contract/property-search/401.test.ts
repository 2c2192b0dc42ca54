/** `GET /public/property/search/` answers 401: docs/decisions/http-interface.md. */
import { after } from 'node:test'
import { startService } from '../../service.ts'
import { promiseKeys } from '../promises.ts'
import { PATH, SEARCHED } from './roll.ts'

const service = await startService(SEARCHED)
after(() => service.close())

promiseKeys(service, { path: PATH, query: { state: 'WI' }, tokenCost: 0 })
