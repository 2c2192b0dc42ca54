/** The commands, in the order in which `platbook help` shows them. */
import { accountCommands } from './accounts.ts'
import { backupCommand } from './backup.ts'
import { checkCommand } from './check.ts'
import type { Command } from './command.ts'
import { copyCommand } from './copy.ts'
import { coverageCommand } from './coverage.ts'
import { importCommand } from './import.ts'
import { inspectCommand } from './inspect.ts'
import { keyCommands } from './keys.ts'
import { ledgerCommands } from './ledger.ts'
import { mappingsCommand } from './mappings.ts'
import { migrateCommand } from './migrate.ts'
import { sampleCommand } from './sample.ts'
import { serveCommand } from './serve.ts'
import { standardizeCommand } from './standardize.ts'
import { startCommand } from './start.ts'
import { usageCommands } from './usage.ts'

export const COMMANDS: readonly Command[] = [
  startCommand,
  serveCommand,
  importCommand,
  inspectCommand,
  sampleCommand,
  mappingsCommand,
  coverageCommand,
  standardizeCommand,
  ...accountCommands,
  ...keyCommands,
  ...ledgerCommands,
  ...usageCommands,
  backupCommand,
  copyCommand,
  migrateCommand,
  checkCommand,
]
