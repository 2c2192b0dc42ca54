/** Draws the owner of a parcel, in its roll's style. */
import { CHURCHES, COMPANY_NOUNS, STREET_ENDS, STREET_NAMES, STREET_STARTS } from './name-lists.ts'
import {
  drawGiven,
  drawPerson,
  drawSurname,
  type Person,
  writeGiven,
  writePerson,
} from './person.ts'
import { Random, Ranks, weighted } from './random.ts'
import type { RollStyle, Use } from './roll-style.ts'
import { companyKinds, elsewhere, uses } from './tables.ts'

export type Owner = {
  kind: 'individual' | 'company' | 'trust' | 'government'
  name1: string
  name2: string
  careOf: string
  /** The owner's mailing address; `undefined`: the parcel itself, or one that the caller draws. */
  mail: Mail | undefined
}

export type Mail = { line: string; city: string; state: string; zip: string }

/** Names after which the owner may be named: the lot, its neighbourhood and its city. */
type Setting = { city: string; zip: string; plat: string; builder: string; street: string }

/** Draws an owner for this use of land; most homes belong to persons, most shops to companies. */
export function drawOwner(random: Random, style: RollStyle, use: Use, setting: Setting): Owner {
  if (use === 'public') return publicBody(random, style, setting)
  if (use === 'church') return church(random, setting)
  if (use === 'vacant' && setting.builder !== '' && random.chance(0.6)) {
    return company(setting.builder, companyMail(new Random(0, setting.builder)))
  }
  const share = random.unit()
  const [persons, trusts] = uses[use].owners
  if (share < persons) {
    const owner = people(random, style)
    if (random.chance(0.012)) owner.careOf = writeSomeone(random, style)
    return owner
  }
  if (share < persons + trusts) return trust(random, style)
  return someCompany(random, style, setting)
}

/** Draws a mailing address elsewhere: in the state's own cities or, one in five, beyond. */
export function drawMail(random: Random, style: RollStyle): Mail {
  const far = random.chance(0.2)
  const near = random.pick(style.cities)
  const [city, state, prefix] = random.pick(elsewhere)
  const zip = far ? prefix + String(random.between(1, 99)).padStart(2, '0') : random.pick(near.zips)
  return {
    line: mailLine(random),
    city: far ? city : near.name,
    state: far ? state : style.state,
    zip,
  }
}

function people(random: Random, style: RollStyle): Owner {
  const share = random.unit()
  if (share < 0.4) return individual(oneName(random, style))
  const first = drawPerson(random, style, random.chance(0.12))
  const second: Person =
    share < 0.87
      ? { ...first, ...drawGiven(random, true), suffix: '' }
      : drawPerson(random, style, random.chance(0.7))
  // A wife's own name before her husband's.
  if (share > 0.84 && share < 0.87)
    second.surname = `${drawSurname(random, style)}-${first.surname}`
  return individual(...couple(random, style, first, second))
}

function oneName(random: Random, style: RollStyle): string {
  const name = writePerson(drawPerson(random, style, random.chance(0.5)), style)
  const share = random.unit()
  if (share < 0.02) return `${name} ${random.pick(['LIFE ESTATE', 'LIFE EST'])}`
  if (share < 0.035) return `${name} ${random.pick(['ETAL', 'ET AL'])}`
  if (share < 0.045) return random.chance(0.5) ? `${name} ESTATE` : `EST OF ${name}`
  return name
}

function couple(random: Random, style: RollStyle, one: Person, two: Person): [string, string] {
  const tenure = random.pick(style.tenure)
  if (style.couples === 'slots' && random.chance(0.9)) {
    const second = writePerson(two, style)
    return [writePerson(one, style), tenure === '' ? second : `${second} ${tenure}`]
  }
  const second = two.surname === one.surname ? writeGiven(two) : writePerson(two, style)
  const line = `${writePerson(one, style)} & ${second}`
  return [tenure === '' ? line : `${line} ${tenure}`, '']
}

function trust(random: Random, style: RollStyle): Owner {
  const person = drawPerson(random, style, random.chance(0.4))
  const name = writePerson(person, style)
  const spouse = drawGiven(random, true)
  const both = `${name} & ${writeGiven({ ...person, ...spouse })}`
  const written = weighted<string>([
    [`${person.surname} FAMILY TRUST`, 20],
    [`${person.surname} LIVING TRUST`, 14],
    [`${person.surname} ${person.given} REVOCABLE TRUST`, 16],
    [`${person.surname} ${writeGiven(person)} TR`, 8],
    [`${name} TRUSTEE`, 12],
    [`${both} TRUSTEES`, 12],
    [`${person.surname} REV LIV TR`, 6],
    [`THE ${person.surname} TRUST`, 4],
    [
      `${person.surname} FAMILY TRUST DATED ` +
        `${random.between(1, 12)}/${random.between(1, 28)}/${random.between(1988, 2024)}`,
      5,
    ],
  ])(random)
  const trustee = random.chance(0.2) ? `${name} TRUSTEE` : ''
  return {
    kind: 'trust',
    name1: written,
    name2: written.includes('TRUSTEE') ? '' : trustee,
    careOf: '',
    mail: undefined,
  }
}

const drawKind = weighted(companyKinds)

/** One company in three is a landlord of many parcels, with one name and address. */
function someCompany(random: Random, style: RollStyle, setting: Setting): Owner {
  if (random.chance(0.35)) {
    const rank = LANDLORDS.draw(random)
    const own = new Random(rank, `${style.state} landlord`)
    return company(companyName(own, style), companyMail(own))
  }
  if (random.chance(0.12)) return company(`${setting.street} ${drawKind(random)}`, undefined)
  const owner = company(companyName(random, style), undefined)
  if (random.chance(0.15)) owner.careOf = writeSomeone(random, style)
  return owner
}

function writeSomeone(random: Random, style: RollStyle): string {
  return writePerson(drawPerson(random, style, random.chance(0.5)), style)
}

const LANDLORDS = new Ranks(3000, 4)

export function companyName(random: Random, style: RollStyle): string {
  const kind = drawKind(random)
  const noun = random.pick(COMPANY_NOUNS)
  const letter = () => String.fromCharCode(65 + random.below(26))
  const share = random.unit()
  if (share < 0.3) return `${drawSurname(random, style)} ${noun} ${kind}`
  if (share < 0.6)
    return `${random.pick(STREET_STARTS)} ${random.pick(STREET_ENDS)} ${noun} ${kind}`
  if (share < 0.75) return `${random.pick(STREET_NAMES)} ${noun} ${kind}`
  if (share < 0.85) return `${letter()}${letter()}${letter()} ${noun} ${kind}`
  if (share < 0.9) return `${letter()} & ${letter()} ${noun} ${kind}`
  if (share < 0.94) return `${drawSurname(random, style)} BROTHERS ${noun}`
  if (share < 0.97) return `FIRST ${random.pick(STREET_ENDS)} BANK NA`
  return `${drawSurname(random, style)} & SONS ${kind}`
}

function publicBody(random: Random, style: RollStyle, { city, zip, plat }: Setting): Owner {
  const mail = { line: style.publicStreet, city, state: style.state, zip }
  if (random.chance(0.3)) {
    const owner = company(
      `${plat} ${random.pick(['HOMEOWNERS ASSN INC', 'HOA INC', 'OWNERS ASSOCIATION'])}`,
      undefined,
    )
    return owner
  }
  const name1 = random.pick(style.publicBodies).replace('{city}', city)
  return { kind: 'government', name1, name2: '', careOf: '', mail }
}

function church(random: Random, { city }: Setting): Owner {
  const name = random.pick(CHURCHES)
  return company(random.chance(0.4) ? `${name} OF ${city}` : name, undefined)
}

function company(name1: string, mail: Mail | undefined): Owner {
  return { kind: 'company', name1, name2: '', careOf: '', mail }
}

function individual(name1: string, name2 = ''): Owner {
  return { kind: 'individual', name1, name2, careOf: '', mail: undefined }
}

function companyMail(random: Random): Mail {
  const [city, state, prefix] = random.pick(elsewhere)
  const zip = prefix + String(random.between(1, 99)).padStart(2, '0')
  return { line: mailLine(random), city, state, zip }
}

function mailLine(random: Random): string {
  const share = random.unit()
  if (share < 0.15) return `PO BOX ${random.between(10, 9999)}`
  const street =
    `${random.between(1, 12_999)} ${random.pick(STREET_NAMES)} ` + `${random.pick(MAIL_SUFFIXES)}`
  if (share < 0.3) return `${street} STE ${random.between(100, 999)}`
  if (share < 0.42) return `${street} APT ${random.between(1, 60)}`
  return street
}

const MAIL_SUFFIXES = ['ST', 'AVE', 'DR', 'RD', 'LN', 'BLVD', 'CT']
