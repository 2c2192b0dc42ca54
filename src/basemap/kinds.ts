/**
 * What the basemap shows of the Census's features: the layer, the kind and the first zoom of each.
 * Source: MAF/TIGER Feature Class Code Definitions (MTFCC), TIGER/Line technical documentation.
 */

/** Layers of a basemap tile, from the ground up. */
export const LAYERS = ['land', 'water', 'streams', 'boundaries', 'roads', 'places'] as const

export type LayerName = (typeof LAYERS)[number]

/** `zoom`: the first that shows it. */
export type Kind = { layer: LayerName; kind: string; zoom: number }

/** By feature class. Areas begin at a zoom that follows from their size. */
const LINES: Record<string, Kind> = {
  S1100: { layer: 'roads', kind: 'motorway', zoom: 5 },
  S1200: { layer: 'roads', kind: 'main', zoom: 8 },
  S1400: { layer: 'roads', kind: 'street', zoom: 12 },
  S1500: { layer: 'roads', kind: 'track', zoom: 13 },
  S1630: { layer: 'roads', kind: 'ramp', zoom: 12 },
  S1640: { layer: 'roads', kind: 'street', zoom: 13 },
  S1710: { layer: 'roads', kind: 'path', zoom: 14 },
  S1720: { layer: 'roads', kind: 'path', zoom: 14 },
  S1730: { layer: 'roads', kind: 'service', zoom: 14 },
  S1740: { layer: 'roads', kind: 'service', zoom: 13 },
  S1780: { layer: 'roads', kind: 'service', zoom: 14 },
  S1820: { layer: 'roads', kind: 'path', zoom: 14 },
  S1830: { layer: 'roads', kind: 'path', zoom: 14 },
  R1011: { layer: 'roads', kind: 'rail', zoom: 10 },
  R1051: { layer: 'roads', kind: 'rail', zoom: 12 },
  R1052: { layer: 'roads', kind: 'rail', zoom: 12 },
  H3010: { layer: 'streams', kind: 'stream', zoom: 11 },
  H3013: { layer: 'streams', kind: 'stream', zoom: 13 },
  H3020: { layer: 'streams', kind: 'canal', zoom: 12 },
}

/** Kinds of land by the beginning of the feature class. */
const LAND: [string, string][] = [
  ['K218', 'park'],
  ['K2190', 'park'],
  ['K2561', 'park'],
  ['K2582', 'cemetery'],
  ['K2110', 'base'],
  ['K2451', 'airport'],
  ['K2457', 'airport'],
  ['K2540', 'campus'],
  ['K2543', 'campus'],
  ['K1231', 'campus'],
]

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
  return LINES[code]
}

/** Returns how an area of a size in square metres is shown; `undefined`: not at all. */
export function kindOfArea(code: string, squareMeters: number): Kind | undefined {
  const zoom = SIZES.find(([, least]) => squareMeters >= least)?.[0] ?? SMALLEST_ZOOM
  // Wide rivers and canals are areas too.
  if (/^H[23]/.test(code))
    return { layer: 'water', kind: code === 'H2025' ? 'swamp' : 'water', zoom }
  const kind = LAND.find(([start]) => code.startsWith(start))?.[1]
  return kind === undefined ? undefined : { layer: 'land', kind, zoom: Math.max(zoom, 8) }
}

const BOUNDARIES: Record<string, [kind: string, zoom: number]> = {
  G4020: ['county', 4],
  G4040: ['township', 11],
  G4110: ['town', 10],
}

/** Returns how the outline of an administrative area is shown. */
export function kindOfBoundary(code: string): Kind | undefined {
  const found = BOUNDARIES[code]
  return found && { layer: 'boundaries', kind: found[0], zoom: found[1] }
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
