/** What an import keeps of its source, with its mapping compiled; used by many lookups. */
import { hash } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { keepRecent } from '../../store/keep-recent.ts'
import type { OriginDocument } from '../../store/origins/origins.ts'
import { describeValue } from '../mapping/describe-value.ts'
import { Columns, compileValue, type Getter } from '../mapping/expression.ts'
import type { MappingDocument, Value } from '../mapping/mapping.ts'
import { compilePlan, type Plan, type PlanSetup } from '../mapping/plan.ts'

/** Most documents that are kept, and most parts of each: they hold texts of rows. */
const DOCUMENTS = 8
const PARTS = 8

const recent = new Map<string, OpenedDocument>()

/** Opens a stored document. The same bytes give the same object while it is kept. */
export function openDocument(data: Uint8Array): OpenedDocument {
  const key = hash('sha256', data, 'base64')
  const opened =
    recent.get(key) ?? new OpenedDocument(JSON.parse(zstdDecompressSync(data).toString()))
  return keepRecent(recent, key, opened, DOCUMENTS)
}

export class OpenedDocument {
  readonly document: OriginDocument
  readonly #parts = new Map<number, CompiledPart>()

  constructor(document: OriginDocument) {
    this.document = document
  }

  /** The mapping for the columns of a part and of the files that are joined to it. */
  compile(part: number): CompiledPart {
    const compiled = this.#parts.get(part) ?? new CompiledPart(this.document, part)
    return keepRecent(this.#parts, part, compiled, PARTS)
  }
}

/** A value of a mapping. `get`: absent when the file has no column of it. */
type CompiledValue = { get: Getter | undefined; unit: Getter | undefined; words: string }

class CompiledPart {
  readonly mapping: MappingDocument
  readonly names: readonly string[]
  readonly columns: Columns
  readonly #settings: Record<string, unknown>
  readonly #values = new WeakMap<object, CompiledValue>()
  readonly #named = new Map<string, CompiledValue>()
  #plan: Plan | undefined

  constructor({ mapping, parts, joined, settings }: OriginDocument, part: number) {
    this.mapping = mapping as MappingDocument
    const own = parts[part]
    const further = joined.flatMap((one) => parts[one]?.columns ?? [])
    this.names = [...(own?.columns ?? []), ...further]
    this.columns = new Columns(this.names, this.mapping, own?.file)
    this.#settings = settings
  }

  value(value: Value): CompiledValue {
    const known = typeof value === 'string' ? this.#named.get(value) : this.#values.get(value)
    if (known !== undefined) return known
    const compile = (one: Value) => compileValue(one, this.columns, this.mapping.nulls ?? [])
    const unit = typeof value === 'object' && typeof value.unit === 'object' ? value.unit : null
    const made = {
      get: compile(value),
      unit: unit === null ? undefined : compile(unit),
      words: describeValue(value),
    }
    if (typeof value === 'string') this.#named.set(value, made)
    else this.#values.set(value, made)
    return made
  }

  plan(): Plan {
    const setup = { ...this.#settings, mapping: this.mapping } as PlanSetup
    this.#plan ??= compilePlan(setup, this.names, this.columns.file)
    return this.#plan
  }
}
