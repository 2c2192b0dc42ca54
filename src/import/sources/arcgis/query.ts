/** Asks an ArcGIS server and classifies its errors. Source: ArcGIS REST API, "Query". */
import { CommandError } from '../../../base/errors.ts'
import { parseJson } from '../../../base/long-numbers.ts'
import { refuseBusy, retry } from '../retry.ts'
import { ask, PassingFault, readAddress, readBody, showAddress, type Web } from '../web.ts'

/** An unchecked JSON object from a server. */
export type Json = { [key: string]: unknown }

/** The server rejects this form of query; another form may work. */
export class RefusedQuery extends Error {}

/** Longer queries are sent by POST. */
const URL_MAX = 1800

/**
 * Requests JSON, with retries. Throws `PassingFault` when all failed, `RefusedQuery` for this form
 * of query, and `CommandError` when none can succeed: without a token, or without the layer.
 */
export function query(
  web: Web,
  address: string,
  parameters: Record<string, string>,
  tries?: number,
): Promise<Json> {
  return retry(web, () => queryOnce(web, address, parameters), tries)
}

async function queryOnce(web: Web, address: string, parameters: Record<string, string>) {
  const url = readAddress(address)
  for (const [name, value] of Object.entries({ ...parameters, f: 'json' })) {
    url.searchParams.set(name, value)
  }
  const isLong = url.href.length > URL_MAX
  const form = url.searchParams.toString()
  if (isLong) url.search = ''
  const answer = await ask(web, {
    url: url.href,
    ...(isLong && { method: 'POST' as const, form }),
  })
  refuseBusy(answer, web.now())
  const { status } = answer
  const text = await readBody(answer.body)
  // The page is requested in halves.
  if (text === undefined) throw new RefusedQuery('the answer is larger than 128 MiB')
  if (status === 401 || status === 403) throw needsToken(address, String(status))
  if (status === 404) throw new RefusedQuery(`${showAddress(address)} is not there (404)`)
  if (status >= 400) throw new RefusedQuery(`the server answers ${status}`)
  return readJson(text, address)
}

function readJson(text: string, address: string): Json {
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    const isPage = /^\s*</.test(text)
    const what = isPage ? 'a web page instead of JSON' : 'JSON that is cut short or broken'
    throw new PassingFault(`the server answers ${what}`, { cause })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new PassingFault('the server answers JSON that is not an object')
  }
  const { error } = value as Json
  if (error !== undefined && error !== null) throw readError(error, address)
  return value as Json
}

/** ArcGIS returns errors with status 200: `{"error": {"code", "message", "details"}}`. */
function readError(error: unknown, address: string): Error {
  const { code, message, details } = (
    typeof error === 'object' ? error : { message: error }
  ) as Json
  const more = Array.isArray(details) ? details.filter((one) => one !== message) : []
  const text = [message, ...more].filter((one) => typeof one === 'string' && one !== '').join(': ')
  const number = Number(code)
  if ([401, 403, 498, 499].includes(number)) return needsToken(address, `${number} ${text}`)
  const sentence = `error ${code ?? ''} ${text.slice(0, 300)}`.trim()
  return number === 400 || number === 404 ? new RefusedQuery(sentence) : new PassingFault(sentence)
}

function needsToken(address: string, why: string): CommandError {
  return new CommandError(
    `${showAddress(address)} is not public (${why.trim().slice(0, 300)}): a token that ` +
      'the publisher gives may be added to the address, ?token=…',
  )
}
