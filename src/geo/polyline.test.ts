import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { closeRing, crossesItself, decodePolyline } from './polyline.ts'
import type { Point } from './sphere.ts'

describe('decodePolyline', () => {
  test('reads the example of the published format', () => {
    assert.deepEqual(decodePolyline('_p~iF~ps|U_ulLnnqC_mqNvxq`@'), [
      [-120.2, 38.5],
      [-120.95, 40.7],
      [-126.453, 43.252],
    ])
  })

  test('reads what an encoder wrote, whatever the points', () => {
    const degrees = (most: number) => fc.integer({ min: -most * 1e5, max: most * 1e5 })
    fc.assert(
      fc.property(fc.array(fc.tuple(degrees(180), degrees(90))), (whole) => {
        const points = whole.map(([x, y]): Point => [x / 1e5, y / 1e5])
        assert.deepEqual(
          decodePolyline(encode(whole))?.map(([x, y]) => [x + 0, y + 0]),
          points.map(([x, y]) => [x + 0, y + 0]),
        )
      }),
    )
  })

  test('refuses a cut text, foreign characters and points off the globe', () => {
    assert.equal(decodePolyline('_p~iF~ps|'), undefined)
    assert.equal(decodePolyline('_p~iF ~ps|U'), undefined)
    assert.equal(decodePolyline(encode([[0, 91e5]])), undefined)
    assert.equal(decodePolyline('~~~~~~~~~~~~'), undefined)
  })

  test('never throws, whatever the text', () => {
    fc.assert(fc.property(fc.string(), (text) => void decodePolyline(text)))
  })
})

describe('closeRing', () => {
  test('adds the first point at the end and drops repeated neighbours', () => {
    const points: Point[] = [
      [0, 0],
      [1, 0],
      [1, 0],
      [1, 1],
    ]
    assert.equal(closeRing(points).length, 4)
    assert.equal(closeRing(closeRing(points)).length, 4)
  })
})

describe('crossesItself', () => {
  const ring = (...points: Point[]) => closeRing(points)

  test('a simple ring does not, whether convex or not', () => {
    assert.equal(crossesItself(ring([0, 0], [4, 0], [4, 4], [0, 4])), false)
    assert.equal(crossesItself(ring([0, 0], [4, 0], [4, 4], [2, 1], [0, 4])), false)
  })

  test('a bow tie does', () => {
    assert.equal(crossesItself(ring([0, 0], [4, 4], [4, 0], [0, 4])), true)
  })

  test('a ring that touches itself or runs back over an edge does', () => {
    assert.equal(crossesItself(ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4])), true)
    assert.equal(crossesItself(ring([0, 0], [4, 0], [2, 0], [2, 4])), true)
  })
})

/** The published encoding, written the plain way. */
function encode(whole: readonly (readonly [number, number])[]): string {
  let text = ''
  let before: readonly [number, number] = [0, 0]
  for (const point of whole) {
    for (const delta of [point[1] - before[1], point[0] - before[0]]) {
      let value = delta < 0 ? -2 * delta - 1 : 2 * delta
      for (; value >= 32; value = Math.floor(value / 32)) {
        text += String.fromCharCode((value % 32) + 32 + 63)
      }
      text += String.fromCharCode(value + 63)
    }
    before = point
  }
  return text
}
