/**
 * Every question that a reader of the rolls answers, in one table: the state that it names, and
 * what suppression hides in its answer. Wrappers (standbys, lost nodes, suppression) are
 * made by `askThrough`, so that none lists the questions again.
 */
import type { ParcelReader } from './store.ts'

/** Members of a reader that ask nothing. */
type Plain = 'advice' | 'unreached' | 'isGuarded'
export type QuestionName = Exclude<keyof ParcelReader, Plain>

/**
 * What a pending suppression hides in an answer (`privacy/guard-parcels.ts`):
 *
 * - `nothing`: it shows no parcel, or only ids that other questions have found
 * - `records`, `page`: records, or their hidden fields
 * - `address`, `owner`, `search`: hits that were found by a hidden address, owner, or owner search
 * - `places`: hits of several states at a hidden address
 * - `all`: its texts do not show whose they are, so it answers that there is nothing
 * - `absent`: a shortcut that callers have another question for
 * - `version`: a list of suppressions is another version of what is shown
 */
export type Hides =
  | ('nothing' | 'records' | 'page' | 'address' | 'owner' | 'search' | 'places')
  | ('all' | 'absent' | 'version')

type Ask<Name extends QuestionName> = NonNullable<ParcelReader[Name]>
type Args<Name extends QuestionName> = Parameters<Ask<Name>>
type Answer<Name extends QuestionName> = Awaited<ReturnType<Ask<Name>>>

type QuestionOf<Name extends QuestionName> = {
  /** The state that the arguments name; `undefined` for a question about several. */
  stateOf(...args: Args<Name>): string | undefined
  /** Whether it walks along an index, which may take longer than a lookup. */
  isWalk?: boolean
} & (
  | { hides: Exclude<Hides, 'all'> }
  | { hides: 'all'; nothing(...args: Args<Name>): Answer<Name> }
)

const first = (state: string) => state
const several = () => undefined
const named = ({ state }: { state?: string }) => state

/** A question that is missing here does not compile. */
export const QUESTIONS: { [Name in QuestionName]: QuestionOf<Name> } = {
  byParcelId: { stateOf: first, hides: 'records' },
  byAlternateId: { stateOf: first, hides: 'records' },
  byIds: { stateOf: first, hides: 'records' },
  // Its ids are read by `byIds`.
  parcelsFrom: { stateOf: first, hides: 'nothing' },
  bySitusKey: { stateOf: first, hides: 'address' },
  byLooseKey: { stateOf: first, hides: 'address' },
  // The address is then looked up step by step, which leaves out hidden parcels.
  onlyAtSitusKey: { stateOf: first, hides: 'all', nothing: () => undefined },
  addressesWithPrefix: { stateOf: first, hides: 'all', nothing: () => [] },
  page: { stateOf: named, isWalk: true, hides: 'page' },
  byOwner: { stateOf: named, isWalk: true, hides: 'search' },
  ownersOf: { stateOf: first, hides: 'owner' },
  headsFrom: { stateOf: first, hides: 'all', nothing: () => [] },
  countOwnerKeys: {
    ...{ stateOf: first, hides: 'all' },
    nothing: (_, names, words) => ({ names: names.map(() => 0), words: words.map(() => 0) }),
  },
  pointsIn: { stateOf: named, hides: 'places' },
  salesIn: { stateOf: several, hides: 'places' },
  shapesIn: { stateOf: several, hides: 'places' },
  // These do not give the state of a parcel, so the questions above are asked instead.
  shapeIdsIn: { stateOf: several, hides: 'absent' },
  recordsOver: { stateOf: several, hides: 'absent' },
  tileRows: { stateOf: first, hides: 'nothing' },
  countsIn: { stateOf: several, hides: 'nothing' },
  changes: { stateOf: named, hides: 'nothing' },
  saleTest: { stateOf: first, hides: 'nothing' },
  qualities: { stateOf: first, hides: 'nothing' },
  // Of these, answers show sums, and records that other questions return.
  factHeads: { stateOf: first, hides: 'nothing' },
  factChunks: { stateOf: first, hides: 'nothing' },
  // Operations show no recorded text while suppressions are pending.
  originBlocks: { stateOf: first, hides: 'nothing' },
  originImport: { stateOf: first, hides: 'nothing' },
  keptRows: { stateOf: first, hides: 'all', nothing: () => undefined },
  // A difference does not show whose it is.
  versionsOf: { stateOf: first, hides: 'all', nothing: () => [] },
  pastIds: { stateOf: first, hides: 'all', nothing: () => [] },
  pastKeys: { stateOf: first, hides: 'all', nothing: () => [] },
  lineageOf: { stateOf: first, hides: 'all', nothing: () => [] },
  formsOf: { stateOf: first, hides: 'all', nothing: () => [] },
  vintages: { stateOf: first, hides: 'nothing' },
  coverage: { stateOf: several, hides: 'nothing' },
  version: { stateOf: several, hides: 'version' },
}

/** One question as a wrapper sees it. */
type Asked = {
  name: QuestionName
  args: readonly unknown[]
  /** The state that it names; `undefined` when it is about several. */
  state: string | undefined
  put(reader: ParcelReader): Promise<unknown>
}

type AnyAsk = (...args: unknown[]) => Promise<unknown>

/**
 * Returns a reader whose every question goes through `ask`. Optional questions that `like` has not
 * are absent, and so are those that `without` names. `like` also gives the rest of the reader.
 */
export function askThrough(
  like: ParcelReader,
  ask: (question: Asked) => Promise<unknown>,
  without: (name: QuestionName) => boolean = () => false,
): ParcelReader {
  const names = Object.keys(QUESTIONS) as QuestionName[]
  const known = names.filter((name) => like[name] !== undefined && !without(name))
  const questions = known.map((name): [QuestionName, AnyAsk] => {
    const stateOf = QUESTIONS[name].stateOf as (...args: unknown[]) => string | undefined
    return [
      name,
      (...args) =>
        ask({
          name,
          args,
          state: stateOf(...args),
          put: (reader) => (reader[name] as AnyAsk)(...args),
        }),
    ]
  })
  const { advice, unreached, isGuarded } = like
  const plain = { advice, unreached, ...(isGuarded && { isGuarded }) }
  return { ...plain, ...Object.fromEntries(questions) } as ParcelReader
}
