/** Recognizes parcel IDs that a spreadsheet has damaged. */
import { readDate } from '../mapping/dates.ts'

/** `3-Apr`, `Apr-04`, `3-Apr-04`: how spreadsheets show `4-3`. Rolls write months in capitals. */
const AS_DATE = /^(?:\d{1,2}-)?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:-\d{2,4})?$/
/** `3/4/2004`, and a date in a cell of a workbook. Other IDs of this form say that it is theirs. */
const DATE_FORM = /^\d{1,2}\/\d{1,2}\/(?:19|20)\d\d$|^(?:19|20)\d\d-\d\d-\d\d$/
/** Digits that a spreadsheet keeps; it writes zeros for the others. */
const KEPT_DIGITS = 15

/** Fewest IDs from which their lengths and last digits are judged. */
const LEAST = 20
/** If this share of IDs has one length, shorter ones are suspicious. */
const SAME_LENGTH = 0.6
const SHORTER_MIN = 0.02
/** Shortest ID whose leading zeros are missed. */
const LONG_ID = 8
/** If this share of the long IDs ends in zeros, their last digits are gone. */
const ZEROED = 0.95

export class DamagedIds {
  #count = 0
  #dates = { count: 0, first: '' }
  /** IDs that may be dates, and whether one of their form is no day of the calendar. */
  #formed = { count: 0, first: '' }
  #isForm = false
  /** IDs of more digits than a spreadsheet keeps, and those with zeros for the others. */
  #long = 0
  #zeroed = { count: 0, first: '' }
  /** `101.0`: a program took the IDs for decimals. `1010` may be another parcel. */
  #pointed = { count: 0, first: '' }
  /** Numbers without leading zeros by length. An ID `0` has lost its zeros too, and no digit. */
  readonly #lengths = new Map<number, number>()
  #isNumbers = true

  add(id: string): void {
    if (!/[1-9a-z]/i.test(id)) return
    this.#count += 1
    if (!/^\d+$/.test(id)) {
      this.#isNumbers = false
      if (AS_DATE.test(id) && id.includes('-')) note(this.#dates, id)
      else if (DATE_FORM.test(id)) this.#addFormed(id)
      else if (/^\d+\.0$/.test(id)) note(this.#pointed, id)
      return
    }
    if (id.startsWith('0')) this.#isNumbers = false
    else this.#lengths.set(id.length, (this.#lengths.get(id.length) ?? 0) + 1)
    if (id.length <= KEPT_DIGITS) return
    this.#long += 1
    if (/^0+$/.test(id.slice(KEPT_DIGITS))) note(this.#zeroed, id)
  }

  #addFormed(id: string): void {
    if (typeof readDate(id, 'auto', '2099-12-31') === 'string') note(this.#formed, id)
    else this.#isForm = true
  }

  /** Returns a sentence for each kind of damage. `name`: the column of the IDs. */
  list(name: string): string[] {
    const formed = this.#isForm ? 0 : this.#formed.count
    const count = this.#dates.count + formed
    const first = this.#dates.first || this.#formed.first
    const zeroed = this.#zeroed
    const isZeroed = zeroed.count >= Math.max(LEAST, this.#long * ZEROED)
    return [
      ...(count === 0
        ? []
        : [
            `${name}: ${show(count)} of ${show(this.#count)} parcel IDs are dates (${first}): a ` +
              'spreadsheet has opened the file and saved it. Ask for the file as it was',
          ]),
      ...(isZeroed
        ? [
            `${name}: ${show(zeroed.count)} of ${show(this.#long)} parcel IDs of more than ` +
              `${KEPT_DIGITS} digits have zeros after the fifteenth (${zeroed.first}): a ` +
              'spreadsheet may have dropped their last digits. Ask for the file as it was',
          ]
        : []),
      ...this.#listPointed(name),
      ...this.#listLostZeros(name),
    ]
  }

  #listPointed(name: string): string[] {
    const { count, first } = this.#pointed
    if (count < LEAST || count < this.#count) return []
    return [
      `${name}: all ${show(count)} parcel IDs end in ".0" (${first}): a program may have ` +
        'read them as decimals. "cut": "^\\d+" cuts it off',
    ]
  }

  /** Most numbers have one length, some are shorter, and none begins with a zero. */
  #listLostZeros(name: string): string[] {
    const longest = Math.max(0, ...this.#lengths.keys())
    const full = this.#lengths.get(longest) ?? 0
    const shorter = this.#count - full
    const isLost =
      this.#isNumbers &&
      this.#count >= LEAST &&
      longest >= LONG_ID &&
      full >= this.#count * SAME_LENGTH &&
      shorter >= this.#count * SHORTER_MIN
    if (!isLost) return []
    return [
      `${name}: ${show(full)} of ${show(this.#count)} parcel IDs have ${longest} digits, the ` +
        `other ${show(shorter)} fewer, and none begins with 0: leading zeros may be lost. ` +
        `"replace": [{ "pattern": "^(?=\\\\d{${longest - 1}}$)", "with": "0" }] brings one back`,
    ]
  }
}

function note(damage: { count: number; first: string }, id: string): void {
  damage.count += 1
  if (damage.count === 1) damage.first = id
}

const show = (count: number) => count.toLocaleString('en-US')
