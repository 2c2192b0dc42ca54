import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDrawing } from '../../geo/drawing.ts'
import { Fabric } from './fabric.ts'

const SIDE = 0.0005

/** The text of a square lot in a grid; `hole`: with a square hole of half its side. */
function lot(column: number, row: number, { side = SIDE, hole = false } = {}): string {
  const [west, south] = [-96.7 + column * SIDE, 40.8 + row * SIDE]
  const square = (x: number, y: number, length: number) => [
    ...[
      [x, y],
      [x + length, y],
      [x + length, y + length],
      [x, y + length],
      [x, y],
    ],
  ]
  const inner = square(west + side / 4, south + side / 4, side / 2)
  const coordinates = [square(west, south, side), ...(hole ? [inner] : [])]
  return JSON.stringify({ type: 'Polygon', coordinates })
}

function compare(lots: readonly string[]) {
  const fabric = new Fabric()
  for (const [owner, text] of lots.entries()) {
    const drawing = readDrawing(text)
    if (drawing !== undefined) fabric.add(owner, drawing)
  }
  return [...fabric.compare()]
}

const grid = (columns: number, rows: number) =>
  Array.from({ length: columns * rows }, (_, at) => lot(at % columns, Math.floor(at / columns)))

test('lots of a grid neither overlap nor have gaps', () => {
  const compared = compare(grid(20, 20))
  assert.equal(compared.length, 400)
  assert.deepEqual(
    compared.filter(({ overlaps, hasGap }) => overlaps || hasGap),
    [],
  )
})

test('a lot on two others overlaps both, and equal lots do not overlap', () => {
  const compared = compare([lot(0, 0), lot(1, 0), lot(5, 5), lot(5, 5), lot(0.5, 0)])
  assert.deepEqual(
    compared.map(({ overlaps }) => overlaps),
    [true, true, false, false, true],
  )
})

test('a hole is a gap unless another parcel fills it', () => {
  const filled = lot(8.25, 8.25, { side: SIDE / 2 })
  const compared = compare([lot(4, 4, { hole: true }), lot(8, 8, { hole: true }), filled])
  assert.deepEqual(
    compared.map(({ hasGap }) => hasGap),
    [true, false, false],
  )
})

test('a star that crosses itself does not hold the lot in its middle', () => {
  const tip = (at: number) => {
    const angle = (at * 4 * Math.PI) / 5
    return [-96.7 + SIDE * 4 * Math.sin(angle), 40.8 + SIDE * 4 * Math.cos(angle)]
  }
  const ring = [0, 1, 2, 3, 4, 0].map(tip)
  for (const corners of [ring, ring.toReversed()]) {
    const star = JSON.stringify({ type: 'Polygon', coordinates: [corners] })
    const compared = compare([star, lot(-0.5, -0.5), lot(-0.5, 2)])
    assert.deepEqual(
      compared.map(({ overlaps }) => overlaps),
      [true, false, false],
    )
  }
})

test('of many polygons an even sample of at least 10,000 is compared', () => {
  const compared = compare(grid(250, 100))
  assert.equal(compared.length, 12_500)
  assert.ok(compared.every(({ owner }) => owner % 2 === 0))
  assert.deepEqual(
    compared.filter(({ overlaps }) => overlaps),
    [],
  )
})
