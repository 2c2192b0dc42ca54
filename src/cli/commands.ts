/** The commands, in the order of `platbook help`. */
import type { Command } from './command.ts'

/** The commands of one file. `words`: the first words of their names. */
type CommandFile = { words: readonly string[]; load(): Promise<readonly Command[]> }

/** Only the file of the requested command is loaded; loading all takes half a second. */
const FILES: readonly CommandFile[] = [
  {
    words: ['start'],
    load: async () => [(await import('./commands/service/start.ts')).startCommand],
  },
  {
    words: ['serve'],
    load: async () => [(await import('./commands/service/serve.ts')).serveCommand],
  },
  {
    words: ['import'],
    load: async () => [(await import('./commands/rolls/import.ts')).importCommand],
  },
  {
    words: ['import', 'unload'],
    load: async () => (await import('./commands/rolls/history.ts')).historyCommands,
  },
  {
    words: ['inspect'],
    load: async () => [(await import('./commands/rolls/inspect.ts')).inspectCommand],
  },
  {
    words: ['sample'],
    load: async () => [(await import('./commands/rolls/sample.ts')).sampleCommand],
  },
  {
    words: ['mappings'],
    load: async () => [(await import('./commands/rolls/mappings.ts')).mappingsCommand],
  },
  {
    words: ['sources'],
    load: async () => (await import('./commands/rolls/sources.ts')).sourceCommands,
  },
  { words: ['sync'], load: async () => [(await import('./commands/rolls/sync.ts')).syncCommand] },
  {
    words: ['coverage'],
    load: async () => [(await import('./commands/rolls/coverage.ts')).coverageCommand],
  },
  {
    words: ['export'],
    load: async () => [(await import('./commands/rolls/export.ts')).exportCommand],
  },
  {
    words: ['standardize'],
    load: async () => [(await import('./commands/rolls/standardize.ts')).standardizeCommand],
  },
  {
    words: ['explain'],
    load: async () => [(await import('./commands/rolls/explain.ts')).explainCommand],
  },
  { words: ['mcp'], load: async () => [(await import('./commands/service/mcp.ts')).mcpCommand] },
  {
    words: ['enrich'],
    load: async () => [(await import('./commands/rolls/enrich.ts')).enrichCommand],
  },
  {
    words: ['account'],
    load: async () => (await import('./commands/accounts/accounts.ts')).accountCommands,
  },
  {
    words: ['key', 'secret'],
    load: async () => (await import('./commands/accounts/keys.ts')).keyCommands,
  },
  {
    words: ['price'],
    load: async () => (await import('./commands/accounts/prices.ts')).priceCommands,
  },
  {
    words: ['plan'],
    load: async () => (await import('./commands/accounts/plans.ts')).planCommands,
  },
  {
    words: ['ledger'],
    load: async () => (await import('./commands/accounts/ledger.ts')).ledgerCommands,
  },
  {
    words: ['usage'],
    load: async () => (await import('./commands/accounts/usage.ts')).usageCommands,
  },
  {
    words: ['console', 'operator'],
    load: async () => (await import('./commands/service/console.ts')).consoleCommands,
  },
  {
    words: ['billing'],
    load: async () => (await import('./commands/accounts/billing.ts')).billingCommands,
  },
  {
    words: ['suppress'],
    load: async () => (await import('./commands/rolls/suppress.ts')).suppressCommands,
  },
  {
    words: ['audit'],
    load: async () => (await import('./commands/service/audit.ts')).auditCommands,
  },
  {
    words: ['backup'],
    load: async () => [(await import('./commands/store/backup.ts')).backupCommand],
  },
  {
    words: ['restore'],
    load: async () => [(await import('./commands/store/restore.ts')).restoreCommand],
  },
  { words: ['copy'], load: async () => [(await import('./commands/store/copy.ts')).copyCommand] },
  {
    words: ['check'],
    load: async () => [(await import('./commands/store/check.ts')).checkCommand],
  },
  {
    words: ['shards'],
    load: async () => [(await import('./commands/store/shards.ts')).shardsCommand],
  },
]

/** All commands. */
export function loadCommands(): Promise<readonly Command[]> {
  return loadFiles(FILES)
}

/** Loads the commands whose name begins with a word; none for an unknown word. */
export function loadCommandsOf(word: string): Promise<readonly Command[]> {
  return loadFiles(FILES.filter(({ words }) => words.includes(word)))
}

async function loadFiles(files: readonly CommandFile[]): Promise<readonly Command[]> {
  return (await Promise.all(files.map(({ load }) => load()))).flat()
}
