/**
 * Writes tables/us-places.txt: the places of each state by the 2022 Census Gazetteer, which is
 * in the public domain.
 *
 * Debian packs the gazetteer in `weather-util-data`: `apt-get download weather-util-data`,
 * `dpkg-deb -x`, and give this script its file `places.gz`:
 * `node scripts/write-places.ts places.gz`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { foldCity } from '../src/base/fold.ts'
import { STATES } from '../src/regions/states.ts'

const [file] = process.argv.slice(2)
if (file === undefined) throw new Error('usage: node scripts/write-places.ts places.gz')

/** A place has seven digits; counties have five and their subdivisions ten. */
const PLACE = /^\[fips\d{7}\]\n(?:.*\n)*?description = (.*), ([A-Z]{2})$/gm
/**
 * What the Census writes after a name: the kind of place, and `(balance)` for a county without the
 * places that are counted apart.
 */
const UNIONS = 'metropolitan|metro|unified|consolidated'
const KINDS =
  'CDP|city|town|village|borough|township|municipality|comunidad|urbana|zona urbana|corporation'
const KIND = new RegExp(
  `(?:-\\S+ (?:${UNIONS}).*| (?:${KINDS}|(?:${UNIONS}|urban county).*))?(?: \\(balance\\))?$`,
)

const places = new Map<string, Set<string>>()
const text = gunzipSync(readFileSync(file)).toString()
for (const [, name = '', state = ''] of text.matchAll(PLACE)) {
  const known = places.get(state) ?? new Set()
  places.set(state, known)
  const short = foldCity(name.replace(KIND, ''))
  known.add(short)
  // `Macon-Bibb County` and `Lexington-Fayette` are Macon and Lexington to those who write there.
  const [first = '', second] = name.split(/[-/,]/)
  const isUnion = /unified|consolidated|metro|urban| County$|-Silver Bow/.test(name)
  if (second !== undefined && isUnion) known.add(foldCity(first))
  if (name.startsWith('Urban ')) known.add(foldCity(first.replace(/^Urban (.*) CDP$/, '$1')))
}
// Boroughs of New York, and the postal cities of Queens.
const BOROUGHS =
  'BRONX;BROOKLYN;MANHATTAN;QUEENS;STATEN ISLAND;ASTORIA;BAYSIDE;CORONA;ELMHURST;FAR ROCKAWAY;' +
  'FLUSHING;FOREST HILLS;JACKSON HEIGHTS;JAMAICA;KEW GARDENS;LONG ISLAND CITY;MASPETH;OZONE PARK;' +
  'REGO PARK;RICHMOND HILL;RIDGEWOOD;SAINT ALBANS;SUNNYSIDE;WHITESTONE;WOODHAVEN;WOODSIDE'
for (const name of BOROUGHS.split(';')) places.get('NY')?.add(name)
const lines = STATES.filter(({ code }) => places.has(code)).map(
  ({ code }) => `${code}\t${[...(places.get(code) ?? [])].sort().join(';')}`,
)
const out = new URL('../tables/us-places.txt', import.meta.url)
writeFileSync(out, `${lines.join('\n')}\n`)
console.log(
  `${[...places.values()].reduce((sum, one) => sum + one.size, 0)} places of ` +
    `${lines.length} states`,
)
