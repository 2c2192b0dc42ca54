/** Draws persons with realistic name frequencies. */
import {
  MEN,
  SURNAME_ENDS,
  SURNAME_MIDDLES,
  SURNAME_STARTS,
  SURNAMES,
  WOMEN,
} from './name-lists.ts'
import { type Random, Ranks } from './random.ts'
import type { RollStyle } from './roll-style.ts'

export type Person = {
  surname: string
  given: string
  /** An initial, a second given name or `''`. */
  middle: string
  /** `JR`, `III` or `''`. */
  suffix: string
}

export function drawPerson(random: Random, style: RollStyle, woman: boolean): Person {
  return {
    surname: drawSurname(random, style),
    ...drawGiven(random, woman),
    suffix: !woman && random.chance(0.025) ? random.pick(['JR', 'JR', 'SR', 'II', 'III']) : '',
  }
}

/** Draws a given name, and a middle one for two in three persons. */
export function drawGiven(random: Random, woman: boolean): Pick<Person, 'given' | 'middle'> {
  const given = drawGivenName(random, woman)
  const kind = random.unit()
  if (kind < 0.35) return { given, middle: '' }
  if (kind < 0.88) return { given, middle: LETTERS[random.below(LETTERS.length)] ?? '' }
  return { given, middle: drawGivenName(random, woman) }
}

/** One person in a hundred has the commonest surname; rare ones are composed of syllables. */
export function drawSurname(random: Random, style: RollStyle): string {
  if (random.chance(style.regionalShare)) {
    const name = style.regionalSurnames[REGIONAL_RANKS.draw(random)]
    if (name !== undefined) return name
  }
  const rank = SURNAME_RANKS.draw(random)
  const name = SURNAMES[rank] ?? composeSurname(rank - SURNAMES.length)
  // Some offices write the particle separately.
  return name.startsWith('MC') && random.chance(0.1) ? `MC ${name.slice(2)}` : name
}

/** Formats surname first, as all of the sample: `SMITH, JOHN A JR` or `SMITH JR JOHN A`. */
export function writePerson(person: Person, style: RollStyle): string {
  const given = writeGiven(person)
  const comma = style.comma ? ',' : ''
  if (person.suffix === '') return `${person.surname}${comma} ${given}`
  return style.suffixFirst
    ? `${person.surname} ${person.suffix}${comma} ${given}`
    : `${person.surname}${comma} ${given} ${person.suffix}`
}

export function writeGiven({ given, middle }: Person): string {
  return middle === '' ? given : `${given} ${middle}`
}

const LETTERS = 'AAABBCCDDEEEFGHIJJJKKLLLMMMMNOPPRRRSSTTVWW'

const TAIL = SURNAME_STARTS.length * SURNAME_MIDDLES.length * SURNAME_ENDS.length
/**
 * The first of 134,000 has 1.1 %, the hundredth 0.1 %, the thousandth 0.01 %; the 1990 Census
 * counted 1.0, 0.13 and 0.012.
 */
const SURNAME_RANKS = new Ranks(SURNAMES.length + TAIL, 9)
const GIVEN_RANKS = new Ranks(WOMEN.length, 6)
const REGIONAL_RANKS = new Ranks(60, 12)

function drawGivenName(random: Random, woman: boolean): string {
  const rank = GIVEN_RANKS.draw(random)
  return (woman ? WOMEN[rank] : MEN[rank]) ?? 'LEE'
}

/** Spreads neighbouring ranks over the alphabet: prime to the number of combinations. */
const STEP = 75_979

function composeSurname(rank: number): string {
  const at = (rank * STEP) % TAIL
  const start = SURNAME_STARTS[at % SURNAME_STARTS.length]
  const rest = Math.floor(at / SURNAME_STARTS.length)
  const middle = SURNAME_MIDDLES[rest % SURNAME_MIDDLES.length]
  const end = SURNAME_ENDS[Math.floor(rest / SURNAME_MIDDLES.length)]
  return `${start}${middle}${end}`
}
