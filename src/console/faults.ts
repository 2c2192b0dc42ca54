/** Explains errors to a person at the console, with what to do. Pure. */
import { CommandError, Refusal, STATUS, WrongValue } from '../base/errors.ts'
import { showField } from './show/words.ts'

/** What a page says of an error. `field`: the input of a form that is wrong. */
export type Fault = { text: string; status: number; field?: string }

const DISK_FULL =
  'The disk of the data folder is full, so nothing was written. Make room there, then repeat it. ' +
  'What is loaded is still served.'
const NO_DATABASE =
  'The database does not answer. Is PostgreSQL running? Load this page again when it is.'
const BUSY = 'Another change is being written. Wait a moment, then repeat it.'

const STATUSES: Record<string, number> = {
  'bad-request': STATUS.badRequest,
  'not-found': STATUS.notFound,
  unavailable: STATUS.unavailable,
}
const GONE = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENOTFOUND']

/** `undefined` for a defect. `reading`: of a page, so a wrong input means a wrong address. */
export function explainFault(error: unknown, reading = false): Fault | undefined {
  const chain = causesOf(error)
  const codes = chain.map(({ code }) => String(code ?? ''))
  if (chain.some(isDiskFull)) return { text: DISK_FULL, status: STATUS.diskFull }
  if (codes.some((code) => GONE.includes(code)))
    return { text: NO_DATABASE, status: STATUS.unavailable }
  if (chain.some(({ message }) => /database is locked/i.test(message))) {
    return { text: BUSY, status: STATUS.unavailable }
  }
  if (error instanceof CommandError) {
    return {
      text: toSentence(error.message),
      status: reading ? STATUS.notFound : STATUS.badRequest,
      ...(error instanceof WrongValue && { field: error.field }),
    }
  }
  if (!(error instanceof Refusal)) return undefined
  return { text: toSentence(error.message), status: STATUSES[error.kind] ?? STATUS.badRequest }
}

/** Returns an error, its causes, and the errors that it aggregates. */
function causesOf(error: unknown): NodeJS.ErrnoException[] {
  if (!(error instanceof Error)) return []
  const inner = error instanceof AggregateError ? error.errors : []
  return [error, ...[error.cause, ...inner].flatMap(causesOf)]
}

function isDiskFull({ code, message }: NodeJS.ErrnoException): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT' || /database or disk is full/i.test(message)
}

/** Words of the command line as a sentence: `unpaidInvoices cannot …` → `Unpaid invoices …`. */
export function toSentence(text: string): string {
  const words = text.replace(/^[a-z]+(?:[A-Z][a-z]+)+(?=\s)/, showField)
  const isWord = /^[a-z]+(?![A-Za-z_])/.test(words)
  const first = isWord ? words.charAt(0).toUpperCase() + words.slice(1) : words
  return /[.!?]$/.test(first) ? first : `${first}.`
}
