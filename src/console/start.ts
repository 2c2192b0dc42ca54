/** Opens the console and listens; used by its process and by `platbook console`. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { CommandError } from '../base/errors.ts'
import type { Config } from '../settings/config.ts'
import type { Assets } from './assets.ts'
import { type ConsoleContext, openContext } from './context.ts'
import { findStart } from './pages/map.ts'
import { buildConsole } from './server.ts'

type RunningConsole = {
  /** `http://127.0.0.1:8081` */
  address: string
  stop(): Promise<void>
}

/** `service`: address of the API. Throws `CommandError` when the port cannot be opened. */
export async function startConsole(
  config: Config,
  service: string,
  report: (line: string) => void,
): Promise<RunningConsole> {
  const context = openContext(config, service, report)
  const server = buildConsole(context)
  const { fastify } = server
  const { consoleHost: host, consolePort: port } = config
  try {
    await fastify.listen({ host, port })
  } catch (error) {
    await context.close()
    throw new CommandError(
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
        ? `the console's port ${port} is in use; PLATBOOK_CONSOLE_PORT names another, 0 ` +
            'picks a free one'
        : `the console cannot listen on ${host}:${port}: ${(error as Error).message}`,
      1,
      error,
    )
  }
  void warmUp(context, server)
  const bound = fastify.server.address() as AddressInfo
  const shown = host.includes(':') ? `[${host}]` : host
  return {
    address: `http://${shown}:${bound.port}`,
    async stop() {
      await fastify.close()
      await context.close()
    },
  }
}

/**
 * Reads a sample of what pages read, so that code is compiled and statements are prepared, and
 * compresses the scripts. Never throws: a page that needs the data reports the error.
 */
async function warmUp(
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
