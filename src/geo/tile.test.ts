import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { boxOfTile, isTile, tileAt } from './tile.ts'

describe('tiles', () => {
  test('the tile of zoom 0 is the world', () => {
    const box = boxOfTile({ z: 0, x: 0, y: 0 })
    assert.deepEqual([box.west, box.east], [-180, 180])
    assert.ok(Math.abs(box.north - 85.0511287798) < 1e-9)
    assert.ok(Math.abs(box.south + 85.0511287798) < 1e-9)
  })

  test('a known tile: z 14, x 3791, y 6154 holds the Nebraska State Capitol', () => {
    assert.deepEqual(tileAt([-96.6998, 40.8081], 14), { z: 14, x: 3791, y: 6154 })
  })

  test('a point is in the box of its tile', () => {
    const longitude = fc.double({ min: -180, max: 179.999, noNaN: true })
    const latitude = fc.double({ min: -85, max: 85, noNaN: true })
    fc.assert(
      fc.property(longitude, latitude, fc.integer({ min: 0, max: 18 }), (x, y, z) => {
        const box = boxOfTile(tileAt([x, y], z))
        assert.ok(x >= box.west - 1e-9 && x <= box.east + 1e-9)
        assert.ok(y >= box.south - 1e-9 && y <= box.north + 1e-9)
      }),
    )
  })

  test('a margin widens the box by its share', () => {
    const tile = { z: 10, x: 200, y: 300 }
    const [plain, wide] = [boxOfTile(tile), boxOfTile(tile, 0.5)]
    assert.ok(Math.abs(wide.east - wide.west - 2 * (plain.east - plain.west)) < 1e-9)
  })

  test('numbers outside of the zoom are not a tile', () => {
    assert.equal(isTile({ z: 1, x: 2, y: 0 }), false)
    assert.equal(isTile({ z: 1, x: 1.5, y: 0 }), false)
    assert.equal(isTile({ z: 1, x: 1, y: 1 }), true)
  })
})
