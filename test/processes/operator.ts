/**
 * Runs an operator's commands while the service runs, in this process, which is faster than a new
 * one.
 */
import { loadCommandsOf } from '../../src/cli/commands.ts'
import { runCommand } from '../command.ts'

/** Runs a command with `--json` over a data folder and returns its output. */
// biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
export async function operate(data: string, ...words: string[]): Promise<any> {
  const commands = await loadCommandsOf(words[0] ?? '')
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ')
    const command = commands.find((candidate) => candidate.name === name)
    if (command === undefined) continue
    const rest = [...words.slice(count), '--json']
    return (await runCommand(command, rest, { data, now: Date.now() })).json()
  }
  throw new Error(`no command ${words[0]}`)
}

export type Customer = { account: string; key: string; keyId: string }

/** An account with a key. */
export async function makeCustomer(data: string, ...facts: string[]): Promise<Customer> {
  const account = (await operate(data, 'account', 'create', 'Test', ...facts)).id
  const { id: keyId, key } = await operate(data, 'key', 'create', account)
  return { account, key, keyId }
}
