/** The commands, by the files that have them. `tables/commands.txt` has their texts. */
import { COMMAND_TEXTS, type Command } from './command.ts'

/** Only the files of the requested word are loaded; loading all takes half a second. */
const FILES: [words: string, load: () => Promise<Command | readonly Command[]>][] = [
  ['start', async () => (await import('./commands/service/start.ts')).startCommand],
  ['serve', async () => (await import('./commands/service/serve.ts')).serveCommand],
  ['import', async () => (await import('./commands/rolls/import.ts')).importCommand],
  [
    'import history unload',
    async () => (await import('./commands/rolls/history.ts')).historyCommands,
  ],
  ['inspect', async () => (await import('./commands/rolls/inspect.ts')).inspectCommand],
  ['sample', async () => (await import('./commands/rolls/sample.ts')).sampleCommand],
  ['mappings', async () => (await import('./commands/rolls/mappings.ts')).mappingsCommand],
  ['sources', async () => (await import('./commands/rolls/sources.ts')).sourceCommands],
  ['sync', async () => (await import('./commands/rolls/sync.ts')).syncCommand],
  ['basemap', async () => (await import('./commands/rolls/basemap.ts')).basemapCommand],
  ['coverage', async () => (await import('./commands/rolls/coverage.ts')).coverageCommand],
  ['quality', async () => (await import('./commands/rolls/quality.ts')).qualityCommand],
  ['ratios', async () => (await import('./commands/rolls/ratios.ts')).ratiosCommand],
  ['export', async () => (await import('./commands/rolls/export.ts')).exportCommand],
  ['release', async () => (await import('./commands/rolls/release.ts')).releaseCommands],
  ['standardize', async () => (await import('./commands/rolls/standardize.ts')).standardizeCommand],
  ['explain', async () => (await import('./commands/rolls/explain.ts')).explainCommand],
  ['mcp', async () => (await import('./commands/service/mcp.ts')).mcpCommand],
  ['enrich', async () => (await import('./commands/rolls/enrich.ts')).enrichCommand],
  ['account', async () => (await import('./commands/accounts/accounts.ts')).accountCommands],
  ['key secret', async () => (await import('./commands/accounts/keys.ts')).keyCommands],
  ['whois', async () => (await import('./commands/accounts/whois.ts')).whois],
  ['price plan', async () => (await import('./commands/accounts/plans.ts')).planCommands],
  ['ledger', async () => (await import('./commands/accounts/ledger.ts')).ledgerCommands],
  ['usage', async () => (await import('./commands/accounts/usage.ts')).usage],
  ['console operator', async () => (await import('./commands/service/console.ts')).consoleCommands],
  ['billing', async () => (await import('./commands/accounts/billing.ts')).billingCommands],
  ['suppress', async () => (await import('./commands/rolls/suppress.ts')).suppressCommands],
  ['audit', async () => (await import('./commands/service/audit.ts')).auditCommands],
  ['backup', async () => (await import('./commands/store/backup.ts')).backupCommand],
  ['restore', async () => (await import('./commands/store/restore.ts')).restoreCommand],
  ['copy', async () => (await import('./commands/store/copy.ts')).copyCommand],
  ['check', async () => (await import('./commands/store/check.ts')).checkCommand],
  ['shards', async () => (await import('./commands/store/shards.ts')).shardsCommand],
]

const FIRST_WORDS = new Set([...COMMAND_TEXTS.keys()].map((name) => name.split(' ', 1)[0] ?? ''))

/** Loads all commands, in the order of `platbook help`. */
export async function loadCommands(): Promise<readonly Command[]> {
  return (await Promise.all([...FIRST_WORDS].map(loadCommandsOf))).flat()
}

/** Loads the commands whose name begins with a word; none for an unknown word. */
export async function loadCommandsOf(word: string): Promise<readonly Command[]> {
  const files = FILES.filter(([words]) => words.split(' ').includes(word))
  const commands = (await Promise.all(files.map(([, load]) => load()))).flat()
  return commands.filter(({ name }) => name.split(' ', 1)[0] === word)
}
