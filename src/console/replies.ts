/** Sends a page's reply: HTML in its frame, JSON, bytes, or a redirect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from './assets.ts'
import type { PageReply } from './routes.ts'
import { html } from './show/html.ts'
import { showPage } from './show/layout.ts'
import type { SignedIn } from './sign-in/sessions.ts'

/** `signedIn` undefined: a page without menu and search box. */
export type Send = (
  reply: FastifyReply,
  page: PageReply,
  signedIn: SignedIn | undefined,
) => FastifyReply

export function createSend(assets: Assets): Send {
  return (reply, page, signedIn) => {
    reply.header('cache-control', 'no-store')
    if ('redirect' in page) return reply.redirect(page.redirect, 303)
    reply.code(page.status ?? 200)
    if ('json' in page) return reply.type('application/json').send(JSON.stringify(page.json))
    if ('bytes' in page) {
      return reply
        .headers(page.headers ?? {})
        .type(page.type)
        .send(page.bytes)
    }
    const { text } = showPage({ ...page, assets, signedIn })
    return reply.type('text/html; charset=utf-8').send(text)
  }
}

/** Refuses in a form that fits the request: JSON for a script, else a page. */
export function sayNo(
  request: FastifyRequest,
  { title, text, status }: { title: string; text: string; status: number },
): PageReply {
  if (wantsJson(request)) return { json: { error: text }, status }
  const body = html`<p class="error" role="alert">${text}</p>
<p><a class="button" href="${pathOfReferer(request)}">Back</a></p>`
  return { title, body, status }
}

export function wantsJson(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('application/json')
}

export function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? ''
}

/** Returns the page that sent a request, as a path of this console. */
export function pathOfReferer({ headers }: FastifyRequest): string {
  const { referer = '', host } = headers
  if (!URL.canParse(referer) || new URL(referer).host !== host) return '/'
  const { pathname, search } = new URL(referer)
  return pathname + search
}
