/**
 * Keeps the newest refused requests in the data folder, for support: no key, no value of a query,
 * no name. Those of callers with a valid key are kept apart from others and from answers that found
 * nothing, so that a flood of these pushes none of them out.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { atEnd } from '../at-end.ts'
import { type LineLog, openLineLog } from './line-log.ts'

/** Entries kept of each kind at least; older ones are removed with the file that holds them. */
const REFUSALS_KEPT = 10_000
/** Longest line. A file is rotated when it holds `REFUSALS_KEPT` of them. */
const LINE_MAX = 400
const REASON_MAX = 160
const FILES = ['refused.log', 'refused-others.log'] as const

export type RefusedRequest = {
  /** ISO time. */
  at: string
  requestId: string
  /** `none`: no operation has the path. */
  operation: string
  status: number
  /** The `code` of a 403, otherwise the answer's text without the caller's values. */
  reason: string
  /** `null`: no valid key. */
  keyId: string | null
  /** First characters of a key that is not valid. */
  prefix: string | null
}

export type RefusalLog = ReturnType<typeof openRefusalLog>

type RefusalLogOptions = {
  dataDir: string
  /** Epoch milliseconds. */
  now(): number
  /** Called when a write has failed. */
  fail(error: unknown): void
}

/** Opens the log. Several processes may write it. Lines reach the disk within half a second. */
export function openRefusalLog({ dataDir, now, fail }: RefusalLogOptions) {
  const [refused, others] = FILES.map((name) => openFile(join(dataDir, name), fail))
  return {
    note(entry: Omit<RefusedRequest, 'at'>) {
      const isOther = entry.keyId === null || entry.status === 404 || entry.status === 300
      const reason = entry.reason.slice(0, REASON_MAX)
      const line = JSON.stringify({ at: new Date(now()).toISOString(), ...entry, reason })
      ;(isOther ? others : refused)?.write(() => line)
    },
    close() {
      refused?.close()
      others?.close()
    },
  }
}

function openFile(target: string, fail: (error: unknown) => void): LineLog | undefined {
  try {
    return openLineLog({ target, maxBytes: REFUSALS_KEPT * LINE_MAX, oldFiles: 1, fail })
  } catch (error) {
    fail(error)
    return undefined
  }
}

/** Returns the kept refusals that `isAsked` accepts, newest first, at most `most`. */
export function readRefusals(
  dataDir: string,
  isAsked: (refused: RefusedRequest) => boolean,
  most: number,
): RefusedRequest[] {
  const found = FILES.flatMap((name) => {
    const lines = [`${name}.1`, name].flatMap((one) => readLines(join(dataDir, one)))
    return lines.slice(-REFUSALS_KEPT).flatMap((line) => parseLine(line) ?? [])
  })
  return found
    .filter(isAsked)
    .sort((one, other) => (one.at < other.at ? 1 : -1))
    .slice(0, most)
}

/** Reads at most the newest bytes that `REFUSALS_KEPT` of the longest lines take. */
function readLines(file: string): string[] {
  let descriptor: number
  try {
    descriptor = openSync(file, 'r')
  } catch {
    return []
  }
  using _end = atEnd(() => closeSync(descriptor))
  const { size } = fstatSync(descriptor)
  const bytes = Buffer.alloc(Math.min(size, REFUSALS_KEPT * LINE_MAX))
  const length = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length)
  return bytes.toString('utf8', 0, length).trimEnd().split('\n')
}

function parseLine(line: string): RefusedRequest | undefined {
  try {
    const read = JSON.parse(line) as RefusedRequest
    return typeof read?.at === 'string' ? read : undefined
  } catch {
    return undefined
  }
}

/** Removes what a caller wrote from a refusal's text: quoted parts, and words of the query. */
export function withoutValues(text: string, queryString: string): string {
  const words = new Set<string>()
  for (const value of new URLSearchParams(queryString).values()) {
    for (const word of value.split(WORD_ENDS)) if (word.length > 1) words.add(word)
  }
  return text
    .replace(/"[^"]*"/g, '"…"')
    .replace(WORDS, (word) => (words.has(word) && !PLAIN.has(word) ? '…' : word))
}

const WORD_ENDS = /[^\p{L}\p{N}]+/u
const WORDS = /[\p{L}\p{N}]+/gu
/** Words of sentences, which are values too: `q=is`. */
const PLAIN = new Set(['is', 'not', 'be', 'or', 'the', 'and', 'must', 'of', 'to', 'in', 'no'])
