/** Drafts the buildings of a parcel. */
import { BEDS } from '../recognize/field-fits.ts'
import { type Guess, guessOf } from '../recognize/guess.ts'
import { scoreField } from '../recognize/score.ts'
import type { Subject } from '../recognize/subject.ts'
import { shareOf } from '../sample/contents.ts'
import { zeroIsUnknown } from './compose-land.ts'
import { type DraftBuilder, percent } from './draft-builder.ts'

export function composeBuilding(builder: DraftBuilder): void {
  builder.take('buildingCount')
  const units = builder.look('unitCount')
  builder.put('unitCount', units, zeroIsUnknown(units))
  composeBuildingArea(builder)
  for (const field of ['yearBuilt', 'effectiveYearBuilt']) putOfKinds(builder, field)
  composeStories(builder)
  const beds = builder.look('buildings.totalBedrooms')
  // `3 Bedrooms`: the number at the beginning.
  const isText = beds?.subject.contents.texts.some((text) => BEDS.test(text))
  builder.put('buildings.totalBedrooms', beds, isText ? { cut: '^\\d+' } : {})
  const rooms = builder.look('buildings.totalRooms')
  builder.put('buildings.totalRooms', rooms, zeroIsUnknown(rooms))
  composeBathrooms(builder)
  for (const field of PLAIN_BUILDING) {
    const guess = builder.look(`buildings.${field}`)
    const text = guess === undefined ? undefined : textOf(builder, field, guess)
    if (guess === undefined || text === undefined) builder.put(`buildings.${field}`, guess)
    else
      builder.put(`buildings.${field}`, text, {}, `the text of the code in ${guess.subject.name}`)
  }
}

/** `HEAT_TYPE` 2 and `HEAT_DESC` Hot air: the text says more than its code. */
function textOf(builder: DraftBuilder, field: string, guess: Guess): Guess | undefined {
  const isCode = ({ contents: c }: Subject) =>
    c.texts.length > 0 && (c.numeric > 0.8 || c.length < 3.2)
  if (!isCode(guess.subject) || !CODED.includes(field)) return undefined
  for (const subject of builder.subjects) {
    const { numeric, distinct, texts } = subject.contents
    if (subject.index === guess.subject.index || texts.length === 0 || isCode(subject)) continue
    const { byName, byContents } = scoreField(`buildings.${field}`, subject)
    if (byName < 0.75 || byContents < 0.4 || numeric > 0.1 || distinct > 200) continue
    return { ...guess, subject, byName, byContents }
  }
  return undefined
}

const PLAIN_BUILDING =
  `buildingStyle constructionType wallType roofType foundationType basementType heatingType
coolingType heatingFuel garageType garageCount fireplaceCount pool`.split(/\s+/)
/** Fields whose text is worth more than a code. */
const CODED = PLAIN_BUILDING.slice(0, 10)

/** Uses the living area when the roll has one, and the building's area when it is 0. */
function composeBuildingArea(builder: DraftBuilder): void {
  const area = builder.look('buildings.buildingArea')
  if (area === undefined) return
  const { words } = area.subject.meaning
  const wider = builder.subjects.find(({ index, meaning, contents }) => {
    const plain = meaning.words.filter((word) => !['total', 'gross', 'net'].includes(word))
    const isBuilding = ['building area', 'building sqft'].includes(plain.join(' '))
    return index !== area.subject.index && isBuilding && contents.numeric > 0.9
  })
  const narrow = words.includes('residence') || words.includes('living')
  if (wider === undefined || !narrow) {
    putOfKinds(builder, 'buildingArea', zeroIsUnknown(area))
    return
  }
  const value = [area.subject.name, wider.name].map((column) => ({ column, nulls: ['0'] }))
  builder.add('buildings.buildingArea', { first: value }, [area], `else ${wider.name}`)
}

/** `resb_yearbuilt` and `cib_yearbuilt`: dwellings and other buildings have columns each. */
function putOfKinds(builder: DraftBuilder, field: string, rule: object = {}): void {
  const guess = builder.look(`buildings.${field}`)
  if (guess === undefined) return
  const own = guess.subject
  const isThere = (row: readonly string[], at: number) => Number(row[at] ?? 0) > 0
  const other = builder.subjects.find((subject) => {
    if (subject === own || !isOtherKind(subject, own, field)) return false
    const { byName, byContents } = scoreField(`buildings.${field}`, subject)
    const { kept } = builder.sample
    const alone = kept.filter((row) => !isThere(row, own.index) && isThere(row, subject.index))
    return byName > 0.4 && byContents > 0.5 && alone.length > kept.length * 0.02
  })
  if (other === undefined) {
    builder.put(`buildings.${field}`, guess, rule)
    return
  }
  const pair = [own, other].toSorted((a, b) => filledOf(b) - filledOf(a)).map(({ name }) => name)
  const first = pair.map((column) => ({ column, nulls: ['0'] }))
  builder.add(`buildings.${field}`, { first }, [guess], `else ${pair[1]}, for other buildings`)
}

/** The same words but for the kind of building, or an area of commercial ones. */
function isOtherKind(subject: Subject, own: Subject, field: string): boolean {
  const hasKind = (one: Subject) => one.meaning.words.some((word) => KINDS.has(word))
  const isSame = wordsOf(subject) === wordsOf(own)
  const { words } = subject.meaning
  const isArea = field === 'buildingArea' && words.includes('commercial')
  const isSize = words.some((word) => word === 'sqft' || word === 'area')
  return (isSame && (hasKind(subject) || hasKind(own))) || (isArea && isSize)
}

const filledOf = ({ contents }: Subject) => contents.texts.length
const KINDS: ReadonlySet<string> = new Set(['residence', 'commercial', 'agricultural', 'building'])
/** The words but for those of a kind of building. */
const wordsOf = ({ meaning: { words } }: Subject) =>
  words.filter((word) => !KINDS.has(word) && !word.startsWith('?')).join(' ')

const STORIES = '(?:STORY|STORIES|STY)\\b'

/** Reads stories from a description when there is no column: `1 1/2 Story`, `ROW 2 STY MASONRY`. */
function composeStories(builder: DraftBuilder): void {
  const own = builder.look('buildings.stories')
  const pattern = new RegExp(`\\d[ -]*${STORIES}`, 'i')
  const isNumber =
    own !== undefined && !own.subject.contents.texts.some((text) => pattern.test(text))
  if (isNumber) {
    builder.put('buildings.stories', own, zeroIsUnknown(own))
    return
  }
  for (const subject of own === undefined ? builder.subjects : [own.subject]) {
    const { texts, distinct } = subject.contents
    const share = shareOf(texts, (text) => pattern.test(text))
    if (own === undefined && (share < 0.3 || distinct > 800)) continue
    const cases = [1, 2, 3, 4].flatMap((number) => [
      {
        pattern: `\\b${number}[ -](?:1/2|½)[ -]*${STORIES}|\\b${number}\\.5[ -]*${STORIES}`,
        gives: number + 0.5,
      },
      { pattern: `(?<![\\d/.])${number}[ -]*${STORIES}`, gives: number },
    ])
    const rule = own === undefined ? { cases, otherwise: null } : { cases }
    const note = `${percent(share)} name a number of stories`
    builder.put('buildings.stories', guessOf('stories', subject, 0.7, [0, share]), rule, note)
    return
  }
}

/** Half baths count a half. */
function composeBathrooms(builder: DraftBuilder): void {
  const [full, half] = [builder.look('buildings.totalBathrooms'), builder.look('halfBaths')]
  if (full === undefined) return
  const { words } = full.subject.meaning
  const isTotal = words.includes('total') && !words.includes('full')
  const whole = full.subject.contents.decimal > 0.02 || isTotal
  if (half === undefined || whole) {
    builder.put('buildings.totalBathrooms', full)
    return
  }
  const sum = [full.subject.name, { column: half.subject.name, times: 0.5 }]
  builder.add('buildings.totalBathrooms', { sum }, [full, half], 'half baths count a half')
}
