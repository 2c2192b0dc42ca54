/** Work that the first page would otherwise wait for, done right after the start. */
import type { FastifyInstance } from 'fastify'
import type { Assets } from './assets.ts'
import type { ConsoleContext } from './context.ts'
import { findStart } from './pages/map.ts'

/**
 * Reads a sample of what pages read, so that code is compiled and statements are prepared, and
 * compresses the scripts. Never throws: a page that needs the data reports the error.
 */
export async function warmUp(
  context: ConsoleContext,
  { fastify, assets }: { fastify: FastifyInstance; assets: Assets },
): Promise<void> {
  try {
    await fastify.inject({ url: '/sign-in', headers: { host: 'localhost' } })
    await findStart(context, Number.NaN)
    await context.ask('suggest', { q: '1 A' })
    await assets.compressAll()
  } catch {
    // A store that does not answer yet.
  }
}
