/** Scores the name and the values of a column for each field. */
import { readFolded } from '../../base/tables.ts'
import { FITS, type FitName } from './field-fits.ts'
import type { Meaning } from './name-words.ts'
import { dedupe, type Subject } from './subject.ts'

type Target = {
  field: string
  several: boolean
  isPart: boolean
  fit: FitName
  rules: { words: string[]; ordinal: number | undefined; weight: number }[]
}

/** Reports whether the field is none of the record but a part of one. */
export const isPart = (field: string) => MADE.has(field)

/** Reports whether several columns may form the field. */
export const isSeveral = (field: string) => SEVERAL.has(field)

/** Scores a column's names and values for every field, 0 to 1. */
export function* scoreAll(
  subject: Subject,
): Generator<{ field: string; byName: number; byContents: number }> {
  for (const target of TARGETS) {
    const byContents = FITS[target.fit](subject.contents)
    yield { field: target.field, byName: scoreNames(subject, target), byContents }
  }
}

/** Scores a column's name and values for one field, even if another field took the column. */
export function scoreField(
  field: string,
  subject: Subject,
): { byName: number; byContents: number } {
  const target = TARGETS.find((one) => one.field === field)
  if (target === undefined) return { byName: 0, byContents: 0 }
  return { byName: scoreNames(subject, target), byContents: FITS[target.fit](subject.contents) }
}

/** Scores a column's name and alias for a field; an alias that fits best counts fully. */
function scoreNames(
  { meaning, alias }: Pick<Subject, 'meaning' | 'alias'>,
  target: Target,
): number {
  if (/^transfers|^taxValue$/.test(target.field) && [meaning, alias].some(isOfTax)) return 0
  const byName = scoreName(meaning, target)
  return alias === undefined ? byName : Math.max(byName, scoreName(alias, target))
}

/** A tax sale is of a debt and no sale; the tax on a sale is no price, and not the yearly tax. */
const isOfTax = (meaning: Meaning | undefined) =>
  ['tax', 'sale'].every((word) => meaning?.words.includes(word))

/** Scores a name for a field: the best of its rules, less a penalty for every word outside it. */
const scoreName = (meaning: Meaning, target: Target) => bestRule(meaning, target).score

function bestRule({ words, ordinal }: Meaning, target: Target): { score: number; left: string[] } {
  let best: { score: number; left: string[] } = { score: 0, left: [] }
  for (const rule of target.rules) {
    if (rule.weight <= best.score) continue
    if (rule.ordinal !== undefined && rule.ordinal !== ordinal) continue
    const left = [...words]
    const fits = rule.words.every((word) => {
      const at = left.indexOf(word)
      if (at >= 0) left.splice(at, 1)
      return at >= 0
    })
    if (!fits) continue
    let score = rule.weight
    for (const word of left) score -= costOf(word, target.fit)
    if (rule.ordinal === undefined && ordinal >= 2 && ordinal <= 5) score -= 0.3
    if (score > best.score) best = { score, left }
  }
  return best
}

/**
 * Returns the words of a column's name that a field does not explain. These are unknown ones of two
 * letters or more, and those that make something else of it. None where no name fits at all.
 */
export function strangeWords(field: string, { meaning, alias }: Subject): string[] {
  const target = TARGETS.find((one) => one.field === field)
  if (target === undefined) return []
  const [own, shown] = [meaning, alias].map((one) => one && bestRule(one, target))
  const best = (shown?.score ?? 0) > (own?.score ?? 0) ? shown : own
  return (best?.left ?? []).filter((word) =>
    word.startsWith('?') ? word.length > 2 : costOf(word, target.fit) > 0.3,
  )
}

export const kindOf = (field: string) => TARGETS.find((one) => one.field === field)?.fit

/** Returns the penalty of a word outside a rule. */
function costOf(word: string, fit: FitName): number {
  if (word.startsWith('?')) return 0.07
  if (COSTS.get(fit)?.has(word) || COSTS.get('heavy')?.has(word)) return 0.4
  return COSTS.get('light')?.has(word) ? 0.04 : 0.2
}

/** Words by `word-costs.txt`: heavy ones, light ones, and strange ones of a kind of values. */
const COSTS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  readFolded('word-costs.txt').map((line) => {
    const [kind = '', words = ''] = line.split(': ')
    return [kind, new Set(words.split(' '))]
  }),
)

/** An owner's or a deed's number is no parcel's, however seldom it repeats. */
export const isParty = (word: string) => COSTS.get('party')?.has(word) === true

/** Lines `FIELD | KIND | NAME=PERCENT, …`. */
const TARGETS: Target[] = readFolded('field-names.txt').map((line) => {
  const [name = '', fit = '', names = ''] = line.split(' | ')
  return {
    field: name.replace(/[+*]+$/, ''),
    several: name.includes('+'),
    isPart: name.includes('*'),
    fit: fit as FitName,
    rules: names.split(', ').map(readRule),
  }
})

const fieldsOf = (test: (one: Target) => boolean): ReadonlySet<string> =>
  new Set(TARGETS.filter(test).map(({ field }) => field))
const SEVERAL = fieldsOf(({ several }) => several)
const MADE = fieldsOf(({ isPart }) => isPart)

function readRule(text: string): Target['rules'][number] {
  const [meaning = '', weight = ''] = text.split('=')
  const words = meaning.split(' ').filter((word) => !/^#?\d+$/.test(word))
  const ordinal = /#(\d+)/.exec(meaning)?.[1]
  return {
    words: dedupe(words),
    ordinal: ordinal === undefined ? undefined : Number(ordinal),
    weight: Number(weight) / 100,
  }
}
