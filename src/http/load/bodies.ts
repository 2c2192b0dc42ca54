/**
 * Reads a body after key and gate have passed. One that is still arriving uses no slot, and ends at
 * Node's deadline for head and body (`framework.ts`): docs/limits.md.
 */
import { refuse } from '../../base/errors.ts'
import {
  hasBody,
  type Request,
  type Response,
  TRACKED,
  type TrackedResponse,
  takeSlot,
} from './connection.ts'

/** Most bodies that arrive at once in one process without a valid key; and of one address. */
const UNKNOWN_MAX = 256
const UNKNOWN_OF_ADDRESS = 64
/** Most bytes of all bodies that are arriving in one process. */
const BYTES_MAX = 67_108_864

type BodyLimits = {
  /** Most bytes of the body; more is refused as *too large*. */
  maxBytes: number
  isKnown: boolean
}

/** Reads a body and takes a slot; `undefined`: disconnected. Throws *too large*, *unavailable*. */
export async function readBody(
  request: Request,
  response: Response,
  { maxBytes, isKnown }: BodyLimits,
): Promise<Buffer | undefined> {
  const tracked = (response as TrackedResponse)[TRACKED]
  if (!hasBody(request) || tracked === undefined) return collect(request, maxBytes, () => true)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  const { worker, waiting: share } = tracked
  const { totals, shares } = worker
  const isFull = () => share !== undefined && shares.isFull(share, totals.inFlight)
  if (isFull()) throw tooMany()
  const counted = isKnown ? undefined : share
  if (counted !== undefined) {
    if (totals.bodies >= UNKNOWN_MAX || counted.bodies >= UNKNOWN_OF_ADDRESS) throw tooMany()
    counted.bodies += 1
    totals.bodies += 1
  }
  let held = 0
  const hold = (bytes: number) => {
    held += bytes
    totals.bodyBytes += bytes
    return totals.bodyBytes <= BYTES_MAX
  }
  try {
    const body = await collect(request, maxBytes, hold)
    if (body === undefined || share === undefined) return body
    if (isFull()) throw tooMany()
    tracked.waiting = undefined
    takeSlot(tracked, share)
    return body
  } finally {
    totals.bodyBytes -= held
    if (counted !== undefined) {
      counted.bodies -= 1
      totals.bodies -= 1
    }
  }
}

/** `hold` counts bytes; false: the process holds too many. */
function collect(
  request: Request,
  maxBytes: number,
  hold: (bytes: number) => boolean,
): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const stop = () => {
      request.off('data', take)
      request.off('end', finish)
      request.off('close', finish)
      request.off('error', finish)
    }
    const take = (part: Buffer) => {
      length += part.length
      if (length <= maxBytes && hold(part.length)) {
        parts.push(part)
        return
      }
      stop()
      reject(length > maxBytes ? tooLarge() : tooMany())
    }
    const finish = () => {
      stop()
      // Errors of a connection that ends are no news.
      request.on('error', () => undefined)
      resolve(request.complete ? Buffer.concat(parts) : undefined)
    }
    request.on('data', take).on('end', finish).on('close', finish).on('error', finish)
    if (request.readableEnded || request.destroyed) finish()
  })
}

const tooLarge = () => refuse.tooLarge('The body is larger than this path takes')
const tooMany = () => refuse.unavailable('Too many requests at once; try again shortly')
