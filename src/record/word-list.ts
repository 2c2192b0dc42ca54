/** Words of many parcels as codes, in the order in which the words come first. */

/** NaN among the codes means unknown. */
export class WordList {
  readonly codes: Float64Array
  readonly #read: (text: string) => string
  readonly #byWord = new Map<string, number>()
  readonly #byText = new Map<string, number>()
  #lastText = ''
  #lastCode = Number.NaN

  /** `read`: returns the word of a text of a record, `''` when unknown. */
  constructor(size: number, read: (text: string) => string) {
    this.codes = new Float64Array(size)
    this.#read = read
  }

  get words(): string[] {
    return [...this.#byWord.keys()]
  }

  /** Sets a parcel's word by its text in the record. Neighbours often share a text. */
  putText(place: number, text: string): void {
    if (text !== this.#lastText) {
      this.#lastText = text
      this.#lastCode = this.#byText.get(text) ?? this.#learn(text)
    }
    this.codes[place] = this.#lastCode
  }

  /** Sets a parcel's word. */
  putWord(place: number, word: string): void {
    this.codes[place] = this.#codeOf(word)
  }

  /** Keeps a copy, because V8 would keep the whole record of a text that was cut from it. */
  #learn(text: string): number {
    const own = ` ${text}`.slice(1)
    const code = this.#codeOf(this.#read(own))
    this.#byText.set(own, code)
    return code
  }

  #codeOf(word: string): number {
    if (word === '') return Number.NaN
    const known = this.#byWord.get(word)
    if (known !== undefined) return known
    const code = this.#byWord.size
    this.#byWord.set(word, code)
    return code
  }
}
