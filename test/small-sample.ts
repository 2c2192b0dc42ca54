/**
 * Loaded before `platbook start` (`first-run.ts`): its sample has a tenth of the parcels, which
 * take 40 seconds otherwise. `package.long.test.ts` starts with the whole one.
 */
import { registerHooks } from 'node:module'

const PREPARING = '/src/cli/commands/service/first-run.ts'
const [WHOLE, SMALL] = ['parcels: 20_000', 'parcels: 2_000']

if (process.argv[1]?.endsWith(PREPARING))
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith(PREPARING)) return loaded
      const text = String(loaded.source)
      if (!text.includes(WHOLE)) throw new Error(`${url} has no ${WHOLE}`)
      return { ...loaded, source: text.replace(WHOLE, SMALL) }
    },
  })
