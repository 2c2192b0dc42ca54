/** The reference of the API at `/`, for browsers: a page that reads `/openapi.json`. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyPluginAsync } from 'fastify'

const FOLDER = new URL('../reference/', import.meta.url)

export const serveReference: FastifyPluginAsync = async (fastify) => {
  let page: ReturnType<typeof readPage> | undefined
  fastify.get('/', async (request, reply) => {
    if (!/\btext\/html\b/.test(request.headers.accept ?? '')) return reply.callNotFound()
    page ??= readPage()
    return reply.headers(page.headers).type('text/html; charset=utf-8').send(page.text)
  })
}

/** Puts style and script into the page, and allows these two by their hashes. */
function readPage() {
  const read = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')
  const [style, script] = [read('page.css'), read('page.js')]
  const text = read('page.html')
    .replace('/* style */', () => style)
    .replace('/* script */', () => script)
  const policy = [
    "default-src 'none'",
    `script-src '${digestOf(script)}'`,
    `style-src '${digestOf(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  const headers = {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-cache',
    vary: 'accept',
  }
  return { text, headers }
}

function digestOf(text: string): string {
  return `sha256-${hash('sha256', text, 'base64')}`
}
