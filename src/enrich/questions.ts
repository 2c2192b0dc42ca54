/** Derives the lookups of a list's row. */
import { foldCity } from '../base/fold.ts'
import { readState } from '../regions/states.ts'
import { type Origin, type Role, type Roles, readLine } from './columns.ts'

export type Question = {
  /** Its parameters, as in a row of a batch. */
  query: Record<string, string>
  /** A guess counts only if the record is in this place; else the next question is asked. */
  expects?: { city: string; zip: string }
}

/**
 * Returns the function that turns a row into lookups, the most certain first; a later one is asked
 * when the earlier found nothing. `guess`: first without the city, which is faster, where wrong
 * guesses cost nothing.
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
    const propertyId = value(row, 'property-id')
    // A list's own ids, such as `1017`, are not asked for.
    if (/^\d{5}-./.test(propertyId)) questions.push({ query: { propertyId } })
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

/** Without a county the city is appended to the line, where a lookup reads it. */
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

/** Returns the lookup without a city when the row or a comma shows the city. */
function guessAddress(state: string, line: string, unit: string, place: Place): Question[] {
  if (place.county !== '') return []
  const comma = line.lastIndexOf(',')
  const city = place.city || (comma > 0 ? line.slice(comma + 1) : '')
  const address = place.city === '' && comma > 0 ? line.slice(0, comma) : line
  if (foldCity(city) === '') return []
  const query = askAddress(state, address, unit, { ...place, city: '' })
  return [{ query, expects: { city: foldCity(city), zip: query.zipCode ?? '' } }]
}

/** Reads five digits and restores a leading zero that a spreadsheet dropped; `''` without a ZIP. */
function readZip(text: string): string {
  const [, digits = ''] = /^(\d{4,5})(?:-?\d{4})?$/.exec(text) ?? []
  return digits.padStart(digits === '' ? 0 : 5, '0')
}
