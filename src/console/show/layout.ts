/** The frame of every page: head, menu, search box. */
import type { Assets } from '../assets.ts'
import { LINK_OPERATOR, type SignedIn } from '../sign-in/sessions.ts'
import { type Html, html } from './html.ts'

type FramedPage = {
  title: string
  body: Html
  /** Assets that follow after the first paint: modules, and styles of what they draw. */
  late?: string[]
  styles?: string[]
  wide?: boolean
  broad?: boolean
  assets: Assets
  /** `undefined`: a page for people who are not signed in. */
  signedIn: SignedIn | undefined
}

const MENU: [path: string, title: string][] = [
  ['/map', 'Map'],
  ['/search', 'Search'],
  ['/summary', 'Summary'],
  ['/coverage', 'Coverage'],
  ['/imports', 'Imports'],
  ['/sources', 'Sources'],
  ['/accounts', 'Accounts'],
  ['/operation', 'Operation'],
  ['/privacy', 'Privacy'],
]

export function showPage({
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
