/** What a release says about itself: a STAC collection, a DCAT-US catalogue, and a page. */
import { ringOf } from '../geo/sphere.ts'
import { countCounties } from '../regions/counties.ts'
import { findState } from '../regions/states.ts'
import type { ChangeCounts } from './changes.ts'

export type Facts = {
  state: string
  parcels: number
  counties: number
  /** ISO 8601, of the newest change. */
  dataAt: string
  years: { first: number; last: number } | undefined
  bounds: [number, number, number, number]
  licences: readonly string[]
  publishers: readonly string[]
  changes: ChangeCounts | undefined
}

type Asset = { name: string; type: string; title: string; roles: string[] }

function listAssets({ state, changes }: Facts): Asset[] {
  const code = state.toLowerCase()
  const parquet = 'application/vnd.apache.parquet'
  return [
    { name: `parcels-${code}.parquet`, type: parquet, title: 'Parcels', roles: ['data'] },
    {
      ...{ name: `parcels-${code}.pmtiles`, type: 'application/vnd.pmtiles' },
      ...{ title: 'Vector tiles', roles: ['visual'] },
    },
    ...(changes === undefined
      ? []
      : [{ name: `changes-${code}.parquet`, type: parquet, title: 'Changes', roles: ['data'] }]),
    {
      ...{ name: 'quality.json', type: 'application/json' },
      ...{ title: 'Quality', roles: ['metadata'] },
    },
  ]
}

/** STAC 1.1: the collection, with its one item in it as a file of its own. */
export function describeStac(facts: Facts): { catalog: object; item: object } {
  const { state, bounds, dataAt, years, licences, publishers } = facts
  const id = `parcels-${state.toLowerCase()}`
  const start = years === undefined ? dataAt : `${years.first}-01-01T00:00:00Z`
  const end = years === undefined ? dataAt : `${years.last}-12-31T23:59:59Z`
  const [west, south, east, north] = bounds
  const corners = ringOf({ west, south, east, north })
  const assets = Object.fromEntries(
    listAssets(facts).map(({ name, ...asset }) => [name, { href: `./${name}`, ...asset }]),
  )
  return {
    catalog: {
      type: 'Collection',
      stac_version: '1.1.0',
      id,
      title: titleOf(facts),
      description: describe(facts),
      license: 'other',
      keywords: ['parcels', 'cadastre', state, ...licences],
      providers: publishers.map((name) => ({ name, roles: ['producer', 'licensor'] })),
      extent: { spatial: { bbox: [bounds] }, temporal: { interval: [[start, end]] } },
      links: [
        { rel: 'root', href: './catalog.json', type: 'application/json' },
        { rel: 'item', href: './item.json', type: 'application/geo+json' },
      ],
      assets,
    },
    item: {
      type: 'Feature',
      stac_version: '1.1.0',
      id: `${id}-${dataAt.slice(0, 10)}`,
      collection: id,
      bbox: bounds,
      geometry: { type: 'Polygon', coordinates: [corners] },
      properties: { datetime: dataAt, title: titleOf(facts) },
      links: [
        { rel: 'root', href: './catalog.json', type: 'application/json' },
        { rel: 'parent', href: './catalog.json', type: 'application/json' },
        { rel: 'collection', href: './catalog.json', type: 'application/json' },
      ],
      assets,
    },
  }
}

/** `contact`: mail or web address. `address`: of the folder, with a slash; '': only known later. */
export function describeDcat(
  facts: Facts,
  { contact, address }: { contact: string | null; address: string },
): object {
  const { state, dataAt, bounds, licences, publishers } = facts
  return {
    '@context': 'https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld',
    '@type': 'dcat:Catalog',
    conformsTo: 'https://project-open-data.cio.gov/v1.1/schema',
    describedBy: 'https://project-open-data.cio.gov/v1.1/schema/catalog.json',
    dataset: [
      {
        '@type': 'dcat:Dataset',
        identifier: `parcels-${state.toLowerCase()}`,
        title: titleOf(facts),
        description: describe(facts),
        keyword: ['parcels', 'cadastre', state],
        modified: dataAt,
        publisher: { '@type': 'org:Organization', name: publishers.join('; ') || 'Not recorded' },
        contactPoint: {
          '@type': 'vcard:Contact',
          fn: publishers[0] ?? 'Not recorded',
          ...(contact === null ? {} : addressOf(contact)),
        },
        accessLevel: 'public',
        rights: licences.join('; ') || 'Not recorded',
        spatial: bounds.join(','),
        distribution: listAssets(facts).map(({ name, type, title }) => ({
          '@type': 'dcat:Distribution',
          ...{ title, mediaType: type, downloadURL: `${address || './'}${name}` },
        })),
      },
    ],
  }
}

/** A contact's mail or web address as vCard has it. */
function addressOf(contact: string): object {
  return /^https?:/.test(contact) ? { hasURL: contact } : { hasEmail: `mailto:${contact}` }
}

export function writeReadme(facts: Facts): string {
  const { parcels, counties, dataAt, licences, publishers, changes } = facts
  const n = (count: number) => count.toLocaleString('en-US')
  const files = listAssets(facts).map(({ name, title }) => `- \`${name}\`: ${title}`)
  const list = (title: string, words: readonly string[]) => {
    const lines = words.length === 0 ? ['Not recorded.'] : words.map((one) => `- ${one}`)
    return `## ${title}\n\n${lines.join('\n')}`
  }
  return `${[
    `# ${titleOf(facts)}`,
    `${n(parcels)} parcels of ${countCounties(counties)}, as loaded at ${dataAt}.`,
    ...(changes === undefined
      ? []
      : [
          `Since the release before: ${n(changes.added)} added, ${n(changes.changed)} changed, ` +
            `${n(changes.removed)} removed.`,
        ]),
    `## Files\n\n${files.join('\n')}`,
    list('Sources', publishers),
    list('Licences', licences),
    'Check it with `platbook release verify DIR --key PUBLIC`.',
  ].join('\n\n')}\n`
}

function titleOf({ state }: Facts): string {
  return `Parcels of ${findState(state)?.name ?? state}`
}

function describe({ parcels, counties }: Facts): string {
  const n = (count: number) => count.toLocaleString('en-US')
  return `${n(parcels)} parcels of ${countCounties(counties)}, from assessors' rolls.`
}
