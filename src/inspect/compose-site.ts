/** Where a parcel lies: its address and its coordinates. */
import type { Board } from './board.ts'
import type { Guess } from './guess.ts'
import { findProjection } from './projections.ts'

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
    const value = { join: [column, { column: high.subject.name, nulls: ['0'] }], with: '-' }
    board.add('fields', 'streetNumber', value, [number], `up to ${high.subject.name}`)
  } else if (fraction !== undefined) {
    const value = { join: [column, fraction.subject.name] }
    board.add('fields', 'streetNumber', value, [number], `with ${fraction.subject.name}`)
  } else board.put('fields', 'streetNumber', number)
}

export type PointRule = { epsg: number; x: string; y: string; why: string; certainty: number }

/** The roll's own degrees; else planar coordinates and the projection in which they lie in the state. */
export function composePoint(board: Board, state: string | undefined): PointRule | undefined {
  const [latitude, longitude] = [board.look('latitude'), board.look('longitude')]
  if (latitude !== undefined && longitude !== undefined) {
    board.put('fields', 'latitude', latitude)
    board.put('fields', 'longitude', longitude)
    return undefined
  }
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
