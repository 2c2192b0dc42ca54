/** Reads the tables in `cases/`; their README explains the format. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { indexRoll } from '../../test/address-roll.ts'
import type { AddressContext } from '../base/model/address.ts'
import { canonicalAddress } from './canonical.ts'

const FOLDER = new URL('cases/', import.meta.url)
/** The tables' lines are records without a city, so unmistakable tails are cut off. */
type Place = { state: string; fips: number | undefined }

for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.txt'))) {
  describe(file, () => {
    let place: Place = { state: '', fips: undefined }
    for (const text of readFileSync(new URL(file, FOLDER), 'utf8').split('\n')) {
      const line = text.trim()
      const mark = /^\[([A-Z]{2})?(?: (\d+))?\]$/.exec(line)
      if (mark !== null) {
        place = { state: mark[1] ?? '', fips: mark[2] === undefined ? undefined : Number(mark[2]) }
      } else if (line !== '' && !line.startsWith('# ')) {
        const here = place
        it(`${here.state} ${line}`.trim(), () => checkLine(line, here))
      }
    }
  })
}

async function checkLine(line: string, place: Place): Promise<void> {
  const [, left = '', sign = '', right = ''] =
    /^(.*?) *(=>|==|!=|!~|~[a-z-]+)(?: +(.*))?$/.exec(line) ?? []
  assert.notEqual(sign, '', 'no sign in the line')
  if (sign === '=>') assert.equal(show(left, place), cells(right))
  else if (sign === '==') assert.equal(keys(left, place), keys(right, place))
  else if (sign === '!=') {
    assert.notEqual(keys(left, place), keys(right, place))
    assert.equal(await step(left, right, place), 'none')
    assert.equal(await step(right, left, place), 'none')
  } else if (sign === '!~') assert.equal(await step(left, right, place), 'none')
  else {
    assert.notEqual(keys(left, place), keys(right, place))
    assert.equal(await step(left, right, place), sign.slice(1))
  }
}

function contextOf({ state, fips }: Place): AddressContext {
  return { state, fips, city: null }
}

function show(line: string, place: Place): string {
  const { parsed, unitKey } = canonicalAddress(line, contextOf(place))
  const { predirectional, street, suffix, postdirectional } = parsed
  return cells([parsed.number, predirectional, street, suffix, postdirectional, unitKey].join('|'))
}

function cells(row: string): string {
  return row
    .split('|')
    .map((cell) => cell.trim())
    .join(' | ')
}

function keys(line: string, place: Place): string {
  const { key, unitKey } = canonicalAddress(line, contextOf(place))
  assert.notEqual(key, '', `${line} names no street`)
  return `${key}|${unitKey}`
}

/** Returns the step by which a lookup of one line finds a record of the other, or `none`. */
async function step(asked: string, recorded: string, place: Place): Promise<string> {
  const lookUp = indexRoll([{ line: recorded, city: null, zip: '' }], place)
  const finding = await lookUp(asked)
  return finding.outcome === 'found' ? finding.match : 'none'
}
