/** HTML as tagged templates: every value is escaped, unless it is HTML itself. */

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
