import { NumberTable } from '../../base/number-table.ts'

/** Gives each key the next number, from 0. */
export class Numbering {
  readonly #numbers = new NumberTable()
  readonly #words = new Map<string | null, number>()
  size = 0

  of(key: number | string | null): number {
    const isNumber = typeof key === 'number'
    const known = isNumber ? this.#numbers.get(key) : this.#words.get(key)
    if (known !== undefined) return known
    const number = this.size
    this.size += 1
    if (isNumber) this.#numbers.set(key, number)
    else this.#words.set(key, number)
    return number
  }
}
