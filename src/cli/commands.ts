/** The commands, in the order in which `platbook help` shows them. */

import type { Command } from './command.ts'
import { accountCommands } from './commands/accounts.ts'
import { backupCommand } from './commands/backup.ts'
import { billingCommands } from './commands/billing.ts'
import { checkCommand } from './commands/check.ts'
import { consoleCommands } from './commands/console.ts'
import { copyCommand } from './commands/copy.ts'
import { coverageCommand } from './commands/coverage.ts'
import { enrichCommand } from './commands/enrich.ts'
import { explainCommand } from './commands/explain.ts'
import { historyCommands } from './commands/history.ts'
import { importCommand } from './commands/import.ts'
import { inspectCommand } from './commands/inspect.ts'
import { keyCommands } from './commands/keys.ts'
import { ledgerCommands } from './commands/ledger.ts'
import { mappingsCommand } from './commands/mappings.ts'
import { mcpCommand } from './commands/mcp.ts'
import { migrateCommand } from './commands/migrate.ts'
import { planCommands } from './commands/plans.ts'
import { priceCommands } from './commands/prices.ts'
import { restoreCommand } from './commands/restore.ts'
import { sampleCommand } from './commands/sample.ts'
import { serveCommand } from './commands/serve.ts'
import { sourceCommands } from './commands/sources.ts'
import { standardizeCommand } from './commands/standardize.ts'
import { startCommand } from './commands/start.ts'
import { suppressCommands } from './commands/suppress.ts'
import { syncCommand } from './commands/sync.ts'
import { usageCommands } from './commands/usage.ts'

export const COMMANDS: readonly Command[] = [
  startCommand,
  serveCommand,
  importCommand,
  ...historyCommands,
  inspectCommand,
  sampleCommand,
  mappingsCommand,
  ...sourceCommands,
  syncCommand,
  coverageCommand,
  standardizeCommand,
  explainCommand,
  mcpCommand,
  enrichCommand,
  ...accountCommands,
  ...keyCommands,
  ...priceCommands,
  ...planCommands,
  ...ledgerCommands,
  ...usageCommands,
  ...consoleCommands,
  ...billingCommands,
  ...suppressCommands,
  backupCommand,
  restoreCommand,
  copyCommand,
  migrateCommand,
  checkCommand,
]
