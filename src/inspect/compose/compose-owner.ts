/** Owners and where their mail goes. */
import type { Value } from '../../import/mapping/mapping.ts'
import type { Guess } from '../recognize/guess.ts'
import type { Meaning } from '../recognize/name-words.ts'
import { type Board, percent } from './board.ts'

const UNIT_LINE = '^(?:#|APT|UNIT|STE|SUITE|BLDG|FL|FLOOR|RM|ROOM|LOT|SPC|TRLR|PMB|BOX)\\b.*$'
const STREET_LINE = '^(?:\\d+\\S* .*|P\\.? ?O\\.? ?BOX .*)$'
const CARE_OF = '^(?:%|C\\s?[/\\\\]\\s?O\\b|CARE OF\\b|ATTN\\b|ATTENTION\\b)[^0-9]*$'
const PLACE_LINE = '^.*[, ][A-Z]{2},?(?: +\\d{5}(?:-?\\d{4})?)?$'

export function composeOwner(board: Board): void {
  composeNames(board)
  composeCareOf(board)
  composeOccupied(board)
  settleLines(board)
  composeMailLine(board)
  composeMailPlace(board)
}

function composeNames(board: Board): void {
  const [whole, last] = [board.look('ownerName1'), board.look('ownerLast')]
  if (whole !== undefined) board.put('fields', 'ownerName1', whole)
  else if (last !== undefined) {
    const given = [board.look('ownerFirst'), board.look('ownerMiddle')].filter(isThere)
    const columns = given.map(({ subject }) => subject.name)
    const value: Value =
      columns.length === 0
        ? last.subject.name
        : { join: [last.subject.name, { join: columns }], with: ', ' }
    board.add(
      'fields',
      'ownerName1',
      value,
      [last, ...given],
      'surname and given names are columns of their own',
    )
  }
  board.put('fields', 'ownerName2', board.look('ownerName2'))
}

/** A column of its own; else one that mostly holds such names, or an address line that does where it is no street. */
function composeCareOf(board: Board): void {
  const own = board.look('ownerCareOf')
  if (own !== undefined) {
    board.put('fields', 'ownerCareOf', own)
    return
  }
  const taken = new Set(['ownerName1', 'ownerName2'].map((field) => board.look(field)?.subject))
  const [best] = board.subjects
    .filter((subject) => subject.contents.careOf > 0.02 && !taken.has(subject))
    .sort((a, b) => b.contents.careOf - a.contents.careOf)
  if (best === undefined) return
  const { careOf } = best.contents
  const guess = {
    field: 'ownerCareOf',
    subject: best,
    certainty: 0.7,
    byName: 0,
    byContents: careOf,
  }
  const note = `${percent(careOf)} of its values begin with %, C/O or ATTN`
  board.put('fields', 'ownerCareOf', guess, careOf > 0.9 ? {} : { cut: CARE_OF }, note)
}

/** A homestead column is a flag, a code or an amount: nothing or 0 means none. */
function composeOccupied(board: Board): void {
  const guess = board.look('ownerOccupied')
  if (guess === undefined) return
  const { flag, numeric } = guess.subject.contents
  if (flag > 0.9) board.put('fields', 'ownerOccupied', guess)
  else if (numeric > 0.9) {
    const rule = { cases: [{ pattern: '^0*(?:\\.0*)?$', gives: null }], otherwise: true }
    board.put('fields', 'ownerOccupied', guess, rule, 'an amount above 0 is a homestead')
  }
}

/** Lines that are called no more than "address 1 to 3": are they of the parcel or of the owner? */
function settleLines(board: Board): void {
  const line = board.look('address')
  if (line === undefined || board.look('ownerAddressLine1') !== undefined) return
  if (line.subject.meaning.words.includes('site')) return
  const { contents } = line.subject
  const states = board.look('ownerState') ?? board.look('siteState')
  const lines = [board.look('mailLine2'), board.look('mailLine3')].filter(isThere)
  const travels =
    (states?.subject.contents.distinct ?? 0) > 3 ||
    lines.some(({ subject }) => subject.contents.cityStateZip > 0.3) ||
    contents.poBox > 0.03 ||
    (contents.fill < 0.3 && line.subject.meaning.ordinal > 0)
  if (!travels) return
  board.move('address', 'ownerAddressLine1')
  for (const [from, to] of [
    ['city', 'ownerCity'],
    ['siteState', 'ownerState'],
    ['zipCode', 'ownerZipCode'],
    ['cityStateZip', 'ownerCityStateZip'],
  ] as const) {
    const guess = board.look(from)
    const ownName = guess?.subject.meaning.words.includes('site') === true
    if (guess !== undefined && !ownName && board.look(to) === undefined) board.move(from, to)
  }
}

function composeMailLine(board: Board): void {
  const [second, third] = [board.look('mailLine2'), board.look('mailLine3')]
  const first = board.look('ownerAddressLine1')
  if (first === undefined) {
    // Where the first line is mostly blank or a care-of, the street stands in the next.
    const next = [second, third].find((line) => (line?.subject.contents.address ?? 0) > 0.4)
    if (next !== undefined) {
      board.put('fields', 'ownerAddressLine1', next)
      return
    }
    const parts = MAIL_PARTS.map((part) => board.look(part)).filter(isThere)
    if (!parts.some(({ field }) => field === 'mailStreet')) return
    const value = { join: parts.map(({ subject }) => subject.name) }
    board.add('fields', 'ownerAddressLine1', value, parts, 'the parts of a mailing line')
    return
  }
  const { contents, name } = first.subject
  if (contents.oneLine > 0.5 && board.look('ownerCity') === undefined) {
    board.put('fields', 'ownerAddressFull', first, {}, 'the city stands in the same line')
    return
  }
  const more = second?.subject.contents
  const box = board.subjects.find(({ meaning }) => meaning.words.join(' ') === 'box')
  if (box !== undefined && box.contents.numeric > 0.8) {
    const written = { column: box.name, replace: [{ pattern: '^(?=\\d)', with: 'PO BOX ' }] }
    const value = { first: [name, written] }
    board.add('fields', 'ownerAddressLine1', value, [first], `else the box of ${box.name}`)
    return
  }
  if (
    second === undefined ||
    more === undefined ||
    more.texts.length === 0 ||
    more.cityStateZip > 0.5
  ) {
    board.put('fields', 'ownerAddressLine1', first)
    return
  }
  const other = second.subject.name
  const value: Value =
    more.address > 0.35
      ? { first: [{ column: other, cut: STREET_LINE }, name] }
      : { join: [name, { column: other, cut: UNIT_LINE }] }
  const note =
    more.address > 0.35 ? 'the street stands in either line' : 'units stand in the second line'
  board.add('fields', 'ownerAddressLine1', value, [first], `${note} (${other})`)
}

const MAIL_PARTS = ['mailHouse', 'mailDirection', 'mailStreet', 'mailStreetType', 'mailUnit']

function composeMailPlace(board: Board): void {
  for (const field of ['ownerCity', 'ownerState', 'ownerZipCode', 'ownerZipCodePlusFour']) {
    board.put('fields', field, board.look(field))
  }
  composeCountry(board)
  const own = board.look('ownerCityStateZip')
  if (own !== undefined) board.put('fields', 'ownerCityStateZip', own)
  if (own !== undefined || board.look('ownerCity') !== undefined) return
  const found = board.subjects.filter(
    ({ meaning, contents }) => isLine(meaning) && contents.cityStateZip > 0,
  )
  // One line of several mostly holds the place; then the others do where the address was shorter.
  const sure = found.some(({ contents }) => contents.cityStateZip > 0.3)
  const lines = sure ? found.sort((a, b) => b.meaning.ordinal - a.meaning.ordinal) : []
  if (lines.length === 0) return
  const values = lines.map(({ name, contents }) =>
    contents.cityStateZip > 0.8 ? name : { column: name, cut: PLACE_LINE },
  )
  const [only] = values
  const value: Value = values.length === 1 && only !== undefined ? only : { first: values }
  const guesses = lines.map(
    (subject): Guess => ({
      field: 'ownerCityStateZip',
      subject,
      certainty: 0.5 + subject.contents.cityStateZip / 2,
      byName: 0.5,
      byContents: subject.contents.cityStateZip,
    }),
  )
  board.add(
    'fields',
    'ownerCityStateZip',
    value,
    guesses,
    'city, state and ZIP stand in an address line',
  )
}

const isLine = ({ words }: Meaning) => words.includes('address') || words.includes('line')

/** Some rolls keep the country where others keep a care-of; a column of states is none. */
function composeCountry(board: Board): void {
  const guess = board.look('ownerCountry')
  if (guess !== undefined && guess.subject.contents.state < 0.5) {
    board.put('fields', 'ownerCountry', guess)
  }
}

const isThere = <Item>(item: Item | undefined): item is Item => item !== undefined
