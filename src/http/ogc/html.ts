/** Plain HTML of any document: objects as tables, addresses as links. */

/** Allows its own style and nothing else. */
export const HTML_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;margin:2rem;color:#222;background:#fff}' +
  'table{border-collapse:collapse}td,th{border:1px solid #ccc;padding:.2rem .5rem;' +
  'text-align:left;vertical-align:top}'

export function beginHtml(title: string): string {
  const shown = escapeHtml(title)
  return (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${shown}</title>` +
    `<style>${STYLE}</style></head><body><h1>${shown}</h1>\n`
  )
}

export const HTML_END = '</body></html>\n'

export function showHtml(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object')) return value.map(showHtml).join('<br>')
    return `<ul>${value.map((one) => `<li>${showHtml(one)}</li>`).join('')}</ul>`
  }
  if (typeof value === 'object') {
    if ('href' in value && typeof value.href === 'string') return showLink(value)
    const rows = Object.entries(value).map(
      ([name, one]) => `<tr><th>${escapeHtml(name)}</th><td>${showHtml(one)}</td></tr>`,
    )
    return `<table>${rows.join('')}</table>`
  }
  return escapeHtml(String(value))
}

function showLink(link: object): string {
  const { href, title, rel } = link as { href: string; title?: string; rel?: string }
  const text = escapeHtml(title ?? href)
  return `<a href="${escapeHtml(href)}">${text}</a> ${escapeHtml(rel ?? '')}`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
