/** Finds the file behind a CKAN dataset page. Source: docs.ckan.org, "API guide". */
import { CommandError } from '../../base/errors.ts'
import { explainFailed, refuseBusy, retry } from './retry.ts'
import { readJson } from './socrata.ts'
import { ask, PassingFault, readAddress, showAddress, type Web } from './web.ts'

type Resource = { id?: string; name?: string; format?: string; url?: string }

/** Reports whether an address is a page: `/dataset/NAME` or `/dataset/NAME/resource/ID`. */
export function isCkanAddress(address: string): boolean {
  return URL.canParse(address) && PAGE.test(new URL(address).pathname)
}

const PAGE = /^(.*)\/dataset\/([^/]+)(?:\/resource\/([0-9a-f-]{36}))?\/?$/
/** Supported formats, the best first. */
const FORMATS = 'parquet csv geojson geopackage gpkg shp zip json tsv xlsx txt'.split(' ')

/** The address of a dataset's file. Throws `CommandError` listing files that are equally good. */
export async function findCkanFile(web: Web, address: string): Promise<string> {
  const url = readAddress(address)
  const [, root = '', name = '', resourceId] = PAGE.exec(url.pathname) ?? []
  const action = resourceId === undefined ? 'package_show' : 'resource_show'
  const asked = new URL(`${root}/api/3/action/${action}`, url)
  asked.searchParams.set('id', resourceId ?? decodeURIComponent(name))
  const result = await askCkan(web, asked, address)
  if (resourceId !== undefined) return urlOf(result as Resource, asked)
  const resources = (result as { resources?: Resource[] }).resources ?? []
  const format = FORMATS.find((one) => resources.some((resource) => formatOf(resource) === one))
  const best = resources.filter((resource) => formatOf(resource) === format)
  const [first] = best
  if (format === undefined || first === undefined) {
    throw new CommandError(`${showAddress(address)} has no file of a format that import reads`)
  }
  if (best.length === 1) return urlOf(first, asked)
  const list = best
    .map(({ name: title, url: at }) => `${title ?? ''} ${at ?? ''}`.trim())
    .join('; ')
  throw new CommandError(
    `${showAddress(address)} has several files; give the address of one: ${list}`,
  )
}

function formatOf({ format = '' }: Resource): string {
  return format.toLowerCase().replace(/^\./, '')
}

function urlOf({ url }: Resource, base: URL): string {
  if (url === undefined || url === '')
    throw new CommandError(`the answer of ${base.host} has no address of the file`)
  return readAddress(new URL(url, base).href).href
}

function askCkan(web: Web, url: URL, address: string): Promise<unknown> {
  const what = `${showAddress(address)} cannot be read`
  return explainFailed(what, () =>
    retry(web, async () => {
      const answer = await ask(web, { url: url.href })
      refuseBusy(answer, web.now())
      if (answer.status >= 400) {
        answer.body.destroy()
        throw new CommandError(`${what}: the server answers ${answer.status}`)
      }
      const { success, result } = (await readJson(answer.body)) as {
        success?: boolean
        result?: unknown
      }
      if (success !== true || typeof result !== 'object' || result === null) {
        throw new PassingFault('the server does not describe this data set')
      }
      return result
    }),
  )
}
