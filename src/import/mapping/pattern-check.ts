/**
 * Decides how long a pattern of a mapping may take.
 *
 * The runtime's expressions backtrack: `^(([a-z ])+)+$` tries 2ⁿ ways on n letters. A pattern is
 * turned into an automaton of its positions (Glushkov 1961). It is refused when a loop can read one
 * text in two ways, which makes it exponential. Source: Weber and Seidl 1991, "On the degree of
 * ambiguity of finite automata". Otherwise loops that follow each other and share characters make
 * it a power of the length. The power sets the longest text that it is run on.
 */
import { CommandError } from '../../base/errors.ts'
import { type Atom, isAnchored, parsePattern, type Term } from './pattern-terms.ts'

type CheckedPattern = {
  /** Most characters of a text; a longer one counts as not matching. */
  textMax: number
}

/** Most positions, after counted repetitions are written out. */
const POSITIONS_MAX = 3000
/** Most positions that one loop holds: pairs of them are compared. */
const LOOP_MAX = 500
/** Most characters by the power of the length; about a second at worst. */
const TEXT_MAX = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, 20_000, 1200]

/** Checks a pattern. Returns why it is refused, as a sentence, when it may take for ever. */
export function checkPattern(source: string): CheckedPattern | string {
  const known = CHECKED.get(source) ?? check(source)
  if (CHECKED.size < CHECKED_MAX) CHECKED.set(source, known)
  return known
}

/** Returns why a text cannot be a pattern; `undefined` when it can. */
export function explainPattern(source: string): string | undefined {
  try {
    new RegExp(source, 'iu')
  } catch {
    return 'it is no regular expression'
  }
  const checked = checkPattern(source)
  return typeof checked === 'string' ? checked : undefined
}

/** Texts up to this length are read in a millisecond at worst, so their time is not measured. */
const SHORT = 200
/** A run of so much processor time is slow; garbage that is collected meanwhile takes less. */
const SLOW_MS = 50
/** Most processor time of all slow runs of a pattern: no signal stops the thread meanwhile. */
const SLOW_MAX_MS = 5_000
/** Most characters of what a replacement makes. */
const MADE_MAX = 1_000_000

/** A compiled pattern. Its calls throw `CommandError` when they have taken too long together. */
export class BoundPattern {
  readonly textMax: number
  readonly #pattern: RegExp
  readonly #slowMaxMs: number
  #slowMs = 0

  /** Throws for a pattern that the check of its mapping would have refused. */
  constructor(source: string, flags: 'iu' | 'giu', slowMaxMs = SLOW_MAX_MS) {
    const checked = checkPattern(source)
    if (typeof checked === 'string') throw new CommandError(`the pattern ${source}: ${checked}`)
    this.#pattern = new RegExp(source, flags)
    this.textMax = checked.textMax
    this.#slowMaxMs = slowMaxMs
  }

  exec(text: string): RegExpExecArray | null {
    if (text.length > this.textMax) return null
    if (text.length <= SHORT) return this.#pattern.exec(text)
    return this.#measure(() => this.#pattern.exec(text))
  }

  test(text: string): boolean {
    return text.length <= SHORT ? this.#pattern.test(text) : this.exec(text) !== null
  }

  /** Throws `CommandError` for a text that grows without measure. */
  replace(text: string, by: string): string {
    if (text.length > this.textMax) return text
    if (text.length <= SHORT && by.length <= SHORT) return text.replace(this.#pattern, by)
    try {
      const made = this.#measure(() => text.replace(this.#pattern, by))
      if (made.length <= MADE_MAX) return made
    } catch (error) {
      // A text that is longer than the runtime takes.
      if (!(error instanceof RangeError)) throw error
    }
    throw new CommandError(
      `the pattern ${this.#pattern.source} makes more than a million characters of one value`,
    )
  }

  #measure<Result>(run: () => Result): Result {
    const from = process.threadCpuUsage()
    const result = run()
    const { user, system } = process.threadCpuUsage(from)
    const ms = (user + system) / 1000
    if (ms > SLOW_MS) this.#slowMs += ms
    if (this.#slowMs <= this.#slowMaxMs) return result
    throw new CommandError(
      `the pattern ${this.#pattern.source} takes too long on the values of this roll`,
    )
  }
}

const CHECKED = new Map<string, CheckedPattern | string>()
const CHECKED_MAX = 5000

/** Returns what was checked, for a thread that runs the same patterns. */
export const listChecked = (): [string, CheckedPattern | string][] => [...CHECKED]

/** Takes what another thread has checked: a long pattern takes 60 ms. */
export function takeChecked(checked: ReturnType<typeof listChecked>): void {
  for (const [source, known] of checked) CHECKED.set(source, known)
}

function check(source: string): CheckedPattern | string {
  const term = parsePattern(source)
  if (typeof term === 'string') return term
  const graph = new PositionGraph()
  graph.build(term)
  if (graph.positions.length > POSITIONS_MAX) return 'it repeats too much'
  const loops = findLoops(graph)
  for (const loop of loops) {
    if (loop.length > LOOP_MAX) return 'a repeated part of it is too long'
    if (isAmbiguous(graph, new Set(loop))) {
      return 'a repetition in it can read the same text in several ways, which takes for ever'
    }
  }
  if (hasManyWays(graph)) return 'it can divide a text in too many ways, which takes for ever'
  const textMax = TEXT_MAX[countPower(graph, loops)]
  return textMax === undefined ? 'it has too many repetitions after each other' : { textMax }
}

type Ends = { first: number[]; last: number[]; nullable: boolean }

/** Positions of a pattern, and which may follow which. */
class PositionGraph {
  readonly positions: Atom[] = []
  readonly next: number[][] = []
  /** Pairs that follow each other in two ways: a loop directly in a loop. */
  readonly double = new Set<string>()
  /** Positions at which a text begins. */
  start: number[] = []
  /** Bits of the choices between parts, and between reading a part and leaving it out. */
  choices = 0

  build(term: Term): void {
    this.start = this.#add(term).first
    if (isAnchored(term)) return
    // A search begins at every character, which is a loop in front.
    const front = this.#add({ kind: 'atom', atom: 'any' })
    this.#link(front.last, [...front.first, ...this.start])
    this.start = [...front.first, ...this.start]
  }

  #add(term: Term): Ends {
    switch (term.kind) {
      case 'atom': {
        const at = this.positions.push(term.atom) - 1
        this.next.push([])
        return { first: [at], last: [at], nullable: false }
      }
      case 'start':
        return { first: [], last: [], nullable: true }
      case 'look': {
        // Its end leads nowhere: what follows begins at its start again.
        const { first } = this.#add(term.body)
        return { first, last: [], nullable: true }
      }
      case 'either': {
        const all = term.parts.map((part) => this.#add(part))
        this.choices += Math.log2(term.parts.length)
        return {
          first: all.flatMap(({ first }) => first),
          last: all.flatMap(({ last }) => last),
          nullable: all.some(({ nullable }) => nullable),
        }
      }
      case 'sequence':
        return term.parts.reduce<Ends>((ends, part) => this.#join(ends, this.#add(part)), {
          first: [],
          last: [],
          nullable: true,
        })
      case 'repeat':
        return this.#repeat(term)
    }
  }

  #join(a: Ends, b: Ends): Ends {
    this.#link(a.last, b.first)
    return {
      first: a.nullable ? [...a.first, ...b.first] : a.first,
      last: b.nullable ? [...a.last, ...b.last] : b.last,
      nullable: a.nullable && b.nullable,
    }
  }

  #repeat({ body, min, max }: Term & { kind: 'repeat' }): Ends {
    let ends: Ends = { first: [], last: [], nullable: true }
    /** What leads to the next copy. */
    let before: number[] = []
    const copies = max === Number.POSITIVE_INFINITY ? Math.max(min, 1) : max
    for (let count = 1; count <= copies && this.positions.length <= POSITIONS_MAX; count += 1) {
      const copy = this.#add(body)
      if (count === copies && max === Number.POSITIVE_INFINITY) this.#link(copy.last, copy.first)
      if (count > min || copy.nullable) this.choices += 1
      if (count <= min) {
        ends = this.#join(ends, copy)
        before = ends.last
        continue
      }
      // A copy above the least reads something, after the copy before it did.
      this.#link(before, copy.first)
      before = copy.last
      const isFirst = count === min + 1 && ends.nullable
      ends = {
        first: isFirst ? [...ends.first, ...copy.first] : ends.first,
        last: [...ends.last, ...copy.last],
        nullable: ends.nullable,
      }
    }
    return ends
  }

  #link(from: number[], to: number[]): void {
    for (const a of from) {
      const next = this.next[a] as number[]
      const known = new Set(next)
      for (const b of to) {
        if (known.has(b)) this.double.add(`${a} ${b}`)
        else next.push(b)
      }
    }
  }
}

/** Finds the strongly connected sets of positions with an edge inside (Tarjan 1972). */
function findLoops({ next }: PositionGraph): number[][] {
  const [index, low] = [new Int32Array(next.length).fill(-1), new Int32Array(next.length)]
  const [stack, onStack] = [[] as number[], new Set<number>()]
  const loops: number[][] = []
  let count = 0
  const visit = (at: number): void => {
    index[at] = low[at] = count
    count += 1
    stack.push(at)
    onStack.add(at)
    for (const to of next[at] ?? []) {
      if (index[to] === -1) {
        visit(to)
        low[at] = Math.min(low[at] as number, low[to] as number)
      } else if (onStack.has(to)) low[at] = Math.min(low[at] as number, index[to] as number)
    }
    if (low[at] !== index[at]) return
    const own = stack.splice(stack.lastIndexOf(at))
    for (const one of own) onStack.delete(one)
    if (own.length > 1 || next[at]?.includes(at) === true) loops.push(own)
  }
  for (let at = 0; at < next.length; at += 1) if (index[at] === -1) visit(at)
  return loops
}

/**
 * Reports whether a loop can read a text in two ways: two different positions are reached together
 * from one, and lead together to one again.
 */
function isAmbiguous({ positions, next, double }: PositionGraph, loop: Set<number>): boolean {
  for (const pair of double) {
    const [from, to] = pair.split(' ').map(Number)
    if (loop.has(from as number) && loop.has(to as number)) return true
  }
  const own = [...loop]
  const after = new Map(own.map((at) => [at, (next[at] ?? []).filter((to) => loop.has(to))]))
  const size = positions.length
  const back = new Map<number, number[]>()
  const seen = new Set<number>()
  const open: number[] = own.map((at) => at * size + at)
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (seen.has(pair)) continue
    seen.add(pair)
    for (const a of after.get(Math.floor(pair / size)) ?? []) {
      for (const b of after.get(pair % size) ?? []) {
        if (!doShare(positions[a] ?? 'any', positions[b] ?? 'any')) continue
        const to = a * size + b
        back.getOrInsertComputed(to, () => []).push(pair)
        if (!seen.has(to)) open.push(to)
      }
    }
  }
  const leading = new Set<number>()
  const behind: number[] = own.map((at) => at * size + at)
  for (let pair = behind.pop(); pair !== undefined; pair = behind.pop()) {
    if (leading.has(pair)) continue
    leading.add(pair)
    if (Math.floor(pair / size) !== pair % size) return true
    behind.push(...(back.get(pair) ?? []))
  }
  return false
}

function doShare(a: Atom, b: Atom): boolean {
  if (a === 'any' || b === 'any') return true
  for (const character of a) if (b.has(character)) return true
  return false
}

/** Most ways to read a text without an end; so many choices, as bits, need no count. */
const WAYS_MAX = 1_000_000
const CHOICES_FREE = Math.log2(WAYS_MAX)
/** Characters of the text that is counted. Loops alone give their power of it. */
const COUNTED = 100
const TEXTS = 8

/**
 * Reports whether parts that are repeated a limited number of times, such as `(a?){50}`, read a
 * text in too many ways. Counts them on the texts that have had the most so far.
 */
function hasManyWays({ positions, next, start, choices }: PositionGraph): boolean {
  if (choices < CHOICES_FREE) return false
  const samples = new Set(positions.flatMap((atom) => (atom === 'any' ? [''] : [...atom])))
  const kinds = new Map<string, boolean[]>()
  for (const sample of samples) {
    const fits = positions.map((atom) => atom === 'any' || atom.has(sample))
    kinds.set(fits.map(Number).join(''), fits)
  }
  const first = new Float64Array(positions.length)
  for (const at of start) first[at] = 1
  let texts: Float64Array[] = [first]
  for (let length = 0; length < COUNTED; length += 1) {
    const longer = texts.flatMap((at) =>
      [...kinds.values()].map((fits) => ({ at, fits, sum: countNext(at, fits, next) })),
    )
    // Only those that are kept are read: lists for all of them took most of the time.
    const most = longer.sort((a, b) => b.sum - a.sum).slice(0, TEXTS)
    if ((most[0]?.sum ?? 0) > WAYS_MAX) return true
    texts = most.filter(({ sum }) => sum > 0).map(({ at, fits }) => readOne(at, fits, next))
  }
  return false
}

/**
 * Counts the ways after one more character. `at`: in how many ways a text that was read so far
 * waits at each position. `fits`: the positions that the character fits.
 */
function countNext(
  at: Float64Array,
  fits: readonly boolean[],
  next: PositionGraph['next'],
): number {
  let sum = 0
  for (let from = 0; from < at.length; from += 1) {
    const count = at[from] as number
    if (count > 0 && fits[from] === true) sum += count * (next[from] as number[]).length
  }
  return sum
}

/** Reads one more character. Returns the ways at each position. */
function readOne(
  at: Float64Array,
  fits: readonly boolean[],
  next: PositionGraph['next'],
): Float64Array {
  const to = new Float64Array(at.length)
  for (let from = 0; from < at.length; from += 1) {
    const count = at[from] as number
    if (count === 0 || fits[from] !== true) continue
    for (const one of next[from] ?? []) to[one] = (to[one] as number) + count
  }
  return to
}

/**
 * Returns the power of the length that a search may take. It is 1, and 1 more for each two loops on
 * a way through the pattern that can divide a text in several ways.
 */
function countPower(graph: PositionGraph, loops: number[][]): number {
  const loopOf = new Map(loops.flatMap((loop, at) => loop.map((one) => [one, at] as const)))
  const reached = loops.map((loop) => loopsFrom(loop, graph, loopOf, () => true))
  const divided = loops.map((loop) => {
    const fits = (at: number) => loop.some((one) => doShare(atomOf(graph, one), atomOf(graph, at)))
    return loopsFrom(loop, graph, loopOf, fits)
  })
  const known = new Map<number, number>()
  const longest = (at: number): number => {
    const before = known.get(at)
    if (before !== undefined) return before
    const powers = [...(reached[at] ?? [])]
      .filter((other) => other !== at)
      .map((other) => longest(other) + (divided[at]?.has(other) === true ? 1 : 0))
    const power = Math.max(0, ...powers)
    known.set(at, power)
    return power
  }
  return 1 + Math.max(0, ...loops.map((_, at) => longest(at)))
}

function loopsFrom(
  loop: number[],
  { next }: PositionGraph,
  loopOf: ReadonlyMap<number, number>,
  fits: (at: number) => boolean,
): Set<number> {
  const seen = new Set<number>()
  const open = [...loop]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at) || !fits(at)) continue
    seen.add(at)
    open.push(...(next[at] ?? []))
  }
  return new Set([...seen].map((at) => loopOf.get(at)).filter((one) => one !== undefined))
}

function atomOf({ positions }: PositionGraph, at: number): Atom {
  return positions[at] ?? 'any'
}
