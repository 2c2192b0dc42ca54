/**
 * Resolves ambiguous column names by their values and the neighbouring columns: whose address,
 * which part, which of several lines. docs/decisions/inspect.md.
 */
import { wordSet } from '../../base/tables.ts'
import { type Contents, shareOf } from '../sample/contents.ts'
import { stateOfPlace } from '../sample/text-kinds.ts'
import { FIRST_STEPS } from './settle-twins.ts'
import { dedupe, type Subject, withWords } from './subject.ts'

/** Returns the subjects with more precise meanings; names are unchanged. */
export function settleMeanings(subjects: Subject[]): Subject[] {
  return STEPS.reduce((settled, step) => settled.map((one) => step(one, settled)), subjects)
}

type Step = (subject: Subject, all: Subject[]) => Subject

const OWNERS: ReadonlySet<string> = new Set(['owner', 'taxpayer'])
const PARTS =
  wordSet(`address line street house direction prefix suffix postdirection unit city state zip four
fraction country`)
/** Parts that are neither a street nor a number. */
const OTHER_PARTS = wordSet(
  'house direction prefix suffix postdirection unit city state zip four fraction',
)
/** Words that may be next to words of `PARTS` without changing the meaning. */
const BESIDE = wordSet('number name kind code full primary current first total roll')

const has = ({ meaning }: Subject, word: string) => meaning.words.includes(word)
const isFilled = ({ contents }: Subject) => contents.texts.length > 0

function replace(subject: Subject, word: string, by: string): Subject {
  return withWords(
    subject,
    subject.meaning.words.map((one) => (one === word ? by : one)),
  )
}

/**
 * `OWNER_CITY`, `taxpayer_street`: the owner's mailing address. A number alone may be the owner's,
 * unless there is a street column without number.
 */
const readOwnersMail: Step = (subject, all) => {
  const { words } = subject.meaning
  if (has(subject, 'suffix') && isNameSuffix(subject)) return subject
  // The owner's own address comes before that of who pays the tax.
  if (isPayersPart(subject) && all.some(isOwnersAddress))
    return withWords(subject, ['?other', '?party'], 0)
  if (!words.some((word) => OWNERS.has(word)) || has(subject, 'site')) return subject
  const isPart = words.some((word) => PARTS.has(word) && word !== 'line' && word !== 'first')
  const isOfParts =
    subject.contents.length < 10 &&
    (has(subject, 'number') || has(subject, 'kind')) &&
    all.some((other) => isOwnersStreet(other) && Math.abs(other.index - subject.index) < 5)
  if (!isPart && !isOfParts) return subject
  const mail = words.map((word) => (OWNERS.has(word) ? 'mail' : word))
  return withWords(
    subject,
    mail.filter((word, at) => mail.indexOf(word) === at),
  )
}

/** `TAX_NAME` with names, or `TAXADDR` and `TAXZIP`, make taxpayer's columns of `TAX_CITY`. */
const readPayers: Step = (subject, all) => {
  const { words } = subject.meaning
  const isParty = words[0] === 'tax' && words.some((word) => PARTS.has(word) || word === 'name')
  if (!isParty || words.some((word) => word === 'district' || word === 'code')) return subject
  const isNamed = all.some(
    ({ name, contents: c }) => TAX_NAME.test(name) && c.person + c.organization > 0.3,
  )
  const isSent = all.some((one) => isOfTax(one, 'zip') && one.contents.zip > 0.7)
  const isTheirs = isNamed || (isSent && all.some((one) => isOfTax(one, 'address')))
  return isTheirs ? replace(subject, 'tax', 'taxpayer') : subject
}
const isOfTax = ({ meaning: { words } }: Subject, part: string) => words.join(' ') === `tax ${part}`
const TAX_NAME = /^TAX[_ -]?(?:BILL[_ -]?)?NA?ME?[_ -]?\d?$/i

const NAME_SUFFIX = /^(?:JR|SR|I{2,3}|I?V|2ND|3RD|4TH|ESQ)\.?$/i
const isNameSuffix = ({ contents: { texts } }: Subject) =>
  texts.length > 0 && texts.every((text) => NAME_SUFFIX.test(text.trim()))

const isPayersPart = (subject: Subject) =>
  has(subject, 'taxpayer') && subject.meaning.words.some((word) => PARTS.has(word))
const isOwnersAddress = (subject: Subject) =>
  (has(subject, 'owner') || has(subject, 'mail')) &&
  !has(subject, 'taxpayer') &&
  subject.contents.address > 0.4 &&
  subject.contents.fill > 0.5

const isOwnersStreet = (subject: Subject) =>
  subject.meaning.words.some((word) => OWNERS.has(word)) &&
  has(subject, 'street') &&
  isFilled(subject) &&
  subject.contents.address < 0.4

/** `OWNERLINE2` and `PROP_MAIL` with streets are lines of the mailing address. */
const readOwnersLines: Step = (subject) =>
  (has(subject, 'line') || subject.meaning.words.join(' ') === 'site mail') &&
  isMails(subject) &&
  subject.contents.address > 0.4
    ? withWords(subject, ['mail', 'address'])
    : subject

/** Where no column is an owner's, the grantees with addresses are the owners. */
const readGrantees: Step = (subject, all) => {
  const isParty = ({ meaning: { words } }: Subject) =>
    words.some((word) => OWNERS.has(word) || word === 'mail')
  const places = all.filter((one) => has(one, 'grantee') && (has(one, 'city') || has(one, 'zip')))
  if (!has(subject, 'grantee') || places.length === 0 || all.some(isParty)) return subject
  if (subject.contents.address > 0.5) return withWords(subject, ['mail', 'address'])
  const isName = subject.contents.person + subject.contents.organization > 0.5
  return isName ? withWords(subject, ['owner', 'name']) : replace(subject, 'grantee', 'owner')
}

/**
 * `LASTNAME` without a column of given names holds the whole name; `LASTNAME` and `FIRSTNAME`
 * without a word more are the owner's.
 */
const readWholeNames: Step = (subject, all) => {
  const { words } = subject.meaning
  const isOf = (one: Subject, part: string) =>
    has(one, part) && one.meaning.words.every((word) => word === part || OF_NAME.has(word))
  const isGiven = (one: Subject) => isFilled(one) && has(one, 'first') && !has(one, 'line')
  const isPaired = all.some((one) => isOf(one, 'last')) && all.some((one) => isOf(one, 'first'))
  const isMiddle = words.includes('middle') && words.every((word) => MIDDLE.has(word))
  if (isPaired && isMiddle) return withWords(subject, ['owner', 'middle', 'name'])
  if (isPaired && words.join() === 'suffix' && isNameSuffix(subject))
    return withWords(subject, ['owner', 'suffix'])
  const isLast = isOf(subject, 'last')
  if (isLast && !all.some(isGiven))
    return subject.contents.words > 1.5 ? withWords(subject, ['owner', 'name']) : subject
  const [own, other] = isLast ? ['last', 'first'] : ['first', 'last']
  const isPair = isOf(subject, own) && all.some((one) => isFilled(one) && isOf(one, other))
  return isPair ? withWords(subject, ['owner', own, 'name']) : subject
}
const MIDDLE: ReadonlySet<string> = new Set(['middle', 'name', '?initial'])
const OF_NAME: ReadonlySet<string> = new Set(['name', 'owner'])

/**
 * `py_owner_name`, `py_addr_city`: a column with the owner name's prefix is also the owner's, if
 * the table has columns with other prefixes. So is the only address next to the site's that is
 * another one in some rows: `CORR_ZIP`. A third one is another party's: `AGENCY_ZIP`.
 */
const readOwnersPrefix: Step = (subject, all) => {
  const prefix = prefixOf(subject)
  if (prefix === undefined || sideOf(subject) !== undefined) return subject
  if (!subject.meaning.words.some((word) => PARTS.has(word))) return subject
  const alike = all.filter((other) => prefixOf(other) === prefix)
  const isOwners = alike.some((other) => has(other, 'name') && isMails(other))
  if (isOwners && alike.length < all.length * 0.6) return side(subject, 'mail')
  const [line, site] = [alike.find(isStreetLine), all.find(isSiteStreet)]
  if (!line || !site || !hasPlace(alike) || isRepeated(line, site)) return subject
  return all.some(isOfMail) ? withWords(subject, ['?other', '?party'], 0) : side(subject, 'mail')
}

const hasPlace = (columns: Subject[]) =>
  ['city', 'zip'].every((part) => columns.some((one) => has(one, part)))
const isStreetLine = ({ contents }: Subject) => contents.address > 0.4
const isRepeated = (line: Subject, { contents }: Subject) => {
  const known = new Set(contents.texts.map((text) => text.toUpperCase()))
  return shareOf(line.contents.texts, (text) => known.has(text.toUpperCase())) > 0.95
}
const isOfMail = (one: Subject) =>
  isMails(one) && isFilled(one) && one.meaning.words.some((word) => PARTS.has(word))
const isSiteStreet = (one: Subject) => has(one, 'site') && one.contents.address > 0.3

/** Returns the first piece of a column's name unless it may be a known word. */
function prefixOf({ name, meaning }: Subject): string | undefined {
  const [first, ...rest] = name.toUpperCase().split(/[_. ]/)
  return rest.length > 0 && meaning.words[0] === `?${first?.toLowerCase()}` ? first : undefined
}

/** `POSTAL_CITY` is the site's, of the post, except next to `POSTAL_ADDRESS` and the like. */
const readPostalCity: Step = (subject, all) => {
  const isMail = all.some(({ name }) => /^POSTAL[_ ]?(?:ADDR|STATE|STR|ZIP|LINE)/i.test(name))
  const isCity = /^POSTAL[_ ]?CITY$/i.test(subject.name.trim())
  return isCity && !isMail ? withWords(subject, ['site', 'city'], 0) : subject
}

/**
 * `ADDR1` to `ADDR4`, `TAXPAYER_NM` to `TAXPAYER_NM_3`: lines of an envelope, which may hold any
 * part of the address.
 */
const readLines: Step = (subject, all) => {
  const { words, ordinal } = subject.meaning
  const isLine = words.some((word) => ENVELOPE.has(word)) && !has(subject, 'legal')
  if (!isLine || ordinal < 1 || !isFilled(subject)) return subject
  const alike = all.filter(
    (other) => other.index !== subject.index && other.meaning.words.join() === words.join(),
  )
  if (alike.length === 0) return subject
  const side = has(subject, 'site') ? ['site'] : isMails(subject) ? ['mail'] : []
  const part = partOf(subject.contents)
  // Several lines hold the place, since addresses differ in length, so they are read together.
  if (part?.length === 3 && alike.some(({ contents }) => contents.cityStateZip > 0.3))
    return subject
  if (part !== undefined) return withWords(subject, [...side, ...part], 0)
  const isNamed = has(subject, 'name') && !has(subject, 'address')
  return isNamed && subject.contents.address > 0.6
    ? withWords(subject, ['mail', 'address'], 0)
    : subject
}

const ENVELOPE: ReadonlySet<string> = new Set(['address', 'line', 'mail', 'taxpayer'])

const isMails = ({ meaning }: Subject) =>
  meaning.words.some((word) => word === 'mail' || OWNERS.has(word))

/**
 * Returns the part that a line holds if it is not a street; `undefined` for a street, a name, or
 * too few values.
 */
function partOf(c: Contents): string[] | undefined {
  if (c.zip > 0.7) return ['zip']
  if (c.state > 0.8) return ['state']
  if (c.cityStateZip > 0.5) return ['city', 'state', 'zip']
  const isPlace = c.place > 0.7 && c.address < 0.15 && c.person < 0.3 && c.organization < 0.2
  return isPlace && c.uniqueness < 0.5 ? ['city'] : undefined
}

/**
 * Handles a street without number, a number without street, a state called `ST`, and the last four
 * digits of a ZIP code.
 */
const readParts: Step = (subject, all) => {
  const c = subject.contents
  if (!isFilled(subject)) return subject
  const misread = ['street', 'unit'].find((word) => has(subject, word))
  if (misread !== undefined && c.state > 0.9) return replace(subject, misread, 'state')
  // `SITUS_STRE` is what was left of a street's direction.
  const isDirected = subject.meaning.words.some((word) => word.endsWith('direction'))
  if (c.direction > 0.9 && has(subject, 'street') && !isDirected)
    return replace(subject, 'street', 'direction')
  // `LOCATION` next to `SITE_ADDR`: what of the building it is.
  const isShort = c.fill < 0.6 && shareOf(c.texts, (text) => UNIT.test(text)) > 0.9
  if (isShort && subject.meaning.words.join() === 'site' && all.some(isSiteLine))
    return withWords(subject, ['site', 'unit'], 0)
  // `BILL_CITY_ST`
  const isCityState = has(subject, 'city') && c.cityStateZip > 0.5
  if (isCityState && has(subject, 'street')) return replace(subject, 'street', 'state')
  // `OWNER_CITY` with `FORT WORTH TX`
  if (isCityState && !has(subject, 'state') && !has(subject, 'zip'))
    return withWords(subject, [...subject.meaning.words, 'state'])
  if (has(subject, 'address') && !subject.meaning.words.some((word) => OTHER_PARTS.has(word))) {
    if (c.houseNumber > 0.9 && c.numeric > 0.8 && all.some(isBareStreet))
      return replace(subject, 'address', 'house')
    const isNoPlace = c.place < 0.95 || shareOf(c.texts, (text) => STREET_END.test(text)) > 0.5
    const isStreet = c.address < 0.35 && c.streetName > 0.7 && c.numeric < 0.1 && isNoPlace
    const isBeside = all.some(
      (other) =>
        (has(other, 'house') ||
          (has(other, 'number') && (has(other, 'street') || has(other, 'address')))) &&
        sideOf(other) === sideOf(subject),
    )
    if (isStreet && isBeside)
      return withWords(subject, dedupe(replace(subject, 'address', 'street').meaning.words))
  }
  // `LocationBldgNo`: numbers of houses where streets have a column without them.
  const isHouse = has(subject, 'site') && has(subject, 'number') && c.houseNumber > 0.9
  if (isHouse && !has(subject, 'id') && !has(subject, 'unit') && all.some(isBareStreet))
    return withWords(subject, ['site', 'house'], 0)
  const isEnd = c.integer > 0.9 && c.length <= 4.1 && c.zip === 0
  if (has(subject, 'zip') && !has(subject, 'four') && isEnd) {
    const whole = all.some(
      (other) =>
        other !== subject &&
        has(other, 'zip') &&
        other.contents.zip > 0.5 &&
        sideOf(other) === sideOf(subject),
    )
    if (whole) return withWords(subject, [...subject.meaning.words, 'four'], 0)
  }
  // `POSTDIR` says itself where it stands.
  const isFirst = has(subject, 'postdirection') && !/PO?ST|SUF|END/i.test(subject.name)
  if (isFirst && !all.some((other) => has(other, 'direction'))) {
    return replace(subject, 'postdirection', 'direction')
  }
  if (has(subject, 'book') && has(subject, 'page') && c.words < 1.2) {
    const book = all.some((other) => has(other, 'book') && !has(other, 'page'))
    const page = all.some((other) => has(other, 'page') && !has(other, 'book'))
    if (book && !page) return withWords(subject, ['page'], 0)
  }
  return subject
}

const UNIT = /^(?:(?:UNIT|APT|#) ?)?(?:[A-Z]{0,2}-?\d+-?[A-Z]?|[A-Z])$/i

const isSiteLine = (subject: Subject) =>
  has(subject, 'site') && has(subject, 'address') && subject.contents.address > 0.5

const STREET_END =
  / (?:ST|STREET|AVE?|AVENUE|RD|ROAD|DR|DRIVE|LN|LANE|CT|BLVD|WAY|PIKE)\.?(?: [NSEW]{1,2})?$/i

const isBareStreet = (subject: Subject) =>
  has(subject, 'street') && isFilled(subject) && subject.contents.streetName > 0.7

type Side = 'site' | 'mail' | undefined

function sideOf(subject: Subject): Side {
  if (has(subject, 'site')) return 'site'
  return isMails(subject) ? 'mail' : undefined
}

/** Kinds of column that both the site and the mailing address have. */
type Kind = 'line' | 'city' | 'state' | 'zip' | 'place'

function kindOf(subject: Subject): Kind | undefined {
  const { words } = subject.meaning
  const rest = words.filter((word) => word !== 'site' && word !== 'mail' && !OWNERS.has(word))
  const parts = rest.filter((word) => PARTS.has(word))
  const known = rest.every(
    (word) => PARTS.has(word) || BESIDE.has(word) || (word.startsWith('?') && word.length < 5),
  )
  const isPlain = rest.every((word) => BESIDE.has(word)) && sideOf(subject) !== undefined
  const named = parts.length > 0 || isPlain
  if (!named || !known || rest.includes('four')) return undefined
  const [city, state, zip] = ['city', 'state', 'zip'].map((word) => parts.includes(word))
  if ((city && (state || zip)) || subject.contents.cityStateZip > 0.5) return 'place'
  if (city) return 'city'
  if (zip) return 'zip'
  // Texas's `State CD` is a code of use.
  const isNone = isFilled(subject) && subject.contents.state < 0.2
  if (state) return isNone ? undefined : 'state'
  return isFilled(subject) && subject.contents.address > 0.3 ? 'line' : undefined
}

/**
 * Decides whether an unmarked address is the site's or the mailing one. The other kind has its own,
 * it is next to columns of one kind, or its places vary.
 */
const settleLineSides: Step = (subject, all) => {
  if (kindOf(subject) !== 'line' || sideOf(subject) !== undefined) return subject
  const lines = all.filter((other) => kindOf(other) === 'line' && other !== subject)
  const sides = lines.map(sideOf)
  const own = subject.contents.poBox
  const sitesParts = all.some(
    (other) =>
      has(other, 'street') &&
      isFilled(other) &&
      (has(other, 'site') || (own > 0.02 && sideOf(other) === undefined && isBareStreet(other))),
  )
  // If neither is marked, the one with PO boxes is the owner's.
  const { words, ordinal } = subject.meaning
  const isNext = ({ meaning }: Subject) => ordinal > 0 && meaning.words.join() === words.join()
  const rivals = lines.filter((other) => sideOf(other) === undefined && !isNext(other))
  const boxes = rivals.map(({ contents }) => contents.poBox)
  if (own > Math.min(...boxes) + 0.02) return side(subject, 'mail')
  if (own < Math.max(...boxes) - 0.02) return side(subject, 'site')
  if (sides.includes('mail')) return side(subject, 'site')
  if (sides.includes('site') || sitesParts) return side(subject, 'mail')
  const isAlone = rivals.length === 0 && !all.some((other) => has(other, 'site'))
  return isAlone && (own > 0.02 || all.some(isFarPlace)) ? side(subject, 'mail') : subject
}

/**
 * A place or a state, of an unmarked address, that differs from most, as only mail's do. ZIP codes
 * of two states are not enough: a site's may be wrong, and the import counts them.
 */
function isFarPlace(subject: Subject): boolean {
  const kind = kindOf(subject)
  if (sideOf(subject) !== undefined || (kind !== 'place' && kind !== 'state')) return false
  const { texts } = subject.contents
  const states = kind === 'state' ? texts : texts.flatMap((text) => stateOfPlace(text) ?? [])
  const counts = [...Map.groupBy(states, (state) => state).values()].map(({ length }) => length)
  return states.length - Math.max(0, ...counts) > states.length * 0.02
}

/** City, state and ZIP belong to the address before them, unless that has its own. */
const settlePlaceSides: Step = (subject, all) => {
  const kind = kindOf(subject)
  if (kind === undefined || kind === 'line' || sideOf(subject) !== undefined) return subject
  const next = all.find((other) => isSibling(other, subject) && sideOf(other) !== undefined)
  if (next !== undefined) return side(subject, sideOf(next) ?? 'mail')
  const holds = (other: Subject) =>
    kindOf(other) === kind || (kindOf(other) === 'place' && has(other, kind))
  const own = all.filter((other) => other !== subject && holds(other)).map(sideOf)
  // A roll without owners has no mail.
  if (!all.some(isOfOwners)) return subject
  // States, and ZIP codes of several, are those of mail.
  const isFar = kind === 'state' && subject.contents.distinct > 4
  if (isFar || isFarZip(subject, all)) return side(subject, 'mail')
  if (own.includes('mail') && !own.includes('site')) return side(subject, 'site')
  if (own.includes('site') && !own.includes('mail')) return side(subject, 'mail')
  // So is the city before them.
  if (
    own.every((one) => one === undefined) &&
    all.some((one) => isFarZip(one, all) && isOfPlace(one, subject))
  )
    return side(subject, 'mail')
  // The situs line already contains the city.
  const isInLine = all.some((other) => has(other, 'site') && other.contents.oneLine > 0.6)
  if (isInLine && kind !== 'place') return side(subject, 'mail')
  const before = all
    .filter((other) => other.index < subject.index && subject.index - other.index <= 5)
    .filter((other) => kindOf(other) === 'line')
    .at(-1)
  const found = before === undefined ? undefined : sideOf(before)
  if (found === undefined) return subject
  return kind === 'place'
    ? withWords(subject, [found, 'city', 'state', 'zip'], 0)
    : side(subject, found)
}

/** Names other than those of deeds, or a part of the mailing address. */
const isOfOwners = (one: Subject) =>
  isFilled(one) &&
  !has(one, 'grantor') &&
  !has(one, 'grantee') &&
  ((one.contents.person > 0.3 && one.contents.distinct > 10) ||
    (isMails(one) && kindOf(one) !== undefined))

/** `ADDR3` with places is a line of the envelope that `ADDR1` begins. */
const isSibling = (one: Subject, other: Subject) =>
  one !== other &&
  other.meaning.ordinal > 0 &&
  has(other, 'address') &&
  one.name.replace(/\d+/, '') === other.name.replace(/\d+/, '')

/** `ZIP2` with the last four digits is of the address whose ZIP is before it. */
const settleFours: Step = (subject, all) => {
  if (!has(subject, 'four') || sideOf(subject) !== undefined) return subject
  const zip = all.find(({ index }) => index === subject.index - 1)
  const found = zip !== undefined && has(zip, 'zip') ? sideOf(zip) : undefined
  return found === undefined ? subject : side(subject, found)
}

/** A unit below the mail's line is the mail's: `ADDR_UNIT` after `ADDR_LINE`, one above a city. */
const settleUnits: Step = (subject, all) => {
  if (!has(subject, 'unit') || sideOf(subject) !== undefined) return subject
  const [before, after] = [-1, 1].map((step) =>
    all.find(({ index }) => index === subject.index + step),
  )
  const isBetween = after !== undefined && sideOf(after) === 'mail' && kindOf(after) === 'city'
  const [own, other] = [subject, before].map((one) => /^[A-Za-z]+(?=_)/.exec(one?.name ?? '')?.[0])
  const isAlike = isBetween || (own !== undefined && own === other)
  const isBelow = before !== undefined && kindOf(before) === 'line' && sideOf(before) === 'mail'
  return isAlike && isBelow ? side(subject, 'mail') : subject
}

const isFarZip = (subject: Subject, all: Subject[]) =>
  kindOf(subject) === 'zip' &&
  sideOf(subject) === undefined &&
  subject.contents.zipHome < 0.93 &&
  all.some((one) => kindOf(one) === 'line' && (isMails(one) || one.contents.poBox > 0.02))

/** Columns of one address are neighbours. */
const isOfPlace = (zip: Subject, { index }: Subject) =>
  index === zip.index || (index < zip.index && zip.index - index <= 3)

const side = (subject: Subject, found: 'site' | 'mail') =>
  withWords(subject, [found, ...subject.meaning.words])

/** Words of municipalities and districts that do not occur in postal city names. */
const MUNICIPAL = new RegExp(
  String.raw`\b(?:TOWNSHIP|TWP|T\/O|BORO|BOROUGH|CHARTER|UNINCORPORATED|UNINC|(?:CITY|TOWN` +
    String.raw`|VILLAGE|BOROUGH) OF|DISTRICT \d+)\b`,
  'i',
)

/**
 * The municipality is not the postal city. Townships are recognized by the column's name or values.
 * In a mailing address such a column is the city, because nothing else fits.
 */
const readMunicipality: Step = (subject) => {
  if (isMails(subject)) return replace(subject, 'municipality', 'city')
  const { texts, numeric, place } = subject.contents
  const isNamed = numeric < 0.5 && (place > 0.5 || municipalShare(texts) > 0.2)
  return has(subject, 'township') && isNamed
    ? replace(subject, 'township', 'municipality')
    : subject
}

/**
 * A column of cities or districts whose values are townships; postal city columns have only a few
 * such words.
 */
const readTownships: Step = (subject) => {
  const { words } = subject.meaning
  const { texts } = subject.contents
  // No post is called `COUNTY`.
  const outside = texts.filter((text) => OUTSIDE.test(text)).length
  const isMunicipal = municipalShare(texts) > 0.3 || outside > texts.length * 0.02
  if (isMails(subject) || !isMunicipal) return subject
  const isCity = words.includes('city') && !words.includes('state') && !words.includes('zip')
  if (isCity) return replace(subject, 'city', 'municipality')
  const isDistrict = words.every((word) => word === 'district' || word === 'name')
  return isDistrict ? replace(subject, 'district', 'municipality') : subject
}

const OUTSIDE = /^(?:COUNTY|UNINC\w*|UNINCORPORATED \w+|RURAL)\.?$/i

const municipalShare = (texts: string[]) =>
  texts.filter((text) => MUNICIPAL.test(text)).length / Math.max(1, texts.length)

const STEPS: Step[] = [
  ...FIRST_STEPS,
  readGrantees,
  readPayers,
  readPostalCity,
  readOwnersMail,
  readOwnersLines,
  readWholeNames,
  readOwnersPrefix,
  readMunicipality,
  readLines,
  readParts,
  settleLineSides,
  settlePlaceSides,
  settleFours,
  settleUnits,
  readTownships,
]
