/** Reads columns whose meaning follows only from another column's name or from their values. */
import type { Subject } from './subject.ts'

/** Letters that make a column of the owner's of the name of another one. */
const OWNERS_LETTER = /^[OM](?=[A-Z])/
/** Words of an address. Only these occur twice in a table, for the site and for the owner. */
const PLACE: ReadonlySet<string> = new Set(['city', 'state', 'zip', 'address', 'street', 'house'])

/**
 * With `OCITYNAME` and `CITYNAME`, or `MZIP1` and `ZIP1`, the longer name is the owner's and the
 * other one the site's.
 */
export function readTwins(subject: Subject, all: Subject[]): Subject {
  const name = subject.name.toUpperCase()
  if (!OWNERS_LETTER.test(name)) return subject
  const twin = all.find((other) => other.name.toUpperCase() === name.slice(1))
  const words = twin?.meaning.words ?? []
  const isPlain = !words.includes('mail') && !words.includes('owner')
  if (twin === undefined || !isPlain || !words.some((word) => PLACE.has(word))) return subject
  return { ...subject, meaning: { words: ['mail', ...words], ordinal: twin.meaning.ordinal } }
}

/**
 * Reads a column whose name has only a word for the mailing or site address (`mail_postal`) as ZIP
 * codes, if its values are.
 */
export function readBareZip(subject: Subject): Subject {
  const [side, ...rest] = subject.meaning.words
  const isBare = rest.length === 0 && (side === 'mail' || side === 'site')
  if (!isBare || subject.contents.zip < 0.9) return subject
  return { ...subject, meaning: { words: [side, 'zip'], ordinal: 0 } }
}

/** `Last Sale`, `Amount`: an amount after a sale date is its price. */
export function readAmounts(subject: Subject, all: Subject[]): Subject {
  const { meaning, contents, index } = subject
  if (meaning.words.join() !== 'value' || contents.numeric < 0.9) return subject
  const before = all.find((other) => other.index === index - 1)
  const isSale = before?.meaning.words.includes('sale') === true && before.contents.date > 0.5
  return isSale ? { ...subject, meaning: { ...meaning, words: ['sale', 'price'] } } : subject
}
