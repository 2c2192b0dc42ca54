/**
 * What a service wrote, synced and sent, recorded by strace; and the files that a power loss could
 * have left.
 *
 * A disk may keep, lose or tear any write that no later fsync has confirmed. An image is the files
 * at one moment of the record, with all confirmed writes and some, none or all of the others.
 */
import { readFileSync } from 'node:fs'

export type Operation =
  | { kind: 'write'; file: string; offset: number; bytes: Buffer }
  | { kind: 'truncate'; file: string; length: number }
  | { kind: 'sync'; file: string }
  | { kind: 'unlink'; file: string }
  /** The head of a 200 was sent to the caller. */
  | { kind: 'answer'; requestId: string }

/**
 * Goes in front of a command; `log` receives the record. Names and bytes are written in hex digits.
 */
export function straceWords(log: string): string[] {
  const calls = 'pwrite64,fdatasync,fsync,ftruncate,unlink,write,writev,sendto'
  return [
    'strace',
    '-f',
    '-qq',
    '-y',
    '-xx',
    '-s',
    '10000',
    '--seccomp-bpf',
    '-e',
    `trace=${calls}`,
    '-o',
    log,
  ]
}

/**
 * Operations on files whose path ends in one of `names`, and answers, in the order in which they
 * were made.
 */
export function readTrace(log: string, names: readonly string[]): Operation[] {
  const begun = new Map<string, string>()
  return readFileSync(log, 'latin1')
    .split('\n')
    .flatMap((line) => {
      const [, pid = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
      const answer = readAnswer(text)
      // Bytes given to the network may be sent before the call returns; bytes of a file count only
      // after it.
      if (answer !== undefined) return [answer]
      if (text.endsWith('<unfinished ...>')) {
        begun.set(pid, text.slice(0, -'<unfinished ...>'.length).trimEnd())
        return []
      }
      const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(text)
      const whole = resumed === null ? text : `${begun.get(pid) ?? ''}${resumed[1] ?? ''}`
      const operation = readFileCall(whole, names)
      return operation === undefined ? [] : [operation]
    })
}

const HTTP_OK = Buffer.from('HTTP/1.1 200 ').toString('latin1')

function readAnswer(text: string): Operation | undefined {
  if (!/^(write|writev|sendto)\(/.test(text)) return undefined
  const sent = [...text.matchAll(/"((?:\\x[0-9a-f]{2})*)"/g)].map(([, hex = '']) => unhex(hex))
  const head = Buffer.concat(sent).toString('latin1')
  if (!head.startsWith(HTTP_OK)) return undefined
  const [, requestId] = /x-request-id: (\S+)/i.exec(head) ?? []
  return requestId === undefined ? undefined : { kind: 'answer', requestId }
}

function readFileCall(text: string, names: readonly string[]): Operation | undefined {
  const [, call = '', path = '', rest = ''] =
    /^(\w+)\((?:\d+<|")((?:\\x[0-9a-f]{2})*)[>"](.*)$/.exec(text) ?? []
  const full = unhex(path).toString()
  const file = names.find((name) => full.endsWith(name))
  const [, result = '-1'] = / = (-?\d+)[^=]*$/.exec(rest) ?? []
  if (file === undefined || Number(result) < 0) return undefined
  if (call === 'fdatasync' || call === 'fsync') return { kind: 'sync', file }
  if (call === 'unlink') return { kind: 'unlink', file }
  if (call === 'ftruncate') {
    return { kind: 'truncate', file, length: Number(/^, (\d+)/.exec(rest)?.[1]) }
  }
  if (call !== 'pwrite64') throw new Error(`a file of the ledger is written by ${call}`)
  const [, hex = '', length, offset] =
    /^, "((?:\\x[0-9a-f]{2})*)", (\d+), (\d+)\) += \d+/.exec(rest) ?? []
  const bytes = unhex(hex)
  if (bytes.length !== Number(length) || bytes.length !== Number(result)) {
    throw new Error(`a write is not recorded whole: …${text.slice(-120)}`)
  }
  return { kind: 'write', file, offset: Number(offset), bytes }
}

function unhex(text: string): Buffer {
  return Buffer.from(text.replaceAll('\\x', ''), 'hex')
}

const SECTOR_BYTES = 512

/**
 * What becomes of a write that is not confirmed: kept whole, lost, or torn: its first sectors only.
 */
export type Fate = 'kept' | 'lost' | 'torn'

/**
 * The files after the first `count` operations when the power fails then; `fateOf` is asked for
 * each unconfirmed write.
 */
export function buildImage(
  start: ReadonlyMap<string, Buffer>,
  operations: readonly Operation[],
  count: number,
  fateOf: () => Fate,
): Map<string, Buffer> {
  const made = operations.slice(0, count)
  const files = new Map([...start].map(([file, bytes]) => [file, makeDraft(made, file, bytes)]))
  const lastSync = new Map<string, number>()
  made.forEach((operation, index) => {
    if (operation.kind === 'sync') lastSync.set(operation.file, index)
  })
  made.forEach((operation, index) => {
    if (operation.kind === 'answer' || operation.kind === 'sync') return
    const { file } = operation
    const draft = files.get(file) ?? makeDraft(made, file, Buffer.alloc(0))
    files.set(file, draft)
    if (operation.kind === 'unlink') {
      files.delete(file)
      return
    }
    const fate = index < (lastSync.get(file) ?? -1) ? 'kept' : fateOf()
    if (operation.kind === 'truncate') {
      if (fate === 'kept') truncate(draft, operation.length)
      return
    }
    const bytes = fate === 'torn' ? tear(operation.bytes) : operation.bytes
    if (fate === 'lost') return
    bytes.copy(draft.bytes, operation.offset)
    draft.length = Math.max(draft.length, operation.offset + bytes.length)
  })
  return new Map([...files].map(([file, { bytes, length }]) => [file, bytes.subarray(0, length)]))
}

/** A file being written, in a buffer that is large enough for all that will come. */
type Draft = { bytes: Buffer; length: number }

function makeDraft(operations: readonly Operation[], file: string, start: Buffer): Draft {
  const ends = operations.map((operation) =>
    operation.kind === 'write' && operation.file === file
      ? operation.offset + operation.bytes.length
      : 0,
  )
  const bytes = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), start.length))
  start.copy(bytes)
  return { bytes, length: start.length }
}

function truncate(draft: Draft, length: number): void {
  draft.bytes.fill(0, length)
  draft.length = Math.min(draft.length, length)
}

/** Request ids of the answers among the first `count` operations. */
export function answersBefore(operations: readonly Operation[], count: number): Set<string> {
  const ids = new Set<string>()
  for (const operation of operations.slice(0, count)) {
    if (operation.kind === 'answer') ids.add(operation.requestId)
  }
  return ids
}

function tear(bytes: Buffer): Buffer {
  const sectors = Math.ceil(bytes.length / SECTOR_BYTES)
  return bytes.subarray(0, Math.floor(Math.random() * sectors) * SECTOR_BYTES)
}
