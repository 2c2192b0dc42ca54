/** How a registry hashes its list, so that recorded people and homes are hashed alike. */
import { createHmac, hash } from 'node:crypto'

/** Values for a recipe's template. Fields that the template does not use may be empty. */
export type RecipeValues = {
  surname: string
  given: string
  /** Second given name, or its initial. */
  middle: string
  /** Street line in canonical form: `100 N OAK ST`. */
  address: string
  unit: string
  zip: string
  state: string
  /** Five digits. */
  fips: string
}

export type Recipe = {
  kind: 'owner' | 'address'
  /** Returns lower-case hex digits; `undefined` when a required field is empty. */
  hashOf(values: RecipeValues): string | undefined
  digits: number
}

const ALGORITHMS = ['sha256', 'sha512', 'sha1', 'md5']
const NAMES = ['surname', 'given', 'middle', 'initial', 'address', 'unit', 'zip', 'state', 'fips']
/** Optional fields: many people have no second name, and many homes no unit. */
const OPTIONAL = new Set(['middle', 'initial', 'unit'])

/**
 * Parses a recipe: an algorithm, a colon and a template. `sha256:{SURNAME}|{GIVEN}` hashes
 * `HARLOW|PAUL`, `sha256:{surname}{given}` hashes `harlowpaul`. `hmac-sha256:KEY:TEMPLATE` hashes
 * with a key. Throws `Error` with a sentence for other texts.
 */
export function readRecipe(text: string): Recipe {
  const [, keyed, algorithm = '', rest = ''] = /^(hmac-)?([a-z0-9]+):(.*)$/s.exec(text) ?? []
  if (!ALGORITHMS.includes(algorithm)) {
    throw new Error(`it begins with one of ${ALGORITHMS.join(', ')}, or hmac- and one, and a colon`)
  }
  const [, key = '', template = ''] = keyed ? (/^([^:]+):(.*)$/s.exec(rest) ?? []) : ['', '', rest]
  const parts = template.split(/\{(\w+)\}/)
  const fields = parts.filter((_, at) => at % 2 === 1)
  const unknown = fields.find((name) => !NAMES.includes(name.toLowerCase()))
  if (unknown !== undefined) throw new Error(`{${unknown}} is none of {${NAMES.join('}, {')}}`)
  const named = new Set(fields.map((name) => name.toLowerCase()))
  const kind = named.has('address') ? 'address' : 'owner'
  if (kind === 'owner' && !named.has('surname')) throw new Error('it names {surname} or {address}')
  const digest = (clear: string) =>
    keyed ? createHmac(algorithm, key).update(clear).digest('hex') : hash(algorithm, clear)
  return {
    kind,
    digits: digest('').length,
    hashOf(values) {
      const known: Record<string, string> = { ...values, initial: values.middle.charAt(0) }
      let clear = ''
      for (const [at, part] of parts.entries()) {
        const value = known[part.toLowerCase()] ?? ''
        if (at % 2 === 0) clear += part
        else if (value === '' && !OPTIONAL.has(part.toLowerCase())) return undefined
        else clear += part === part.toUpperCase() ? value.toUpperCase() : value.toLowerCase()
      }
      return digest(clear)
    },
  }
}
