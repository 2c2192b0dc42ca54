/** The commands, in the order in which `platbook help` shows them. */

import type { Command } from './command.ts'
import { accountCommands } from './commands/accounts/accounts.ts'
import { billingCommands } from './commands/accounts/billing.ts'
import { keyCommands } from './commands/accounts/keys.ts'
import { ledgerCommands } from './commands/accounts/ledger.ts'
import { planCommands } from './commands/accounts/plans.ts'
import { priceCommands } from './commands/accounts/prices.ts'
import { usageCommands } from './commands/accounts/usage.ts'
import { coverageCommand } from './commands/rolls/coverage.ts'
import { enrichCommand } from './commands/rolls/enrich.ts'
import { explainCommand } from './commands/rolls/explain.ts'
import { exportCommand } from './commands/rolls/export.ts'
import { historyCommands } from './commands/rolls/history.ts'
import { importCommand } from './commands/rolls/import.ts'
import { inspectCommand } from './commands/rolls/inspect.ts'
import { mappingsCommand } from './commands/rolls/mappings.ts'
import { sampleCommand } from './commands/rolls/sample.ts'
import { sourceCommands } from './commands/rolls/sources.ts'
import { standardizeCommand } from './commands/rolls/standardize.ts'
import { suppressCommands } from './commands/rolls/suppress.ts'
import { syncCommand } from './commands/rolls/sync.ts'
import { auditCommands } from './commands/service/audit.ts'
import { consoleCommands } from './commands/service/console.ts'
import { mcpCommand } from './commands/service/mcp.ts'
import { serveCommand } from './commands/service/serve.ts'
import { startCommand } from './commands/service/start.ts'
import { backupCommand } from './commands/store/backup.ts'
import { checkCommand } from './commands/store/check.ts'
import { copyCommand } from './commands/store/copy.ts'
import { migrateCommand } from './commands/store/migrate.ts'
import { restoreCommand } from './commands/store/restore.ts'
import { shardsCommand } from './commands/store/shards.ts'

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
  exportCommand,
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
  ...auditCommands,
  backupCommand,
  restoreCommand,
  copyCommand,
  migrateCommand,
  checkCommand,
  shardsCommand,
]
