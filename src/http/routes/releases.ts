/** Releases as files at `/releases/`, for anybody: with ranges, and nothing outside the folder. */
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { extname, join, resolve, sep } from 'node:path'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { errorReply } from '../error-reply.ts'

const TYPES: Record<string, string> = {
  '.json': 'application/json; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.parquet': 'application/vnd.apache.parquet',
  '.pmtiles': 'application/vnd.pmtiles',
  '.sig': 'text/plain; charset=utf-8',
}

/** A release never changes under its name. */
const CACHE = 'public, max-age=3600'

export function serveReleases(folder: string): FastifyPluginAsync {
  return async (fastify) => {
    fastify.route({
      method: ['GET', 'HEAD'],
      url: '/releases/*',
      handler: (request, reply) => {
        const path = findFile(folder, (request.params as { '*': string })['*'])
        if (path === undefined) return refuse(reply, errorReply(404, 'There is no such release'))
        return send(request, reply, path)
      },
    })
  }
}

/** `undefined` unless the name is that of a file within the folder, links followed. */
function findFile(folder: string, name: string): string | undefined {
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(name) || /(?:^|\/)\./.test(name)) return undefined
  try {
    const root = realpathSync(resolve(folder))
    const path = realpathSync(join(root, name))
    return path.startsWith(root + sep) && statSync(path).isFile() ? path : undefined
  } catch {
    return undefined
  }
}

function send(request: FastifyRequest, reply: FastifyReply, path: string): FastifyReply {
  const { size, mtimeMs } = statSync(path)
  const etag = `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"`
  const type = TYPES[extname(path)] ?? 'application/octet-stream'
  reply.headers({ etag, 'cache-control': CACHE, 'accept-ranges': 'bytes', 'content-type': type })
  const { range, 'if-none-match': known, 'if-range': same } = request.headers
  if (known?.split(',').some((one) => one.trim() === etag)) return reply.code(304).send()
  const part = same === undefined || same === etag ? readRange(range, size) : undefined
  if (part === 'outside') {
    reply.header('content-range', `bytes */${size}`)
    return refuse(reply, errorReply(416, 'The range is outside of the file'))
  }
  const { start, end } = part ?? { start: 0, end: size - 1 }
  if (part !== undefined) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', end - start + 1)
  if (request.method === 'HEAD' || size === 0) return reply.send()
  return reply.send(createReadStream(path, { start, end }))
}

/** One range; several are answered with the whole file, as RFC 9110 allows. */
function readRange(range: string | undefined, size: number) {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range ?? '') ?? []
  if (from === '' && to === '') return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(size - 1, Number(to))
  return start >= size || start > end ? 'outside' : { start, end }
}

function refuse(reply: FastifyReply, { status, body }: { status: number; body: string }) {
  return reply.code(status).type('application/json; charset=utf-8').send(body)
}
