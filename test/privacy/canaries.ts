/**
 * A roll with invented people in every field that may name them, and every output of Platbook, so
 * that a test finds where a suppressed person is still shown.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { showMetrics } from '../../src/base/metrics.ts'
import type { Command } from '../../src/cli/command.ts'
import { enrichCommand } from '../../src/cli/commands/rolls/enrich.ts'
import { explainCommand } from '../../src/cli/commands/rolls/explain.ts'
import { exportCommand } from '../../src/cli/commands/rolls/export.ts'
import * as suppressCommands from '../../src/cli/commands/rolls/suppress.ts'
import * as auditCommands from '../../src/cli/commands/service/audit.ts'
import { backupCommand } from '../../src/cli/commands/store/backup.ts'
import { checkCommand } from '../../src/cli/commands/store/check.ts'
import { tileAt } from '../../src/geo/tile.ts'
import { CLUSTER } from '../citus-cluster.ts'
import { runCommand } from '../command.ts'
import type { Person, RunningConsole } from '../console/running-console.ts'
import type { TestService } from '../service.ts'

type Properties = Record<string, string | number>

/** Words of owners, their mailing addresses and the sellers; they occur nowhere else. */
export const OWNER_WORDS = ['ZYXWELL', 'QAZMER', 'VORTIGAN', 'WUTHLINE', 'CARROWEN']
/** Words of the home. */
export const HOME_WORDS = ['PLUMFIRTH', 'OAKHALLOW']
/** Longitudes of the home's point and of its polygon. */
export const HOME_PLACE = ['-89.39987', '-89.39967']

/** Stands for the home's property ID on a tile, which shows the place of the home. */
export const HOME_ON_TILE = 'THE HOME IS ON THE TILE'

const lot = (at: number) => {
  const [west, south] = [-89.39987 + at * 0.0004, 43.07013]
  const [east, north] = [west + 0.0004, south + 0.0004]
  const ring = [
    ...[
      [west, south],
      [east, south],
      [east, north],
    ],
    ...[
      [west, north],
      [west, south],
    ],
  ]
  return { type: 'Polygon', coordinates: [ring] }
}

const house: Properties = {
  ...{ city: 'Madison', zipCode: '53703', useCode: '1001', buildingArea: 1500 },
  ...{ totalBedrooms: 3, totalBathrooms: 2, yearBuilt: 1990, transferDate: '2025-12-01' },
  ...{ transferPrice: 300_000, totalAssessedValue: 300_000 },
}

const canary: Properties = {
  ...house,
  ...{ ownerName1: 'ZYXWELL, QAZMER J', ownerName2: 'VORTIGAN, MARA L' },
  ...{ ownerCareOf: 'VORTIGAN TAX SERVICE', ownerAddressLine1: '9 WUTHLINE WAY' },
  ...{ ownerCity: 'CARROWEN', ownerState: 'WI', ownerZipCode: '53999' },
  ...{ grantor: 'VORTIGAN, MARA L', grantee: 'ZYXWELL QAZMER J' },
  legalDesc: 'LOT 4, CONVEYED TO ZYXWELL, QAZMER J',
  REMARK: 'sold to Qazmer Zyxwell in 2021',
  MAILTO: '9 Wuthline Way, Carrowen',
  SITUS: '100 Plumfirth St, Madison',
}

/** Somebody else's parcel may name them, too. */
export const NAMED_ELSEWHERE: Properties = {
  ...{ grantor: 'QAZMER J ZYXWELL', grantee: 'HARLOW, MARA', ownerCareOf: 'C/O MARA VORTIGAN' },
  ...{ ownerAddressLine1: '102 Plumfirth Street', REMARK: 'Zyxwell Qazmer J' },
}

const feature = (parcelId: string, at: number, properties: Properties) => ({
  type: 'Feature',
  properties: {
    ...{ state: 'WI', county: 'Dane', parcelId },
    ...{ REMARK: '', MAILTO: '', SITUS: '', grantor: '', grantee: '', ownerName2: '' },
    ...{ latitude: 43.07013 + 0.0002, longitude: -89.39987 + at * 0.0004 + 0.0002 },
    ...properties,
  },
  geometry: lot(at),
})

/**
 * The roll as GeoJSON. `remark`: distinguishes it from the previous one; `hasHidden`: whether it
 * has the people to suppress; `onOther`: further fields of another owner's parcel.
 */
export function canaryRoll(remark = '', hasHidden = true, onOther: Properties = {}): string {
  const trust = 'ZYXWELL QAZMER REVOCABLE TRUST'
  const features = [
    feature('HIDE-1', 0, {
      ...canary,
      address: '100 PLUMFIRTH ST',
      altAddresses: '7 OAKHALLOW CT',
      neighborhood: 'NEAR 100 PLUMFIRTH ST',
    }),
    feature('HIDE-2', 1, { ...canary, address: '102 PLUMFIRTH ST', ownerName1: trust }),
    feature('OPEN-1', 2, { ...house, address: '200 ELM ST', ownerName1: 'HARLOW, PAUL' }),
    feature('OPEN-2', 3, {
      ...house,
      address: '202 ELM ST',
      ownerName1: 'HARLOW, MARA',
      ...onOther,
    }),
    feature('OPEN-3', 4, { ...house, address: '204 ELM ST', REMARK: remark }),
  ]
  return JSON.stringify({ type: 'FeatureCollection', features: features.slice(hasHidden ? 0 : 2) })
}

/** The output of each place, by its name. */
export type Shown = Map<string, string>

/** Questions to the operations. None holds a canary whole, since an answer may repeat it. */
const ID = 'state=WI&county=Dane&parcelId=HIDE-1'
const NEAR = 'latitude=43.07031&longitude=-89.39961'
const QUESTIONS: [path: string, query: string][] = [
  ['property/address', 'state=WI&address=100+Plumfrth+St'],
  ['property/address', 'state=WI&address=100+Plumfrth+St&explain=true'],
  ['property/address', 'state=WI&address=100+Plumfrth&candidates=true'],
  ['property/address', 'state=WI&address=7+Oakhalow+Ct'],
  ['property/parcelId', ID],
  ['property/parcelId', `${ID.toLowerCase().replace('parcelid', 'parcelId')}&explain=true`],
  ['property/parcelId', 'state=WI&county=Dane&parcelId=OPEN-2&explain=true'],
  ['property/search', 'state=WI&limit=100'],
  ['property/search', 'state=WI&limit=100&cursor='],
  ['property/search', 'state=WI&county=Dane&zipCode=53703&limit=100'],
  ['premium/owner', 'state=WI&lastName=zyxwel&fuzzy=true'],
  ['premium/owner', 'state=WI&lastName=zyxwel&fuzzy=true&firstName=q&explain=true'],
  ['premium/owner', 'state=WI&lastName=vortigam&fuzzy=true&explain=true'],
  ['premium/owner', 'state=WI&nameContains=qazmr&fuzzy=true'],
  ['property/owner', 'state=WI&lastName=zyxwel&fuzzy=true'],
  ['property/location', `${NEAR}&radius=0.5`],
  ['property/point', NEAR],
  ['property/shape', 'bbox=-89.41,43.06,-89.39,43.08'],
  ['property/abutters', 'propertyId=55025-OPEN-1'],
  ['property/abutters', 'propertyId=55025-HIDE-1'],
  ['premium/comparables', `${NEAR}&radius=2&timeFrame=60`],
  ['premium/comparables', 'propertyId=55025-OPEN-1&radius=2&timeFrame=60'],
  ['premium/portfolio', 'propertyId=55025-HIDE-2'],
  ['premium/portfolio', 'propertyId=55025-HIDE-2&explain=true'],
  ['coverage', ''],
  ['changes', 'state=WI'],
  ['usage', ''],
  ['tiles.json', ''],
]
/** From the county down to the lot; the last shows lots. */
const TILES = [6, 10, 13, 16].map((z) => {
  const { x, y } = tileAt([-89.39961, 43.07031], z)
  return `${z}/${x}/${y}`
})

const CONSOLE_PATHS = [
  ...['/map', '/near.json?latitude=43.07031&longitude=-89.39961', '/coverage', '/coverage.json'],
  ...['/coverage/55025', '/imports', '/accounts', '/operation', '/operation.json', '/privacy'],
  ...['/search?q=100+plumfrth+st', '/search?q=zyxwel', '/search?q=HIDE-1', '/search?q=202+elm+st'],
  ...['/search.csv?q=HIDE-1', '/suggest?q=100+pl', '/suggest?q=7+oa'],
  ...['/card.json?propertyId=55025-HIDE-1', '/card.json?propertyId=55025-HIDE-2'],
  ...['/parcel?propertyId=55025-HIDE-1', '/privacy?parcel=55025-HIDE-1'],
  ...['neighbours', 'comparables', 'portfolio'].map(
    (more) => `/parcel/${more}?propertyId=55025-HIDE-2`,
  ),
]

const TOOLS: [name: string, given: Record<string, unknown>][] = [
  ['address_lookup', { state: 'WI', address: '100 Plumfrth St' }],
  ['parcel_lookup', { state: 'WI', county: 'Dane', parcelId: 'HIDE-1' }],
  ['property_search', { state: 'WI' }],
  ['owner_search', { state: 'WI', lastName: 'zyxwel', fuzzy: true }],
  ['location_search', { latitude: 43.07031, longitude: -89.39961, radius: 0.5 }],
  ['comparables', { latitude: 43.07031, longitude: -89.39961, radius: 2, timeFrame: 60 }],
  ['portfolio', { propertyId: '55025-HIDE-2' }],
]

/** Requests every output. Answers of the API include their headers. */
export async function askEverywhere(
  { service, address }: RunningConsole,
  person: Person,
): Promise<Shown> {
  const shown: Shown = new Map()
  const { data } = service.config
  await askApi(service, shown)
  const key = await service.keyFor()
  for (const tile of TILES) shown.set(`tile ${tile}`, await askTile(service.address, tile, key))
  await askTools(service.address, key, shown)
  for (const path of CONSOLE_PATHS) {
    const page = await person.get(path)
    assert.ok(page.status < 400 || page.status === 404, `${path}: ${page.status}`)
    // The page repeats the query in its box and links.
    shown.set(`console ${path}`, await page.text())
  }
  shown.set('console tile', await askTile(address, TILES.at(-1) ?? '', person.cookie, '/tiles/'))
  await writeFiles(data, shown)
  for (const command of [...Object.values(auditCommands), checkCommand])
    await tell(command, data, shown)
  const [list] = Object.values(suppressCommands).filter(({ name }) => name === 'suppress list')
  if (list !== undefined) await tell(list, data, shown)
  const words = ['address', '100 Plumfrth St', '--state', 'WI']
  await tell(explainCommand, data, shown, words)
  await tell(explainCommand, data, shown, ['owner', 'zyxwel', '--state', 'WI', '--fuzzy'])
  shown.set('log of the service', service.logged.join('\n'))
  shown.set('metrics', await showMetrics([await service.observe.read()]))
  return shown
}

/** Every question to the API, in every shape of answers. */
export async function askApi(service: TestService, shown: Shown): Promise<void> {
  const shapes = [
    ['nested', { responseShape: 'nested' }],
    ['flat', { responseShape: 'flat' }],
    ['omit', { responseShape: 'flat', emptyFields: 'omit' }],
  ] as const
  for (const [shape, facts] of shapes) {
    const key = await service.keyFor(facts)
    for (const [path, query] of QUESTIONS) {
      const { status, text, headers } = await service.get(`/public/${path}/`, query, { key })
      assert.ok(status < 500 && status !== 400, `${path}?${query}: ${status} ${text}`)
      shown.set(`API ${shape} ${path}?${query}`, `${text}\n${[...headers].join('\n')}`)
    }
    shown.set(`API ${shape} batch`, await askBatch(service.address, key))
  }
}

async function askBatch(address: string, key: string): Promise<string> {
  const rows = [
    { state: 'WI', address: '100 Plumfrth St', explain: true },
    { state: 'WI', county: 'Dane', parcelId: 'HIDE-1', explain: true },
    { latitude: 43.07031, longitude: -89.39961 },
  ]
  const headers = { authorization: key, 'content-type': 'application/json' }
  const body = JSON.stringify(rows)
  return (await fetch(`${address}/public/batch/`, { method: 'POST', headers, body })).text()
}

/** Texts are unchanged within a tile. */
async function askTile(address: string, tile: string, key: string, path = '/public/tiles/') {
  const headers = path === '/tiles/' ? { cookie: key } : { authorization: key }
  const response = await fetch(`${address}${path}${tile}`, { headers })
  assert.ok(response.ok, `${tile}: ${response.status}`)
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  return text.replace('55025-HIDE-1', HOME_ON_TILE)
}

async function askTools(address: string, key: string, shown: Shown): Promise<void> {
  const client = new Client({ name: 'test', version: '1' })
  const headers = { authorization: `Bearer ${key}` }
  const url = new URL(`${address}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  for (const [name, given] of TOOLS) {
    const result = await client.callTool({ name, arguments: given })
    shown.set(`MCP ${name}`, JSON.stringify(result))
  }
  await client.close()
}

/** Exports, an enrichment and a backup, in a folder that is deleted afterwards. */
async function writeFiles(data: string, shown: Shown): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'platbook-canaries-'))
  try {
    for (const format of ['csv', 'geojsonl', 'parquet']) {
      const out = join(folder, `export.${format}`)
      const words = ['--state', 'WI', '--format', format, '--out', out]
      await tell(exportCommand, data, shown, words)
      shown.set(`export ${format}`, readFileSync(out, 'latin1'))
      if (format === 'parquet') shown.set('export parquet rows', await readParquet(out))
    }
    const list = join(folder, 'list.csv')
    writeFileSync(list, 'parcelId,county,state\nHIDE-1,Dane,WI\nHIDE-2,Dane,WI\n')
    const out = join(folder, 'enriched.csv')
    await tell(enrichCommand, data, shown, [list, '--out', out])
    shown.set('enrichment', readFileSync(out, 'utf8'))
    // A cluster is backed up by its own means.
    if (CLUSTER !== undefined) return
    const backup = join(folder, 'backup')
    await tell(backupCommand, data, shown, [backup])
    for (const name of readdirSync(backup, { recursive: true }) as string[]) {
      const path = join(backup, name)
      if (statSync(path).isFile()) shown.set(`backup ${name}`, readFileSync(path, 'latin1'))
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function readParquet(path: string): Promise<string> {
  const file = await asyncBufferFromFile(path)
  const rows = await parquetReadObjects({ file, compressors })
  return JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

/** A command's own words, with `--json` and without. */
async function tell(command: Command, data: string, shown: Shown, words?: string[]) {
  const given = words ?? wordsOf(command)
  if (given === undefined) return
  const isOnce = ['backup', 'enrich', 'export'].includes(command.name)
  for (const more of isOnce ? [[]] : [[], ['--json']]) {
    const { out, err } = await runCommand(command, [...given, ...more], { data })
    shown.set(`command ${command.name} ${[...given, ...more].join(' ')}`, `${out}\n${err}`)
  }
}

function wordsOf({ name }: Command): string[] | undefined {
  if (name === 'audit who-saw') return ['55025-HIDE-1']
  if (name === 'audit account') return ['acc_1']
  return []
}
