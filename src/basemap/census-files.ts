/** The Census's TIGER/Line files that the basemap of a state is made of, and where they are. */
import { readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { CommandError } from '../base/errors.ts'
import { isWebAddress } from '../import/sources/web.ts'
import { COUNTIES, fipsCode } from '../regions/counties.ts'

/** Where the Census publishes them. */
const CENSUS = 'https://www2.census.gov/geo/tiger/'

/** Folder of the site, and whether it has a file for each county, each state, or for all. */
const KINDS = [
  ['AREALM', 'state'],
  ['AREAWATER', 'county'],
  ['LINEARWATER', 'county'],
  ['COUNTY', 'us'],
  ['PLACE', 'state'],
  ['ROADS', 'county'],
] as const

/** `counties`: FIPS codes of five digits; none: all of the state. */
type Wanted = { state: string; fips: string; counties: readonly number[]; year: string }

/**
 * Lists the paths and addresses for a state. A folder, or an address that ends in a slash, is read
 * as the Census names its files. Without sources it is the Census's own site.
 */
export function listFiles(sources: readonly string[], wanted: Wanted): string[] {
  const bases = sources.length === 0 ? [`${CENSUS}TIGER${wanted.year}/`] : sources
  return bases.flatMap((source) => {
    if (isWebAddress(source)) return source.endsWith('/') ? listWeb(source, wanted) : [source]
    const stat = statSync(source, { throwIfNoEntry: false })
    if (stat === undefined) throw new CommandError(`${source} does not exist`)
    return stat.isDirectory() ? listFolder(source, wanted) : [source]
  })
}

function listWeb(base: string, { state, fips, counties, year }: Wanted): string[] {
  const own = COUNTIES.filter((one) => one.state === state).map((one) => one.fips)
  const chosen = (counties.length > 0 ? counties : own).map((one) => fipsCode(one))
  return KINDS.flatMap(([kind, scope]) => {
    const codes = scope === 'us' ? ['us'] : scope === 'state' ? [fips] : chosen
    return codes.map((code) => `${base}${kind}/tl_${year}_${code}_${kind.toLowerCase()}.zip`)
  })
}

/** A file named after another state or county is left out; one with a name of its own is read. */
function listFolder(folder: string, { fips, counties }: Wanted): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:zip|shp)$/i.test(name))
    .filter((name) => {
      const code = /^tl_\d{4}_(\d{5}|\d{2})_/.exec(basename(name))?.[1]
      if (code === undefined) return true
      if (!code.startsWith(fips)) return false
      return code.length === 2 || counties.length === 0 || counties.includes(Number(code))
    })
    .sort()
    .map((name) => join(folder, name))
}
