/** Lines that make the same request: curl and the TypeScript client. */
import type { Asked, ConsoleContext } from './context.ts'
import { type Html, html } from './show/html.ts'

/** Operations with a method of their own in the client package. */
const METHODS = new Set([
  ...['addressLookup', 'parcelIdLookup', 'propertySearch', 'ownerSearch', 'premiumOwnerSearch'],
])

export function showLines({ service, config }: ConsoleContext, { operation, query }: Asked): Html {
  const base = config.publicUrl ?? service
  const asked = `${base}${operation.path}?${encodeQuery(query)}`
  const curl = `curl -H "Authorization: $PLATBOOK_API_KEY" '${asked}'`
  const { operationId, path } = operation
  const script = METHODS.has(operationId)
    ? `await platbook.${operationId}(${showLiteral(query)})`
    : `await platbook.raw('${path}', ${showLiteral(query)})`
  return html`${showCode('curl', curl)}${showCode('TypeScript', script)}`
}

/** A line to copy. */
function showCode(name: string, line: string): Html {
  return html`<figure class="code"><figcaption>${name}</figcaption>
<button class="quiet" data-copy aria-label="Copy the ${name} line">Copy</button>
<pre tabindex="0">${line}</pre></figure>`
}

/** An apostrophe would end the shell's quotes. */
function encodeQuery(query: Record<string, string>): string {
  return new URLSearchParams(query).toString().replaceAll("'", '%27')
}

function showLiteral(query: Record<string, string>): string {
  const pairs = Object.entries(query).map(([name, value]) => {
    const isPlain = /^(?:true|false|-?[1-9]\d*(?:\.\d+)?)$/.test(value) && !TEXTS.has(name)
    return `${name}: ${isPlain ? value : `'${value.replace(/['\\]/g, '\\$&')}'`}`
  })
  return `{ ${pairs.join(', ')} }`
}

/** Parameters that are texts although their values look like numbers. */
const TEXTS = new Set(['address', 'parcelId', 'county', 'zipCode', 'lastName', 'nameContains'])
