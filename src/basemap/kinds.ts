/** How the basemap shows the Census's features, by MTFCC (TIGER/Line technical documentation). */
import { readTable } from '../base/tables.ts'

/** Layers of a basemap tile, from the ground up. */
export const LAYERS = ['land', 'water', 'streams', 'boundaries', 'roads', 'places'] as const

export type LayerName = (typeof LAYERS)[number]

/** `zoom`: the first that shows it. */
export type Kind = { layer: LayerName; kind: string; zoom: number }

/** By feature class, or by its beginning for land. Areas have no zoom. */
const CLASSES: ReadonlyMap<string, Kind> = new Map(
  readTable('tiger-classes.tsv').map((line) => {
    const [code = '', layer, kind = '', zoom] = line.split('\t')
    return [code, { layer: layer as LayerName, kind, zoom: Number(zoom) }]
  }),
)

/** Square metres from which an area is shown, by zoom. */
const SIZES: [zoom: number, squareMeters: number][] = [
  [5, 2e8],
  [7, 2e7],
  [9, 2e6],
  [11, 2e5],
  [12, 2e4],
]
const SMALLEST_ZOOM = 13

/** Returns how a line is shown; `undefined`: not at all. */
export function kindOfLine(code: string): Kind | undefined {
  return /^[SRH]/.test(code) ? CLASSES.get(code) : undefined
}

/** Returns how an area of a size in square metres is shown; `undefined`: not at all. */
export function kindOfArea(code: string, squareMeters: number): Kind | undefined {
  const zoom = SIZES.find(([, least]) => squareMeters >= least)?.[0] ?? SMALLEST_ZOOM
  // Wide rivers and canals are areas too.
  if (/^H[23]/.test(code))
    return { layer: 'water', kind: code === 'H2025' ? 'swamp' : 'water', zoom }
  const land = [code, code.slice(0, 4)].map((start) => CLASSES.get(start))
  const kind = land.find((one) => one?.layer === 'land')
  return kind && { ...kind, zoom: Math.max(zoom, 8) }
}

/** Returns how the outline of an administrative area is shown. */
export function kindOfBoundary(code: string): Kind | undefined {
  return code.startsWith('G') ? CLASSES.get(code) : undefined
}

/**
 * Returns how a place is named. TIGER has no populations, so the land area and whether a
 * metropolitan area is called after the place decide. `isPrincipal`: it is.
 */
export function kindOfPlace(code: string, squareMeters: number, isPrincipal: boolean): Kind {
  const size = squareMeters / 1e6
  const zoom = size > 120 ? 5 : size > 30 ? 7 : size > 8 ? 9 : 10
  const own = isPrincipal ? zoom - 1 : zoom
  const isTown = code === 'G4110'
  const kind = isTown && zoom <= 7 ? 'city' : isTown ? 'town' : 'hamlet'
  return { layer: 'places', kind, zoom: isTown ? own : Math.max(zoom, 9) + 1 }
}
