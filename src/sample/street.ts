/**
 * Streets of a county: realistic name frequencies, and no house number of a street assigned twice.
 */
import { STREET_ENDS, STREET_NAMES, STREET_STARTS } from './name-lists.ts'
import { type Random, Ranks, weighted } from './random.ts'
import type { Layout, RollStyle } from './roll-style.ts'
import { streetSuffixes } from './tables.ts'

/** A part of a street with its first plain number. */
type Stretch = { street: string; from: number }

/** Remembers the streets of a city, so that no house number is assigned twice. */
export class Streets {
  readonly #style: RollStyle
  readonly #random: Random
  /**
   * By city and street, the first unassigned number. Grows with the streets, not with the parcels.
   */
  readonly #next = new Map<string, number>()

  constructor(style: RollStyle, random: Random) {
    this.#style = style
    this.#random = random
  }

  /** Returns the next `numbers` house numbers of some street in the city, new or already used. */
  claim(city: string, layout: Layout, numbers: number): Stretch {
    const [low, high] = layout === 'rural' ? this.#style.ruralNumbers : TOWN_NUMBERS
    for (;;) {
      const street = this.#draw(layout)
      const key = `${city}|${street}`
      const blocks = Math.floor((high - low) / 400)
      const from = this.#next.get(key) ?? low + 100 * this.#random.below(blocks)
      const next = from + Math.ceil(numbers / 100) * 100
      if (next > high) continue
      this.#next.set(key, next)
      return { street, from }
    }
  }

  #draw(layout: Layout): string {
    const style = this.#style
    const random = this.#random
    const own =
      layout === 'rural'
        ? style.ruralRoad(random)
        : layout === 'strip'
          ? random.pick(style.stripStreets)
          : style.street(layout, random)
    // Highways fill up in a large sample; an ordinary name sometimes lets every claim end.
    if (own !== '' && random.chance(0.9)) return own
    return ordinaryStreet(layout, random)
  }
}

const TOWN_NUMBERS = [100, 14_000] as const
const NAME_RANKS = new Ranks(STREET_NAMES.length, 5)
const drawSuffix = weighted(streetSuffixes)

function ordinaryStreet(layout: Layout, random: Random): string {
  const name = streetName(layout, random)
  const points = POINTS[layout] ?? 0
  const before = random.chance(points) ? `${random.pick(['N', 'S', 'E', 'W'])} ` : ''
  const after = before === '' && random.chance(0.01) ? ` ${random.pick(['N', 'S', 'E', 'W'])}` : ''
  if (name === 'BROADWAY') return `${before}${name}`
  const suffix =
    layout === 'rural' ? random.pick(['RD', 'RD', 'RD', 'LN', 'DR']) : drawSuffix(random)
  return `${before}${name} ${suffix}${after}`
}

/** Share of streets with a direction before their name. */
const POINTS: Partial<Record<Layout, number>> = {
  town: 0.3,
  strip: 0.4,
  subdivision: 0.05,
  condo: 0.1,
}

function streetName(layout: Layout, random: Random): string {
  const share = random.unit()
  const known = layout === 'town' || layout === 'strip' ? 0.62 : 0.25
  if (share < known) return STREET_NAMES[NAME_RANKS.draw(random)] ?? 'MAIN'
  if (layout === 'town' && share < known + 0.14)
    return ORDINALS[random.below(ORDINALS.length)] ?? '1ST'
  const start = random.pick(STREET_STARTS)
  const end = random.pick(STREET_ENDS)
  return end.length < 6 && random.chance(0.45) ? start + end : `${start} ${end}`
}

const ORDINALS = (
  '1ST 2ND 3RD 4TH 5TH 6TH 7TH 8TH 9TH 10TH 11TH 12TH 13TH 14TH 15TH 16TH FIRST ' +
  'SECOND THIRD FOURTH'
).split(/\s+/)
