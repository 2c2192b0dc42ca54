/**
 * The console over a real socket, with a test service, and a person who uses it without a browser.
 */
import { hash, randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { type ConsoleContext, openContext } from '../../src/console/context.ts'
import { createJobs } from '../../src/console/jobs.ts'
import { buildConsole } from '../../src/console/server.ts'
import { cookieName } from '../../src/console/sign-in/guard.ts'
import { hashPassphrase } from '../../src/console/sign-in/passphrase.ts'
import type { Role } from '../../src/store/console-store.ts'
import { startService, type TestService } from '../service.ts'
import { spawnWarm } from '../warm-client.ts'
import { shareProgram } from '../warm-program.ts'

export const PASSPHRASE = 'twelve letters and more'
const SESSION_MS = 12 * 3_600_000
/** One for all operators: each costs 60 ms of processor time. */
let hashed: ReturnType<typeof hashPassphrase> | undefined

export type RunningConsole = {
  address: string
  context: ConsoleContext
  service: TestService
  logged: string[]
  /** Advances the clock, by milliseconds. */
  passTime(ms: number): void
  makeOperator(name: string, role: Role): Promise<void>
  /** Opens a session without the form, and returns a person with it. */
  signIn(name: string): Promise<Person>
  close(): Promise<void>
}

export type Person = {
  cookie: string
  csrf: string
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** Sends a form with its CSRF token and Origin. */
  post(
    path: string,
    form: Record<string, string>,
    headers?: Record<string, string>,
  ): Promise<Response>
}

/** `withJobs`: its pages start commands, which `warm-program.ts` runs. */
export async function startTestConsole(csv: string, withJobs = false): Promise<RunningConsole> {
  const service = await startService(csv)
  service.setClock(Date.now())
  const logged: string[] = []
  let late = 0
  const context = openContext(
    service.config,
    service.address,
    (line) => logged.push(line),
    () => Date.now() + late,
  )
  const program = withJobs ? await shareProgram() : undefined
  if (withJobs) context.jobs = createJobs(service.config, context.now, { spawn: spawnWarm })
  const { fastify } = buildConsole(context)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  const address = `http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`

  return {
    address,
    context,
    service,
    logged,
    passTime(ms) {
      late += ms
    },
    async makeOperator(name, role) {
      hashed ??= hashPassphrase(PASSPHRASE)
      context.store.putOperator({ name, role, ...(await hashed), createdAt: 0, disabledAt: null })
    },
    async signIn(name) {
      const operator = context.store.operator(name)
      if (operator === undefined) throw new Error(`no ${name}`)
      const token = randomBytes(32).toString('base64url')
      const session = { operator: name, role: operator.role, endsAt: context.now() + SESSION_MS }
      context.store.putSession(hash('sha256', token, 'buffer'), session)
      return actAs(address, `${cookieName(new URL(address).host)}=${token}`)
    },
    async close() {
      await fastify.close()
      await context.close()
      await service.close()
      await program?.release()
    },
  }
}

/** Returns a person with this session cookie. */
export async function actAs(address: string, cookie: string): Promise<Person> {
  const page = await fetch(`${address}/search`, { headers: { cookie }, redirect: 'manual' })
  const csrf = /data-csrf="([^"]*)"/.exec(await page.text())?.[1] ?? ''
  return {
    cookie,
    csrf,
    get: (path, headers = {}) =>
      fetch(address + path, { headers: { cookie, ...headers }, redirect: 'manual' }),
    post: (path, form, headers = {}) =>
      fetch(address + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, origin: address, ...headers },
        body: new URLSearchParams({ csrf, ...form }),
      }),
  }
}
