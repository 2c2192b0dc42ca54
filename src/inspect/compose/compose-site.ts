/** Where a parcel lies: its address and its coordinates. */

import { type Guess, scoreField } from '../recognize/guess.ts'
import { findProjection } from '../sample/projections.ts'
import type { Board } from './board.ts'

export function composeSite(board: Board): void {
  composeLine(board)
  board.put('fields', 'unitNumberStripped', board.look('unitNumberStripped'))
  board.put('fields', 'unitType', board.look('unitType'))
  const place = board.look('cityStateZip')
  const city = board.look('city')
  board.put('fields', 'city', city)
  if (city === undefined) board.put('fields', 'cityStateZip', place)
  board.put('fields', 'zipCode', board.look('zipCode'))
  board.put('fields', 'zipCodePlusFour', board.look('zipCodePlusFour'))
}

function composeLine(board: Board): void {
  const line = board.look('address')
  const number = board.look('streetNumber')
  const street = board.look('streetName')
  if (line !== undefined && line.subject.contents.address >= 0.3) {
    const oneLine = line.subject.contents.oneLine > 0.4
    const note = oneLine ? 'city or ZIP stand in the same line' : ''
    board.put('fields', oneLine ? 'addressFull' : 'address', line, {}, note)
    return
  }
  if (number === undefined || (street === undefined && line === undefined)) {
    board.put('fields', 'address', line)
    if (line === undefined) board.put('fields', 'streetName', street)
    return
  }
  composeNumber(board, number)
  board.put('fields', 'streetDirectionPrefix', board.look('streetDirectionPrefix'))
  board.put('fields', 'streetName', street ?? line)
  board.put('fields', 'streetType', board.look('streetType'))
  board.put('fields', 'streetDirectionSuffix', board.look('streetDirectionSuffix'))
}

/** A range of numbers is `100-104`, a fraction stands behind the number. */
function composeNumber(board: Board, number: Guess): void {
  const [high, fraction] = [board.look('streetNumberHigh'), board.look('streetFraction')]
  const column = { column: number.subject.name, nulls: ['0'] }
  if (high !== undefined) {
    const value = {
      join: [column, { column: high.subject.name, nulls: ['0'] }],
      with: '-',
      // Where there is one number, some rolls write it twice.
      replace: [{ pattern: '^(\\d+)-\\1$', with: '$1' }],
    }
    board.add('fields', 'streetNumber', value, [number], `up to ${high.subject.name}`)
  } else if (fraction !== undefined) {
    const value = { join: [column, fraction.subject.name] }
    board.add('fields', 'streetNumber', value, [number], `with ${fraction.subject.name}`)
  } else board.put('fields', 'streetNumber', number)
}

export type PointRule = { epsg: number; x: string; y: string; why: string; certainty: number }

/** The roll's own degrees; else planar coordinates and the projection in which they lie in the state. */
export function composePoint(board: Board, state: string | undefined): PointRule | undefined {
  const [latitude, longitude] = degreesOf(board)
  if (latitude !== undefined && longitude !== undefined) {
    board.put('fields', 'latitude', latitude)
    board.put('fields', 'longitude', longitude)
    return undefined
  }
  if (composePointText(board)) return undefined
  const [x, y] = [board.look('x'), board.look('y')]
  if (x === undefined || y === undefined) return undefined
  const points = board.sample.kept
    .map((row) => [Number(row[x.subject.index]), Number(row[y.subject.index])] as const)
    .filter(([east, north]) => east !== 0 && north !== 0 && Number.isFinite(east + north))
  const found = findProjection(points, state)
  if (found === undefined) return undefined
  return {
    epsg: found.epsg,
    x: x.subject.name,
    y: y.subject.name,
    certainty: Math.min(x.certainty, y.certainty, found.certainty),
    why: `${found.name}: ${found.why}`,
  }
}

/** Some files have them the wrong way round. */
function degreesOf(board: Board): (Guess | undefined)[] {
  const own = [board.look('latitude'), board.look('longitude')]
  if (own.every((guess) => guess !== undefined)) return own
  const named = ['latitude', 'longitude'].map((word) =>
    board.subjects.find(({ meaning }) => meaning.words.join() === word),
  )
  const [latitude, longitude] = named
  if (latitude === undefined || longitude === undefined) return own
  const swapped =
    scoreField('longitude', latitude).byContents * scoreField('latitude', longitude).byContents
  if (swapped < 0.5) return own
  return [longitude, latitude].map((subject, at) => ({
    field: at === 0 ? 'latitude' : 'longitude',
    subject,
    certainty: 0.8,
    byName: 0.5,
    byContents: 1,
  }))
}

/** Points written as one text: `POINT (-122.4 37.7)`, `(37.7, -122.4)`. */
const POINT_TEXTS = [
  {
    pattern: /^POINT ?\((-?\d+\.\d+) (-?\d+\.\d+)\)$/i,
    longitude: '^POINT ?\\((-?[\\d.]+)',
    latitude: '^POINT ?\\(\\S+ (-?[\\d.]+)',
  },
  {
    pattern: /^\(?(\d{2}\.\d+), ?(-\d+\.\d+)\)?$/,
    latitude: '^\\(?([\\d.]+)',
    longitude: ', ?(-[\\d.]+)',
  },
]

function composePointText(board: Board): boolean {
  for (const subject of board.subjects) {
    const { texts } = subject.contents
    const found = POINT_TEXTS.find(
      ({ pattern }) =>
        texts.length > 0 && texts.filter((text) => pattern.test(text)).length > texts.length * 0.9,
    )
    const [, a = '', b = ''] = found?.pattern.exec(texts[0] ?? '') ?? []
    if (found === undefined || Math.max(Math.abs(Number(a)), Math.abs(Number(b))) > 180) continue
    for (const field of ['latitude', 'longitude'] as const) {
      const guess = { field, subject, certainty: 0.9, byName: 0, byContents: 1 }
      board.put('fields', field, guess, { cut: found[field] }, 'cut out of a point')
    }
    return true
  }
  return false
}
