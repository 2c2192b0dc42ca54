/** Tables, forms, paging and choices: one way each for all pages. */
import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type Html, type HtmlValue, html, type PageReply, SENT_FORM } from './html.ts'
import { showCount } from './words.ts'

/** How a cell is set: `wide` has room for a line, and `text` for a sentence. */
type Look = 'number' | 'time' | 'wide' | 'text' | 'track-cell'

/** A column's title, what it has of a row, and its look. */
export type Column<Row> = readonly [
  title: string | Html,
  cell: (row: Row, at: number) => HtmlValue,
  look?: Look,
]

type TableMore<Row> = {
  label?: string
  className?: string
  /** Rows of what has ended. */
  isOver?: (row: Row) => boolean
}

/** Shows rows in a frame in which a wide table scrolls. The first cell names the row. */
export function showTable<Row>(
  rows: readonly Row[],
  columns: readonly (Column<Row> | false)[],
  { label, className, isOver }: TableMore<Row> = {},
): Html {
  const shown = columns.filter((column) => column !== false)
  const classOf = (look: string | undefined) => look !== undefined && html` class="${look}"`
  const name = label !== undefined && html` role="region" aria-label="${label}"`
  return html`<div class="scroll" tabindex="0"${name}><table${classOf(className)}><thead>
<tr>${shown.map(
    ([title, , look]) =>
      html`<th scope="col"${classOf(look === 'number' ? look : undefined)}>${title}</th>`,
  )}</tr></thead><tbody>${rows.map(
    (row, at) =>
      html`<tr${isOver?.(row) === true && html` class="over"`}>${shown.map(
        ([, cell, look], place) =>
          place === 0
            ? html`<th scope="row"${classOf(look)}>${cell(row, at)}</th>`
            : html`<td${classOf(look)}>${cell(row, at)}</td>`,
      )}</tr>`,
  )}</tbody></table></div>`
}

type FormMore = { look?: string; confirm?: string }

/** A form of a change, with the token of the session and a name of its own. */
export function showForm(
  csrf: string,
  action: string,
  content: HtmlValue,
  { look = 'inline', confirm }: FormMore = {},
): Html {
  return html`<form method="post" action="${action}" class="${look}"${
    confirm !== undefined && html` data-confirm="${confirm}"`
  }><input type="hidden" name="csrf" value="${csrf}"><input type="hidden" name="${
    SENT_FORM
  }" value="${randomUUID()}">${content}</form>`
}

/** A quiet button that changes something at once; `name`: for screen readers. */
export function showChange(
  csrf: string,
  action: string,
  text: string,
  {
    name,
    confirm,
    isBad = confirm !== undefined,
  }: { name?: string; confirm?: string; isBad?: boolean },
): Html {
  const button = html`<button class="quiet${isBad && ' bad'}"${
    name !== undefined && html` aria-label="${name}"`
  }>${text}</button>`
  return showForm(csrf, action, button, confirm === undefined ? {} : { confirm })
}

/** A form that names what it will do, and the way back. */
export function showConfirmation(
  csrf: string,
  {
    action,
    content,
    button,
    back,
  }: { action: string; content: HtmlValue; button: Html; back: string },
): Html {
  const asked = html`${content}<div class="actions">${button}
<a class="button" href="${back}">Leave it</a></div>`
  return showForm(csrf, action, asked, { look: 'card narrow' })
}

export function showOptions(
  choices: readonly (readonly [value: string, text: string])[],
  chosen = '',
): Html {
  return html`${choices.map(
    ([value, text]) =>
      html`<option value="${value}"${value === chosen && html` selected`}>${text}</option>`,
  )}`
}

/** A whole number of an address, from 1 to `most`; `otherwise` for any other text. */
export function readWhole(text: string | null, most: number, otherwise = 1): number {
  return /^\d+$/.test(text ?? '') ? Math.min(Math.max(Number(text), 1), most) : otherwise
}

/** Links to the pages before and after; nothing for a single page. */
export function showPages(
  name: string,
  { page, last, link }: { page: number; last: number; link: (page: number) => string },
): Html {
  if (last < 2) return html``
  return html`<nav class="pages" aria-label="Pages of ${name}">
${page > 1 ? html`<a href="${link(page - 1)}" rel="prev">Earlier</a>` : html`<span></span>`}
<span>page ${showCount(page)} of ${showCount(last)}</span>
${page < last ? html`<a href="${link(page + 1)}" rel="next">Later</a>` : html`<span></span>`}</nav>`
}

/** What is said where nothing is listed, and what to do next. */
export function showEmpty(said: HtmlValue, next?: HtmlValue): Html {
  return html`<div class="empty" role="status"><p>${said}</p>${
    next !== undefined && html`<p>${next}</p>`
  }</div>`
}

export function showNothingLoaded(): Html {
  const next = html`<a class="button" href="/imports">Import a county's roll</a>`
  return showEmpty('No county is loaded yet.', next)
}

export function showBar(share: number): Html {
  const width = Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10
  return html`<svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect
class="track" width="100" height="8"/><rect class="bar" width="${width}" height="8"/></svg>`
}

export function sendCsv(name: string, bytes: string | Readable): PageReply {
  const headers = { 'content-disposition': `attachment; filename="${name}.csv"` }
  return { bytes, type: 'text/csv; charset=utf-8', headers }
}

export function noParcel(said: string, status: number): PageReply {
  const body = html`<p>${said}</p><p><a href="/search">Search</a></p>`
  return { title: 'No such parcel', body, status }
}

/** A secret that was made. `more`: sentences about it, with a blank at their end. */
export function showOnce(kind: string, title: string, secret: string, more = ''): Html {
  return html`<div class="card made" role="status"><p><b>${title}, shown this once:</b></p>
<figure class="code"><figcaption>${kind}</figcaption><button class="quiet" data-copy autofocus
aria-label="Copy the ${kind}">Copy</button><pre tabindex="0">${secret}</pre></figure>
<p class="note">${more}Only its hash is kept, so nobody can show it again.</p></div>`
}
