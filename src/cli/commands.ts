/** The commands, in the order in which `platbook help` shows them. */
import { accountCommands } from './accounts.ts'
import type { Command } from './command.ts'
import { keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { serveCommand } from './serve.ts'
import { usageCommands } from './usage.ts'

export const COMMANDS: readonly Command[] = [
  serveCommand,
  ...accountCommands,
  ...keyCommands,
  ...ledgerCommands,
  ...usageCommands,
]
