/** The lookups that a row of a list stands for. */
import { foldCity } from '../fold.ts'
import { findStateEnd, readState } from '../place/states.ts'
import type { Origin, Role, Roles } from './columns.ts'

/** One lookup. */
export type Question = {
  /** Its parameters, as a row of a batch. */
  query: Record<string, string>
  /**
   * A cheap guess counts only when the record found is of this place; the next question asks fully.
   */
  expects?: { city: string; zip: string }
}

/**
 * Makes the function that turns a row into lookups, the surest first: the next is asked when one
 * finds nothing.
 *
 * `guess`: an address is first asked without its city, which a store answers several times faster,
 * and the record's own place is compared. Where found rows are paid, a guess could be paid in vain.
 */
export function makeAsker(roles: Roles, guess: boolean): (row: readonly string[]) => Question[] {
  const value = (row: readonly string[], role: Role): string => {
    const origin: Origin | undefined = roles[role]
    if (origin === undefined) return ''
    return 'text' in origin ? origin.text : (row[origin.at] ?? '').trim()
  }
  return (row) => {
    const line = readLine(value(row, 'line'))
    const said = value(row, 'state')
    const state = readState(said)?.code ?? (said || line.state)
    const county = value(row, 'county')
    const parcelId = value(row, 'parcel-id')
    const questions: Question[] = []
    if (parcelId !== '' && county !== '') questions.push({ query: { state, county, parcelId } })
    const address = value(row, 'address') || line.address
    if (address !== '') {
      const place = { city: value(row, 'city'), county, zip: value(row, 'zip') || line.zip }
      const unit = value(row, 'unit')
      if (guess) questions.push(...guessAddress(state, address, unit, place))
      questions.push({ query: askAddress(state, address, unit, place) })
    }
    const latitude = value(row, 'latitude')
    const longitude = value(row, 'longitude')
    if (latitude !== '' && longitude !== '') questions.push({ query: { latitude, longitude } })
    return questions
  }
}

type Place = { city: string; county: string; zip: string }

/** Without a county the city goes behind the line, where a lookup reads it as typed there. */
function askAddress(state: string, address: string, unit: string, place: Place) {
  const { city, county, zip } = place
  const question: Question['query'] = { state, address }
  if (unit !== '') question.unit = unit
  if (county !== '') question.county = county
  if (city !== '' && county !== '') question.city = city
  if (city !== '' && county === '') question.address = `${address}, ${city}`
  const digits = readZip(zip)
  if (digits !== '') question.zipCode = digits
  return question
}

/** The lookup without a city behind the line, where the row tells its city or a comma does. */
function guessAddress(state: string, line: string, unit: string, place: Place): Question[] {
  if (place.county !== '') return []
  const comma = line.lastIndexOf(',')
  const city = place.city || (comma > 0 ? line.slice(comma + 1) : '')
  const address = place.city === '' && comma > 0 ? line.slice(0, comma) : line
  if (foldCity(city) === '') return []
  const query = askAddress(state, address, unit, { ...place, city: '' })
  return [{ query, expects: { city: foldCity(city), zip: query.zipCode ?? '' } }]
}

/** Five digits; a leading zero that a spreadsheet dropped is put back. `''`: no ZIP. */
function readZip(text: string): string {
  const [, digits = ''] = /^(\d{4,5})(?:-?\d{4})?$/.exec(text) ?? []
  return digits.padStart(digits === '' ? 0 : 5, '0')
}

/** `12 Oak St, Madison, WI 53703` in its parts; street and city stay together. */
function readLine(line: string): { address: string; state: string; zip: string } {
  const bare = line.replace(/[\s,]+(?:USA|United States(?: of America)?)\.?\s*$/i, '')
  const [, before = bare, zip = ''] = /^(.*\S)[,\s]+(\d{5})(?:-\d{4})?\s*$/.exec(bare) ?? []
  const end = findStateEnd(before.toUpperCase())
  if (end === undefined) return { address: bare, state: '', zip: '' }
  return { address: before.slice(0, end.start).replace(/[,\s]+$/, ''), state: end.code, zip }
}
