/** Sends a page's reply: HTML in its frame, JSON, bytes, or a redirect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assets } from './assets.ts'
import { type Html, html, type PageReply, type ShownPage } from './show/html.ts'
import { wordsOf } from './show/words.ts'
import { LINK_OPERATOR, type SignedIn } from './sign-in/sessions.ts'

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

/** `signedIn` undefined: a page for people who are not signed in. */
type FramedPage = ShownPage & { assets: Assets; signedIn: SignedIn | undefined }

const MENU = Object.entries(wordsOf('menu'))

function showPage({
  title,
  body,
  late = [],
  styles = [],
  wide = false,
  broad = false,
  assets,
  signedIn,
}: FramedPage): Html {
  const followers = [signedIn === undefined ? '' : 'search.js', ...late].join(' ')
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Platbook</title>
<link rel="icon" href="${assets.path('icon.svg')}">
${['style.css', ...styles].map((name) => html`<link rel="stylesheet" href="${assets.path(name)}">`)}
<script src="${assets.path('page.js')}" data-late="${followers}"></script>
</head>
<body${signedIn === undefined ? html` class="plain"` : html` data-csrf="${signedIn.csrf}"`}>
<a class="skip" href="#content">Skip to the content</a>
${signedIn !== undefined && showHeader(title, signedIn)}
<main id="content" tabindex="-1"${wide ? html` class="wide"` : broad && html` class="broad"`}>
<h1${wide && html` class="hidden"`}>${title}</h1>
${body}
</main>
</body>
</html>
`
}

function showHeader(title: string, { operator, role, csrf }: SignedIn): Html {
  return html`<header class="bar">
<a class="brand" href="/" aria-label="Platbook, start page">Platbook</a>
<form class="find" action="/search" role="search">
<label for="q" class="hidden">Search parcels</label>
<input id="q" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="200"
  placeholder="Address, owner or parcel ID" aria-keyshortcuts="/"
  list="find-suggestions" data-suggest>
<datalist id="find-suggestions"></datalist>
<kbd aria-hidden="true">/</kbd>
</form>
<nav aria-label="Pages">
${MENU.map(
  ([path, name]) =>
    html`<a href="${path}"${title === name && html` aria-current="page"`}>${name}</a>`,
)}
</nav>
<form class="who" method="post" action="/sign-out">
<input type="hidden" name="csrf" value="${csrf}">
${
  role === 'admin'
    ? html`<a href="/admin"
title="Operators and prices">${operator === LINK_OPERATOR ? 'Admin' : operator}</a>`
    : html`<span title="Signed in with the role ${role}">${operator}</span>`
}
<button class="quiet">Sign out</button>
</form>
</header>`
}
