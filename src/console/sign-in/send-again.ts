/** A change that was not made, to be sent again by hand from the page. Its Origin was checked. */
import type { Fault } from '../faults.ts'
import { type Html, html, type PageReply, SENT_FORM } from '../show/html.ts'
import { showConfirmation } from '../show/parts.ts'
import { showField } from '../show/words.ts'

/** A change that was not made: a path of the console, and the form without its token. */
export type KeptChange = { path: string; form: string }

const SHOWN_MAX = 200

/** Hidden fields of the sign-in form, from which `readKept` restores the change. */
export function showKept({ path, form }: KeptChange): Html {
  return html`<input type="hidden" name="kept-path" value="${path}">
<input type="hidden" name="kept-form" value="${form}">`
}

/** Returns the change in a sign-in form; `undefined` for none. */
export function readKept(
  form: URLSearchParams,
  isOwnPath: (path: string) => boolean,
): KeptChange | undefined {
  const [path, kept] = [form.get('kept-path') ?? '', form.get('kept-form')]
  return kept === null || !isOwnPath(path) ? undefined : { path, form: kept }
}

export function keepChange(path: string, form: URLSearchParams): KeptChange {
  const own = new URLSearchParams(form)
  own.delete('csrf')
  own.delete(SENT_FORM)
  return { path, form: own.toString() }
}

/** Shows why a change was refused, with the form to be corrected and sent again. */
export function offerCorrection(
  { path, form }: KeptChange,
  csrf: string,
  { text, status, field }: Fault,
): PageReply {
  const mark = html` autofocus aria-invalid="true" aria-describedby="why"`
  const content = [...new URLSearchParams(form)].map(
    ([name, value]) =>
      html`<label><span class="term">${showField(name)}</span>
    <input name="${name}" value="${value}"${name === field && mark}></label>`,
  )
  const body = html`<p id="why" class="error" role="alert">${text}</p>
${showConfirmation(csrf, {
  action: path,
  content,
  button: html`<button>Send it again</button>`,
  back: path.replace(/\/(?:facts|keys).*$/, ''),
})}`
  return { title: 'That did not work', body, status }
}

/** Shows the form again, with a button that sends it with the present session. */
export function offerAgain({ path, form }: KeptChange, csrf: string, status: number): PageReply {
  const fields = [...new URLSearchParams(form)]
  const filled = fields.filter(([, value]) => value !== '')
  const content = html`${fields.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}
<p class="note">To <code>${path}</code></p>
${
  filled.length > 0 &&
  html`<dl>${filled.map(
    ([name, value]) =>
      html`<div><dt>${showField(name)}</dt><dd>${value.slice(0, SHOWN_MAX)}</dd></div>`,
  )}</dl>`
}`
  const button = html`<button autofocus>Send it now</button>`
  const body = html`<p>Your session had ended when this was sent, so nothing was changed. Look it
over, then send it.</p>
${showConfirmation(csrf, { action: path, content, button, back: '/' })}`
  return { title: 'Not sent yet', body, status }
}
