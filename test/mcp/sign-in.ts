/** Signing in to `/mcp` by OAuth with the SDK's own provider, against a real console. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { openContext } from '../../src/console/context.ts'
import { buildConsole } from '../../src/console/server.ts'
import { startService, type TestService } from '../service.ts'
import { MCP_ROLL } from './roll.ts'

export const BACK = 'http://127.0.0.1:3000/callback'
/** Stands for the console's address, which is known only after the service has started. */
const CONSOLE_URL = 'http://console.example'

/** What an agent keeps. */
export type Kept = {
  client?: unknown
  tokens?: { access_token: string }
  verifier?: string
  url?: URL
}

export const newClient = () => new Client({ name: 'test', version: '1' })

/** A service with the account `acc_2`, and its console. */
export async function startSignIn() {
  const service = await startService(MCP_ROLL, { consoleUrl: CONSOLE_URL })
  await service.keyFor({})
  service.setClock(Date.now())
  const context = openContext(service.config, service.address, () => undefined)
  const { fastify } = buildConsole(context)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = fastify.server.address() as AddressInfo
  return {
    service,
    context,
    consoleAddress: `http://127.0.0.1:${port}`,
    async close() {
      await fastify.close()
      await context.close()
      await service.close()
    },
  }
}

export type SignIn = Awaited<ReturnType<typeof startSignIn>>

/** A transport that signs in and comes back to `back`. */
export function openTransport(service: TestService, kept: Kept, back = BACK, path = '/mcp') {
  const authProvider = makeProvider(kept, back)
  return new StreamableHTTPClientTransport(new URL(`${service.address}${path}`), { authProvider })
}

function makeProvider(kept: Kept, back: string): OAuthClientProvider {
  const provider = {
    redirectUrl: back,
    clientMetadata: { client_name: 'Test <agent>', redirect_uris: [back] },
    state: () => 'state 1',
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: { access_token: string }) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url: URL) => {
      kept.url = url
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
  }
  return provider as unknown as OAuthClientProvider
}

/** Begins to sign in, up to the consent page, whose address is returned. */
export async function begin(service: TestService, kept: Kept, back = BACK, path = '/mcp') {
  const transport = openTransport(service, kept, back, path)
  await assert.rejects(newClient().connect(transport), UnauthorizedError)
  assert.ok(kept.url)
  assert.equal(kept.url.origin, CONSOLE_URL)
  return { transport, url: kept.url }
}
