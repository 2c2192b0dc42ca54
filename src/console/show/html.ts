/** HTML as tagged templates, in which every value is escaped, and the pages made of it. */
import type { Readable } from 'node:stream'

/** A piece of HTML that is safe to send. */
export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = Html | string | number | null | undefined | false | readonly HtmlValue[]

/** `null`, `undefined` and `false` give no text; lists are joined. */
export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  const pieces = strings.map((piece, at) => piece + (at < values.length ? show(values[at]) : ''))
  return new Html(pieces.join(''))
}

/** Escapes a text for an element or a quoted attribute. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function show(value: HtmlValue): string {
  if (value === null || value === undefined || value === false) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'object') return value.map(show).join('')
  return escapeHtml(String(value))
}

export type ShownPage = {
  title: string
  body: Html
  status?: number
  /** Assets that follow after the first paint: modules, and styles of what they draw. */
  late?: string[]
  styles?: string[]
  /** Fills the window; its heading is for screen readers only. */
  wide?: boolean
  /** Takes more of a large window than text does. */
  broad?: boolean
}

/** A page, a file, or a redirect. */
export type PageReply =
  | ShownPage
  /** A path of the console. */
  | { redirect: string }
  | { json: unknown; status?: number }
  | {
      bytes: string | Buffer | Readable
      type: string
      status?: number
      headers?: Record<string, string>
    }

/** The field of a form with a random name, by which a form that is sent twice is recognized. */
export const SENT_FORM = 'sent-form'
