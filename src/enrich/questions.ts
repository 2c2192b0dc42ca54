/** The lookups that a row of a list stands for. */
import { findStateEnd, readState } from '../place/states.ts'
import type { Origin, Role, Roles } from './columns.ts'

/** Parameters of one lookup, as a row of a batch. */
export type Question = Record<string, string>

/** Makes the function that turns a row into lookups, the surest first: the next is asked when one finds nothing. */
export function makeAsker(roles: Roles): (row: readonly string[]) => Question[] {
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
    if (parcelId !== '' && county !== '') questions.push({ state, county, parcelId })
    const address = value(row, 'address') || line.address
    if (address !== '') {
      const place = { city: value(row, 'city'), county, zip: value(row, 'zip') || line.zip }
      questions.push(askAddress(state, address, value(row, 'unit'), place))
    }
    const latitude = value(row, 'latitude')
    const longitude = value(row, 'longitude')
    if (latitude !== '' && longitude !== '') questions.push({ latitude, longitude })
    return questions
  }
}

type Place = { city: string; county: string; zip: string }

/** Without a county the city goes behind the line, where a lookup reads it as typed there. */
function askAddress(state: string, address: string, unit: string, place: Place): Question {
  const { city, county, zip } = place
  const question: Question = { state, address }
  if (unit !== '') question.unit = unit
  if (county !== '') question.county = county
  if (city !== '' && county !== '') question.city = city
  if (city !== '' && county === '') question.address = `${address}, ${city}`
  const [, digits] = /^(\d{5})(?:-?\d{4})?$/.exec(zip.padStart(zip.length === 4 ? 5 : 0, '0')) ?? []
  if (digits !== undefined) question.zipCode = digits
  return question
}

/** `12 Oak St, Madison, WI 53703` in its parts; street and city stay together. */
function readLine(line: string): { address: string; state: string; zip: string } {
  const bare = line.replace(/[\s,]+(?:USA|United States(?: of America)?)\.?\s*$/i, '')
  const [, before = bare, zip = ''] = /^(.*\S)[,\s]+(\d{5})(?:-\d{4})?\s*$/.exec(bare) ?? []
  const end = findStateEnd(before.toUpperCase())
  if (end === undefined) return { address: bare, state: '', zip: '' }
  return { address: before.slice(0, end.start).replace(/[,\s]+$/, ''), state: end.code, zip }
}
