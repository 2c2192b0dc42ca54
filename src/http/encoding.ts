/** Sends compressed answers only to callers that accept them. */
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { releaseBuffer } from '../render/render.ts'
import type { Answered } from './write-answer.ts'

const unpack = promisify(gunzip)

/** Returns an answer in a form that the caller accepts, by its `Accept-Encoding`. */
export async function encodeFor(
  answered: Answered,
  acceptEncoding: string | string[] | undefined,
): Promise<Answered> {
  if (answered.headers['content-encoding'] !== 'gzip') return answered
  const headers: Record<string, string> = { ...answered.headers, vary: 'accept-encoding' }
  if (acceptsGzip(String(acceptEncoding ?? ''))) return { ...answered, headers }
  delete headers['content-encoding']
  const { body } = answered
  const plain = await unpack(body)
  if (typeof body !== 'string') releaseBuffer(body)
  return { ...answered, headers, body: plain }
}

/** RFC 9110, 12.5.3. */
export function acceptsGzip(acceptEncoding: string): boolean {
  const weights = readWeights(acceptEncoding)
  return (weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0) > 0
}

/** RFC 9110, 12.5.1. Without the header everything is accepted. */
export function acceptsJson(accept: string): boolean {
  if (accept.trim() === '') return true
  const weights = readWeights(accept)
  const narrowest = ['application/json', 'application/*', '*/*'].find((name) => weights.has(name))
  return narrowest !== undefined && weights.get(narrowest) !== 0
}

/** Reports whether a type is named, and not by `q=0`. */
export function namesType(accept: string, type: string): boolean {
  return (readWeights(accept).get(type) ?? 0) > 0
}

function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const entry of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = entry.split(';').map((part) => part.trim())
    const weight = parameters.find((part) => part.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return weights
}
