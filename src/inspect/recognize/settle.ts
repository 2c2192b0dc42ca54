/**
 * What a column's name leaves open, told by its values and by the columns beside it: whose address,
 * which part of it, which line of several. docs/decisions/inspect.md.
 */
import type { Contents } from '../sample/contents.ts'
import type { Subject } from './subject.ts'

/** Subjects with meanings that say more; the names themselves stay. */
export function settleMeanings(subjects: Subject[]): Subject[] {
  return STEPS.reduce((settled, step) => settled.map((one) => step(one, settled)), subjects)
}

type Step = (subject: Subject, all: Subject[]) => Subject

const OWNERS: ReadonlySet<string> = new Set(['owner', 'taxpayer'])
/** Words of the parts of an address. */
const PARTS: ReadonlySet<string> = new Set(
  `address line street house direction prefix suffix postdirection unit city state zip four
fraction country`.split(/\s+/),
)
/** Words that stand beside those without making something else of them. */
const BESIDE: ReadonlySet<string> = new Set(
  'number name kind code full primary current first total roll'.split(' '),
)

const has = ({ meaning }: Subject, word: string) => meaning.words.includes(word)
const isFilled = ({ contents }: Subject) => contents.texts.length > 0

function say(subject: Subject, words: string[], ordinal = subject.meaning.ordinal): Subject {
  return { ...subject, meaning: { words, ordinal } }
}

function replace(subject: Subject, word: string, by: string): Subject {
  return say(
    subject,
    subject.meaning.words.map((one) => (one === word ? by : one)),
  )
}

/**
 * `OWNER_CITY`, `taxpayer_street`: where the owner's mail goes. A number alone may be the owner's,
 * unless a street without one stands beside it.
 */
const readOwnersMail: Step = (subject, all) => {
  const { words } = subject.meaning
  if (!words.some((word) => OWNERS.has(word)) || has(subject, 'site')) return subject
  const isPart = words.some((word) => PARTS.has(word) && word !== 'line' && word !== 'first')
  const isOfParts =
    subject.contents.length < 10 &&
    (has(subject, 'number') || has(subject, 'kind')) &&
    all.some((other) => isOwnersStreet(other) && Math.abs(other.index - subject.index) < 5)
  if (!isPart && !isOfParts) return subject
  const mail = words.map((word) => (OWNERS.has(word) ? 'mail' : word))
  return say(
    subject,
    mail.filter((word, at) => mail.indexOf(word) === at),
  )
}

const isOwnersStreet = (subject: Subject) =>
  subject.meaning.words.some((word) => OWNERS.has(word)) &&
  has(subject, 'street') &&
  isFilled(subject) &&
  subject.contents.address < 0.4

/**
 * `py_owner_name`, `py_addr_city`: what begins as the owner's name does is the owner's too, where
 * the table has columns that begin otherwise.
 */
const readOwnersPrefix: Step = (subject, all) => {
  const prefix = prefixOf(subject)
  if (prefix === undefined || sideOf(subject) !== undefined) return subject
  if (!subject.meaning.words.some((word) => PARTS.has(word))) return subject
  const alike = all.filter((other) => prefixOf(other) === prefix)
  const isOwners = alike.some((other) => has(other, 'name') && isMails(other))
  return isOwners && alike.length < all.length * 0.6 ? side(subject, 'mail') : subject
}

/** The first piece of a column's name, where no word is known that it could be. */
function prefixOf({ name, meaning }: Subject): string | undefined {
  const [first, ...rest] = name.toUpperCase().split(/[_. ]/)
  return rest.length > 0 && meaning.words[0] === `?${first?.toLowerCase()}` ? first : undefined
}

/**
 * `ADDR1` to `ADDR4`, `TAXPAYER_NM` to `TAXPAYER_NM_3`: lines of an envelope hold whatever came
 * next.
 */
const readLines: Step = (subject, all) => {
  const { words, ordinal } = subject.meaning
  const isLine = words.some((word) => ENVELOPE.has(word))
  if (!isLine || ordinal < 1 || !isFilled(subject)) return subject
  const alike = all.filter(
    (other) => other.index !== subject.index && other.meaning.words.join() === words.join(),
  )
  if (alike.length === 0) return subject
  const side = has(subject, 'site') ? ['site'] : isMails(subject) ? ['mail'] : []
  const part = partOf(subject.contents)
  // Where several lines hold the place, since the one before it was short, they are read together.
  if (part?.length === 3 && alike.some(({ contents }) => contents.cityStateZip > 0.3))
    return subject
  if (part !== undefined) return say(subject, [...side, ...part], 0)
  const isNamed = has(subject, 'name') && !has(subject, 'address')
  return isNamed && subject.contents.address > 0.6 ? say(subject, ['mail', 'address'], 0) : subject
}

const ENVELOPE: ReadonlySet<string> = new Set(['address', 'line', 'mail', 'taxpayer'])

const isMails = ({ meaning }: Subject) =>
  meaning.words.some((word) => word === 'mail' || OWNERS.has(word))

/** What a line holds that is no street; `undefined`: a street, a name, or too little to tell. */
function partOf(c: Contents): string[] | undefined {
  if (c.zip > 0.7) return ['zip']
  if (c.state > 0.8) return ['state']
  if (c.cityStateZip > 0.5) return ['city', 'state', 'zip']
  const isPlace = c.place > 0.7 && c.address < 0.15 && c.person < 0.3 && c.organization < 0.2
  return isPlace && c.uniqueness < 0.5 ? ['city'] : undefined
}

/**
 * A street without its number, a number without its street, a state called `ST`, the end of a ZIP
 * code.
 */
const readParts: Step = (subject, all) => {
  const c = subject.contents
  if (!isFilled(subject)) return subject
  if (has(subject, 'street') && c.state > 0.9) return replace(subject, 'street', 'state')
  // `BILL_CITY_ST`
  const isCityState = has(subject, 'city') && has(subject, 'street') && c.cityStateZip > 0.5
  if (isCityState) return replace(subject, 'street', 'state')
  if (has(subject, 'address')) {
    if (c.houseNumber > 0.9 && c.numeric > 0.8 && all.some(isBareStreet))
      return replace(subject, 'address', 'house')
    const isStreet = c.address < 0.35 && c.streetName > 0.7 && c.numeric < 0.1 && c.place < 0.95
    const isBeside = all.some(
      (other) =>
        (has(other, 'house') || (has(other, 'street') && has(other, 'number'))) &&
        sideOf(other) === sideOf(subject),
    )
    if (isStreet && isBeside) return replace(subject, 'address', 'street')
  }
  const isEnd = c.integer > 0.9 && c.length <= 4.1 && c.zip === 0
  if (has(subject, 'zip') && !has(subject, 'four') && isEnd) {
    const whole = all.some(
      (other) =>
        other !== subject &&
        has(other, 'zip') &&
        other.contents.zip > 0.5 &&
        sideOf(other) === sideOf(subject),
    )
    if (whole) return say(subject, [...subject.meaning.words, 'four'], 0)
  }
  if (has(subject, 'postdirection') && !all.some((other) => has(other, 'direction'))) {
    return replace(subject, 'postdirection', 'direction')
  }
  if (has(subject, 'book') && has(subject, 'page') && c.words < 1.2) {
    const book = all.some((other) => has(other, 'book') && !has(other, 'page'))
    const page = all.some((other) => has(other, 'page') && !has(other, 'book'))
    if (book && !page) return say(subject, ['page'], 0)
  }
  return subject
}

/** `Last Sale`, `Amount`: a sum of money behind the date of a sale is its price. */
const readAmounts: Step = (subject, all) => {
  const { meaning, contents, index } = subject
  if (meaning.words.join() !== 'value' || contents.numeric < 0.9) return subject
  const before = all.find((other) => other.index === index - 1)
  const isSale = before !== undefined && has(before, 'sale') && before.contents.date > 0.5
  return isSale ? say(subject, ['sale', 'price']) : subject
}

const isBareStreet = (subject: Subject) =>
  has(subject, 'street') && isFilled(subject) && subject.contents.streetName > 0.7

type Side = 'site' | 'mail' | undefined

function sideOf(subject: Subject): Side {
  if (has(subject, 'site')) return 'site'
  return isMails(subject) ? 'mail' : undefined
}

/** The kinds of column of which both the site and the mail have one. */
type Kind = 'line' | 'city' | 'state' | 'zip' | 'place'

function kindOf(subject: Subject): Kind | undefined {
  const { words } = subject.meaning
  const rest = words.filter((word) => word !== 'site' && word !== 'mail' && !OWNERS.has(word))
  const parts = rest.filter((word) => PARTS.has(word))
  const known = rest.every(
    (word) => PARTS.has(word) || BESIDE.has(word) || (word.startsWith('?') && word.length < 5),
  )
  const named = parts.length > 0 || (rest.length === 0 && sideOf(subject) !== undefined)
  if (!named || !known || rest.includes('four')) return undefined
  const [city, state, zip] = ['city', 'state', 'zip'].map((word) => parts.includes(word))
  if ((city && (state || zip)) || subject.contents.cityStateZip > 0.5) return 'place'
  if (city) return 'city'
  if (zip) return 'zip'
  if (state) return 'state'
  return isFilled(subject) && subject.contents.address > 0.3 ? 'line' : undefined
}

/**
 * An address that is neither called the site's nor the mail's: the other has its own, or it stands
 * with one, or its values travel.
 */
const settleLineSides: Step = (subject, all) => {
  if (kindOf(subject) !== 'line' || sideOf(subject) !== undefined) return subject
  const lines = all.filter((other) => kindOf(other) === 'line' && other !== subject)
  const sides = lines.map(sideOf)
  const sitesParts = all.some(
    (other) => has(other, 'site') && has(other, 'street') && isFilled(other),
  )
  // Of two that are called neither, mail to boxes tells which is the owner's.
  const { words, ordinal } = subject.meaning
  const isNext = ({ meaning }: Subject) => ordinal > 0 && meaning.words.join() === words.join()
  const boxes = lines.filter((other) => sideOf(other) === undefined && !isNext(other)).map(poBoxOf)
  if (poBoxOf(subject) > Math.min(...boxes) + 0.02) return side(subject, 'mail')
  if (poBoxOf(subject) < Math.max(...boxes) - 0.02) return side(subject, 'site')
  if (sides.includes('mail')) return side(subject, 'site')
  if (sides.includes('site') || sitesParts) return side(subject, 'mail')
  return subject
}

const poBoxOf = ({ contents }: Subject) => contents.poBox

/** City, state and ZIP go with the address before them, unless that has its own. */
const settlePlaceSides: Step = (subject, all) => {
  const kind = kindOf(subject)
  if (kind === undefined || kind === 'line' || sideOf(subject) !== undefined) return subject
  const own = all.filter((other) => other !== subject && kindOf(other) === kind).map(sideOf)
  if (own.includes('mail') && !own.includes('site')) return side(subject, 'site')
  if (own.includes('site') && !own.includes('mail')) return side(subject, 'mail')
  if (kind === 'state' && subject.contents.distinct > 4) return side(subject, 'mail')
  // The site's own city stands in its line.
  const isInLine = all.some((other) => has(other, 'site') && other.contents.oneLine > 0.6)
  if (isInLine && kind !== 'place') return side(subject, 'mail')
  const before = all
    .filter((other) => other.index < subject.index && subject.index - other.index <= 5)
    .filter((other) => kindOf(other) === 'line')
    .at(-1)
  const found = before === undefined ? undefined : sideOf(before)
  if (found === undefined) return subject
  return kind === 'place' ? say(subject, [found, 'city', 'state', 'zip'], 0) : side(subject, found)
}

const side = (subject: Subject, found: 'site' | 'mail') =>
  say(subject, [found, ...subject.meaning.words])

/** Words of municipalities and districts that no post office has in its name. */
const MUNICIPAL =
  /\b(?:TOWNSHIP|TWP|T\/O|BORO|BOROUGH|CHARTER|UNINCORPORATED|UNINC|(?:CITY|TOWN|VILLAGE|BOROUGH) OF|DISTRICT \d+)\b/i

/**
 * The municipality is not the post office's city. A column of townships is told by its name or by
 * its values; in the mail a column called so is the city, as nothing else can be meant.
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
 * A column of cities or districts whose values are townships; a few such words stand in columns of
 * post offices too.
 */
const readTownships: Step = (subject) => {
  const { words } = subject.meaning
  if (isMails(subject) || municipalShare(subject.contents.texts) <= 0.3) return subject
  const isCity = words.includes('city') && !words.includes('state') && !words.includes('zip')
  if (isCity) return replace(subject, 'city', 'municipality')
  const isDistrict = words.every((word) => word === 'district' || word === 'name')
  return isDistrict ? replace(subject, 'district', 'municipality') : subject
}

const municipalShare = (texts: string[]) =>
  texts.filter((text) => MUNICIPAL.test(text)).length / Math.max(1, texts.length)

const STEPS: Step[] = [
  readOwnersMail,
  readOwnersPrefix,
  readMunicipality,
  readLines,
  readParts,
  settleLineSides,
  settlePlaceSides,
  readTownships,
  readAmounts,
]
