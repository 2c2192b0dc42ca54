/** Parses the patterns of mappings into terms, as far as the time that they take depends on it. */

/** The characters of a sample that an atom fits; `any`: all, or not looked at. */
export type Atom = ReadonlySet<string> | 'any'

export type Term =
  | { kind: 'atom'; atom: Atom }
  | { kind: 'sequence' | 'either'; parts: Term[] }
  /** `^` */
  | { kind: 'start' }
  /** A group that reads nothing: `(?=…)`, `(?!…)`, `(?<=…)`, `(?<!…)`. */
  | { kind: 'look'; body: Term }
  | { kind: 'repeat'; body: Term; min: number; max: number }

/** Nothing: an anchor or a border of words. */
const NOTHING: Term = { kind: 'sequence', parts: [] }

/** Characters on which atoms are compared: ASCII, Latin-1 and some others. */
const SAMPLE = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['Ā', 'ſ', 'K', 'Ω', 'ж', '–', '’', '€', '漢', '😀', '\u2028', '\ufeff'],
]

/** Reports whether a term only matches at the start of a text. */
export function isAnchored(term: Term): boolean {
  if (term.kind === 'either') return term.parts.every(isAnchored)
  if (term.kind !== 'sequence') return term.kind === 'start'
  const first = term.parts.find(({ kind }) => kind !== 'look')
  return first !== undefined && isAnchored(first)
}

const LENGTH_MAX = 8000
/** Repetitions above this are taken as endless, and as many as this for the least. */
const COPIES_MAX = 100

/** `^(\d+)-\1$`, a number written twice, has one reading and takes as long as the text. */
const TWICE = /^\^\(\\d\+\)([-/ ])\\1\$$/

/**
 * Parses a pattern that the runtime accepts with the flags `iu`. Returns a sentence for what cannot
 * be bounded.
 */
export function parsePattern(source: string): Term | string {
  if (source.length > LENGTH_MAX) return `it has more than ${LENGTH_MAX} characters`
  const parser = new PatternParser(source.replace(TWICE, '^\\d+$1\\d+$$'))
  const term = parser.either()
  return parser.namesGroup ? 'it names a group again (\\1), which takes for ever' : term
}

const TOKEN = new RegExp(
  String.raw`\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|\d+|.)` +
    String.raw`|\[(?:\\.|[^\]\\])*\]|.`,
  'isuy',
)
const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y
const GROUP = /\((?:\?(?:([=!]|<[=!])|:|<[^>]*>|[a-z]*(?:-[a-z]*)?:))?/iy

class PatternParser {
  namesGroup = false
  readonly #source: string
  readonly #sample: string[]
  readonly #atoms = new Map<string, Atom>()
  #at = 0

  constructor(source: string) {
    this.#source = source
    this.#sample = [...new Set([...SAMPLE, ...source])]
  }

  either(): Term {
    const parts = [this.#sequence()]
    while (this.#source[this.#at] === '|') {
      this.#at += 1
      parts.push(this.#sequence())
    }
    return parts.length === 1 ? (parts[0] as Term) : { kind: 'either', parts }
  }

  #sequence(): Term {
    const parts: Term[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      parts.push(this.#quantified(this.#one()))
    }
    return { kind: 'sequence', parts }
  }

  #one(): Term {
    const group = this.#take(GROUP)
    if (group !== null) {
      const body = this.either()
      this.#at += 1
      return group[1] === undefined ? body : { kind: 'look', body }
    }
    const token = this.#take(TOKEN)?.[0] ?? ''
    if (token === '^') return { kind: 'start' }
    if (token === '$' || token === '\\b' || token === '\\B') return NOTHING
    if (/^\\(?:[1-9]|k)/.test(token)) this.namesGroup = true
    return { kind: 'atom', atom: this.#atom(token) }
  }

  #quantified(body: Term): Term {
    const found = this.#take(QUANTIFIER)
    if (found === null) return body
    const [, sign, least = '0', comma, most = ''] = found
    const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
    const endless = Number.POSITIVE_INFINITY
    const counted = comma === '' ? min : most === '' ? endless : Number(most)
    const max = sign === undefined ? counted : sign === '?' ? 1 : endless
    return {
      kind: 'repeat',
      body,
      min: Math.min(min, COPIES_MAX),
      max: max > COPIES_MAX ? endless : max,
    }
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found !== null) this.#at = pattern.lastIndex
    return found
  }

  #atom(token: string): Atom {
    const known = this.#atoms.get(token)
    if (known !== undefined) return known
    let atom: Atom = 'any'
    try {
      const pattern = new RegExp(`^(?:${token})$`, 'isu')
      atom = new Set(this.#sample.filter((character) => pattern.test(character)))
    } catch {
      // A part of a pattern that is none by itself, such as a group's number.
    }
    this.#atoms.set(token, atom)
    return atom
  }
}
