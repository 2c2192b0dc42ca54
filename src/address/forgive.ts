/** Decides whether the only difference of two strict keys of one loose key is forgiven. Pure. */
import { DIRECTIONS, directionalOf } from './parse/directionals.ts'
import { joinName as join, ordinalDigits } from './parse/number-words.ts'
import { isPlainSuffix, primaryOf } from './parse/suffixes.ts'

type Forgiveness = 'directional' | 'suffix' | 'spacing'

type KeyParts = ReturnType<typeof splitKey>

/** Splits a strict key; absent parts are `''`. */
export function splitKey(key: string) {
  const [number = '', predirectional = '', name = '', suffix = '', postdirectional = ''] =
    key.split('|')
  return { number, predirectional, name, suffix, postdirectional }
}

/** Returns a strict key as a person reads it: `12 N MAIN ST`. */
export function showKey(key: string): string {
  return key.replaceAll(/\|+/g, ' ').trim()
}

/** Order in which missing parts are forgiven, one at a time. */
export const FORGIVING_ORDER: readonly Forgiveness[] = ['directional', 'suffix', 'spacing']

/**
 * Returns the single difference between two strict keys of one loose key: a directional or suffix
 * missing on one side, or words split or joined. `undefined` for several differences, or for parts
 * that differ.
 *
 * @example forgive('9||RIDGE VIEW|DR|', '9||RIDGEVIEW|DR|') // 'spacing'
 */
export function forgive(askedKey: string, recordedKey: string): Forgiveness | undefined {
  if (askedKey === '' || recordedKey === '' || askedKey === recordedKey) return undefined
  const asked = splitKey(askedKey)
  const recorded = splitKey(recordedKey)
  const sameDirections =
    asked.predirectional === recorded.predirectional &&
    asked.postdirectional === recorded.postdirectional
  const sameNumber = asked.number === recorded.number
  if (sameNumber && asked.suffix === recorded.suffix) {
    if (asked.name === recorded.name)
      return missesOneDirection(asked, recorded) ? 'directional' : undefined
    // Asked `E NORTH SHORE DR` is not the `N SHORE DR`.
    const isSame = asked.predirectional === recorded.predirectional
    if (hasDirectionInName(asked, recorded) || (isSame && hasDirectionInName(recorded, asked)))
      return 'directional'
  }
  if (sameNumber && sameDirections && missesSuffix(asked, recorded)) return 'suffix'
  return joinsTo(asked, recorded) ? 'spacing' : undefined
}

/**
 * Reports whether a recorded address has what another one lacks and the asked one has otherwise:
 * beside `9 OAK ST S`, the record `9 OAK ST` is not `9 N OAK ST`.
 */
export function divides(otherKey: string, recordedKey: string, askedKey: string): boolean {
  if (otherKey === recordedKey) return false
  const [other, recorded, asked] = [splitKey(otherKey), splitKey(recordedKey), splitKey(askedKey)]
  if (other.number !== recorded.number || other.name !== recorded.name) return false
  const isAdded = ({ predirectional, postdirectional }: KeyParts) =>
    (recorded.predirectional === '' && predirectional !== '') ||
    (recorded.postdirectional === '' && postdirectional !== '')
  if (other.suffix === recorded.suffix) return isAdded(other) && isAdded(asked)
  return recorded.suffix === '' && asked.suffix !== '' && !isAdded(other)
}

/** Reports whether exactly one directional is missing on one side and the other one is equal. */
function missesOneDirection(asked: KeyParts, recorded: KeyParts): boolean {
  const before = isAbsentOnOneSide(asked.predirectional, recorded.predirectional)
  const after = isAbsentOnOneSide(asked.postdirectional, recorded.postdirectional)
  if (before) return asked.postdirectional === recorded.postdirectional
  return after && asked.predirectional === recorded.predirectional
}

/** `7300 SOUTH SHORE DR` and `7300 S SOUTH SHORE DR` */
function hasDirectionInName(short: KeyParts, long: KeyParts): boolean {
  const isPlain = long.predirectional !== '' && short.postdirectional + long.postdirectional === ''
  return isPlain && short.predirectional !== '' && directionName(short) === long.name
}

/** Reports whether only the place of a direction differs: `N 4TH ST` and `4TH ST N`. */
export function isMoved(askedKey: string, recordedKey: string): boolean {
  const [number, before, name, suffix, after] = askedKey.split('|')
  const isOneSided = (before === '') !== (after === '')
  return isOneSided && recordedKey === [number, after, name, suffix, before].join('|')
}

function isAbsentOnOneSide(one: string, other: string): boolean {
  return one !== other && (one === '' || other === '')
}

/** `MAIN` and `MAIN ST`; `77` and `77TH ST`; `MILL CREEK` (a creek) and `MILL CREEK RD`. */
function missesSuffix(asked: KeyParts, recorded: KeyParts): boolean {
  if (isAbsentOnOneSide(asked.suffix, recorded.suffix))
    return (
      // `BROADWAY TER` is not Broadway, which is whole without a suffix.
      (!WHOLE.test(asked.name) || ADDED.test(asked.suffix + recorded.suffix)) &&
      (ordinalDigits(asked.name) ?? asked.name) === (ordinalDigits(recorded.name) ?? recorded.name)
    )
  if (asked.suffix === '' || recorded.suffix === '') return false
  // `MAIN ST` is not short for `MAIN ST EXT`. Only words for land or water often end a name.
  return isNameEnding(asked, recorded) || isNameEnding(recorded, asked)
}

const WHOLE = /^(?:BROADWAY$|(?:AVENUE|CALLE|CAMINO|PASEO|VIA|RUE) )/
const ADDED = /^(?:ST|AVE|RD|BLVD)$/

function isNameEnding(short: KeyParts, long: KeyParts): boolean {
  return !isPlainSuffix(short.suffix) && wholeName(short) === long.name
}

/**
 * Name and suffix as one name; `undefined` for a view named West, whose loose key is `WEST`, while
 * that of `WEST VIEW ST` is `VIEW`.
 */
function wholeName({ name, suffix }: KeyParts): string | undefined {
  return directionalOf(name) === undefined ? `${name} ${primaryOf(suffix)}` : undefined
}

/** Reports whether both have the same letters, split differently into their parts. */
function joinsTo(asked: KeyParts, recorded: KeyParts): boolean {
  if (asked.postdirectional !== recorded.postdirectional) return false
  const sameSuffix = asked.suffix === recorded.suffix
  const sameDirection = asked.predirectional === recorded.predirectional
  if (sameSuffix && sameDirection) {
    if (asked.number === recorded.number) return join(asked.name) === join(recorded.name)
    return isElision(asked, recorded) || isElision(recorded, asked)
  }
  if (asked.number !== recorded.number) return false
  if (sameSuffix)
    return (
      (recorded.predirectional === '' && join(directionName(asked)) === join(recorded.name)) ||
      (asked.predirectional === '' && join(directionName(recorded)) === join(asked.name))
    )
  if (!sameDirection) return false
  // `GLEN PARK WAY` and `GLEN PKWY`, `BROAD WAY` and `BROADWAY`
  const [one, other] = [wholeName(asked), wholeName(recorded)]
  return one !== undefined && other !== undefined && join(one) === join(other)
}

/** `123 O BRIEN DR`, read as number 123O, is `123 O'BRIEN DR`. */
function isElision(split: KeyParts, whole: KeyParts): boolean {
  const lettered = /^(\d+)([DLO])$/.exec(split.number)
  return (
    lettered !== null &&
    lettered[1] === whole.number &&
    (lettered[2] ?? '') + join(split.name) === join(whole.name)
  )
}

function directionName(parts: KeyParts): string {
  return `${DIRECTIONS.get(parts.predirectional) ?? ''} ${parts.name}`
}
