/** The files whose exports are the commands. `tables/commands.txt` has the texts. */
import { COMMAND_TEXTS, type Command } from './command.ts'

/** Only the files of the requested word are loaded; loading all takes half a second. */
const FILES: [words: string, load: () => Promise<object>][] = [
  ['start', () => import('./commands/service/start.ts')],
  ['serve', () => import('./commands/service/serve.ts')],
  ['import', () => import('./commands/rolls/import.ts')],
  ['import history unload', () => import('./commands/rolls/history.ts')],
  ['inspect', () => import('./commands/rolls/inspect.ts')],
  ['sample', () => import('./commands/rolls/sample.ts')],
  ['mappings', () => import('./commands/rolls/mappings.ts')],
  ['sources', () => import('./commands/rolls/sources.ts')],
  ['sync', () => import('./commands/rolls/sync.ts')],
  ['basemap', () => import('./commands/rolls/basemap.ts')],
  ['coverage', () => import('./commands/rolls/coverage.ts')],
  ['quality', () => import('./commands/rolls/quality.ts')],
  ['ratios', () => import('./commands/rolls/ratios.ts')],
  ['export', () => import('./commands/rolls/export.ts')],
  ['release', () => import('./commands/rolls/release.ts')],
  ['standardize', () => import('./commands/rolls/standardize.ts')],
  ['explain', () => import('./commands/rolls/explain.ts')],
  ['mcp', () => import('./commands/service/mcp.ts')],
  ['enrich', () => import('./commands/rolls/enrich.ts')],
  ['account', () => import('./commands/accounts/accounts.ts')],
  ['key secret', () => import('./commands/accounts/keys.ts')],
  ['whois', () => import('./commands/accounts/whois.ts')],
  ['price plan', () => import('./commands/accounts/plans.ts')],
  ['ledger', () => import('./commands/accounts/ledger.ts')],
  ['usage', () => import('./commands/accounts/usage.ts')],
  ['console operator', () => import('./commands/service/console.ts')],
  ['billing', () => import('./commands/accounts/billing.ts')],
  ['suppress', () => import('./commands/rolls/suppress.ts')],
  ['audit', () => import('./commands/service/audit.ts')],
  ['backup', () => import('./commands/store/backup.ts')],
  ['restore', () => import('./commands/store/restore.ts')],
  ['copy', () => import('./commands/store/copy.ts')],
  ['check', () => import('./commands/store/check.ts')],
  ['shards', () => import('./commands/store/shards.ts')],
]

/** Loads the commands whose name begins with a word; none for an unknown word. */
export async function loadCommandsOf(word: string): Promise<readonly Command[]> {
  const files = FILES.filter(([words]) => words.split(' ').includes(word))
  const loaded = await Promise.all(files.map(([, load]) => load()))
  const commands: Command[] = loaded.flatMap((file) => Object.values(file).filter(isCommand))
  return [...COMMAND_TEXTS.keys()]
    .filter((name) => name.split(' ', 1)[0] === word)
    .flatMap((name) => commands.filter((command) => command.name === name))
}

function isCommand(exported: unknown): boolean {
  return typeof exported === 'object' && exported !== null && 'run' in exported
}
