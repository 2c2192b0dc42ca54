/** Downloads Socrata datasets page by page. Source: dev.socrata.com, "Paging through data". */
import { CommandError } from '../../base/errors.ts'
import { parseJson } from '../../base/long-numbers.ts'
import { fetchPages, PartFiles } from './part-files.ts'
import { explainFailed, refuseBusy, retry } from './retry.ts'
import { ask, PassingFault, readBody, showAddress, type Web } from './web.ts'

const PAGE = 10_000

/** Reports whether an address is a dataset: `/resource/xxxx-xxxx`, with or without extension. */
export function isSocrataAddress(address: string): boolean {
  return (
    URL.canParse(address) && /\/resource\/\w{4}-\w{4}(?:\.\w+)?$/.test(new URL(address).pathname)
  )
}

/**
 * Downloads all rows into part files in the order of their ids. Throws `CommandError` unless the
 * number of rows equals the server's count before and after; `force` accepts any number.
 */
export function downloadSocrata(
  web: Web,
  { address, folder, force }: { address: string; folder: string; force: boolean },
): Promise<string[]> {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\.\w+$/, '')}.json`
  const shown = showAddress(address)
  return explainFailed(`${shown} cannot be read`, async () => {
    const count = await countRows(web, url)
    if (count === 0) throw new CommandError(`${shown} has no rows`)
    const parts = await PartFiles.open(folder, `socrata ${count}`)
    const fetch = async (page: number) => {
      const rows = await fetchJson(web, url, {
        $limit: String(PAGE),
        $offset: String(page * PAGE),
        $order: ':id',
      })
      return { lines: rows.map((row) => JSON.stringify(row)), lost: 0 }
    }
    if (!parts.state.complete) {
      await fetchPages(web, parts, { count: Math.ceil(count / PAGE), rows: count, fetch })
    }
    const after = await countRows(web, url)
    const { rows } = parts.state
    if ((after !== count || rows !== count) && !force) {
      await parts.discard()
      throw new CommandError(
        `${shown} was not read whole: ${count} rows before, ${after} after, ${rows} ` +
          'read; try again, or load what came with --force',
      )
    }
    await parts.complete()
    return parts.paths
  })
}

/**
 * Returns the server's description of a dataset. `edited`: when its rows last changed, epoch
 * milliseconds. Source: dev.socrata.com, "Metadata API".
 */
export async function describeSocrata(
  web: Web,
  address: string,
): Promise<{ edited: number | null; rows: number; columns: string[] | null }> {
  const url = new URL(address)
  const id = /\w{4}-\w{4}/.exec(url.pathname.slice(url.pathname.lastIndexOf('/')))?.[0] ?? ''
  url.pathname = url.pathname.replace(/\.\w+$/, '')
  const rows = await countRows(web, new URL(`${url.href.split('?')[0]}.json${url.search}`))
  const about = new URL(`/api/views/${id}.json`, url)
  about.search = url.search
  const answer = await ask(web, { url: about.href })
  if (answer.status !== 200) {
    answer.body.destroy()
    return { edited: null, rows, columns: null }
  }
  const metadata = (await readJson(answer.body)) as {
    rowsUpdatedAt?: unknown
    columns?: { fieldName?: unknown }[]
  }
  const names = (metadata.columns ?? []).map(({ fieldName }) => String(fieldName))
  const seconds = Number(metadata.rowsUpdatedAt)
  return {
    edited: seconds > 0 ? seconds * 1000 : null,
    rows,
    columns: names.length === 0 ? null : names,
  }
}

async function countRows(web: Web, url: URL): Promise<number> {
  const [row] = await fetchJson(web, url, { $select: 'count(*)' })
  const count = Number(Object.values((row ?? {}) as object)[0])
  if (!Number.isSafeInteger(count)) throw new PassingFault('the server does not count its rows')
  return count
}

function fetchJson(web: Web, address: URL, parameters: Record<string, string>): Promise<unknown[]> {
  const url = new URL(address)
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return retry(web, async () => {
    const answer = await ask(web, { url: url.href })
    refuseBusy(answer, web.now())
    const value = await readJson(answer.body)
    if (answer.status !== 200) {
      const { message } = (value ?? {}) as { message?: string }
      throw new CommandError(
        (
          `${showAddress(address.href)} cannot be read: the server answers ` +
          `${answer.status} ${message ?? ''}`
        ).trim(),
      )
    }
    if (!Array.isArray(value)) throw new PassingFault('the server answers JSON that is not a list')
    return value
  })
}

/** Parses a body. Throws `PassingFault` unless it is whole JSON, `CommandError` if too large. */
export async function readJson(body: AsyncIterable<Buffer>): Promise<unknown> {
  const text = await readBody(body)
  if (text === undefined) throw new CommandError('the answer is larger than 128 MiB')
  try {
    return parseJson(text)
  } catch (cause) {
    throw new PassingFault(`the answer is not JSON: ${(cause as Error).message}`, { cause })
  }
}
