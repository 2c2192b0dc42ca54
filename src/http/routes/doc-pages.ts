/** The documentation of the running version as Markdown: `/llms.txt` lists its pages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'

const FOLDER = new URL('../../../docs/', import.meta.url)
const TYPES = {
  md: 'text/markdown; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
}

/** Routes of the pages. `base`: the service's address without a trailing slash, or `''`. */
export function serveDocPages(base: string): FastifyPluginAsync {
  return async (fastify) => {
    let list: string | undefined
    fastify.get('/llms.txt', async (_request, reply) => {
      list ??= listPages(base)
      return send(reply, list, TYPES.md)
    })
    // For the search of the reference.
    let headings: string | undefined
    fastify.get('/docs/headings.json', async (_request, reply) => {
      headings ??= JSON.stringify(listFiles('.md').flatMap(readHeadings))
      return send(reply, headings, 'application/json')
    })
    for (const name of [...listFiles('.md'), ...listFiles('.tsv')]) {
      const type = name.endsWith('.md') ? TYPES.md : TYPES.tsv
      fastify.get(`/docs/${name}`, async (_request, reply) => send(reply, readPage(name), type))
    }
  }
}

/** Pages or tables by their paths below `docs/`; none in a package without them. */
function listFiles(ending: string): string[] {
  if (!existsSync(FOLDER)) return []
  const names = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith(ending)).sort()
}

function readPage(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8')
}

/** Lists the pages with their titles, as llmstxt.org describes it. */
function listPages(base: string): string {
  const [decisions, pages] = [true, false].map((isDecision) =>
    listFiles('.md').filter((name) => name.startsWith('decisions/') === isDecision),
  ) as [string[], string[]]
  const lines = (names: string[]) =>
    names.map((name) => `- [${titleOf(name)}](${base}/docs/${name})`).join('\n')
  return `# Platbook

> Property records of US counties over HTTP: lookups by address and parcel ID, searches by owner and
> by place, comparable sales. The OpenAPI document is at ${base}/openapi.json.

## Pages

${lines(pages)}

## Optional

${lines(decisions)}
`
}

type Heading = { title: string; page: string; href: string }

/** Lists the headings of a page outside its code blocks. */
function readHeadings(name: string): Heading[] {
  const text = readPage(name).replace(/^```[\s\S]*?^```/gm, '')
  const page = titleOf(name)
  return [...text.matchAll(/^#{1,3} (.+)$/gm)].map(([, title = '']) => {
    return { title: title.replaceAll('`', ''), page, href: `/docs/${name}` }
  })
}

function titleOf(name: string): string {
  return /^# (.+)$/m.exec(readPage(name))?.[1] ?? name
}

function send(reply: FastifyReply, text: string, type: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=300').type(type).send(text)
}
