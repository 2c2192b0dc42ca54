/**
 * Writes `tables/county-names.txt` from the npm package `us-atlas` (counties of the Census's
 * cartographic boundary files). Run it after a new version of that package:
 * `node scripts/county-names.ts`. What the package lacks stands in `tables/county-changes.tsv`
 * and is written by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { STATES } from '../src/regions/states.ts'

type Atlas = {
  objects: { counties: { geometries: { id: string; properties: { name: string } }[] } }
}

const require = createRequire(import.meta.url)
const atlas: Atlas = JSON.parse(readFileSync(require.resolve('us-atlas/counties-10m.json'), 'utf8'))
const { version } = require('us-atlas/package.json') as { version: string }

const codes = new Map(STATES.map((state) => [state.fips, state.code]))
const lines = atlas.objects.counties.geometries
  .toSorted((a, b) => Number(a.id) - Number(b.id))
  .map(({ id, properties }) => {
    const code = codes.get(Number(id.slice(0, 2)))
    if (code === undefined) throw new Error(`no state for county ${id}`)
    return `${code} ${id.slice(2)} ${properties.name}`
  })

writeFileSync(
  new URL('../tables/county-names.txt', import.meta.url),
  `# Counties and equivalents: state, three-digit FIPS code and Census name.
# Made by scripts/county-names.ts from us-atlas ${version}; the source is the Census, public domain.
# Corrections and later changes: tables/county-changes.tsv.
${lines.join('\n')}
`,
)
