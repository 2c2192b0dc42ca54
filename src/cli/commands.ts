/** The commands, in the order of `platbook help`. */
import type { Command } from './command.ts'

/** The commands of one file: the line of each in `platbook help`, by name, and what loads them. */
type CommandFile = {
  load(): Promise<Command | readonly Command[]>
  summaries: Readonly<Record<string, string>>
}

const of = (load: CommandFile['load'], summaries: CommandFile['summaries']) => ({ load, summaries })

/** Only the file of the requested command is loaded; loading all takes half a second. */
const FILES: readonly CommandFile[] = [
  of(async () => (await import('./commands/service/start.ts')).startCommand, {
    start: 'first run: sample data, a demo account and key; then serves, with a curl line each',
  }),
  of(async () => (await import('./commands/service/serve.ts')).serveCommand, {
    serve: 'runs the service; SIGTERM ends it cleanly',
  }),
  of(async () => (await import('./commands/rolls/import.ts')).importCommand, {
    import: 'loads a county roll; parcels that are no longer in it are removed',
  }),
  of(async () => (await import('./commands/rolls/history.ts')).historyCommands, {
    'import list': 'shows the history of imports: when, which files and mapping, and what they did',
    'history prune': 'forgets what parcels were before a day',
    unload: 'removes the parcels of a county or municipality; without --confirm it only counts',
  }),
  of(async () => (await import('./commands/rolls/inspect.ts')).inspectCommand, {
    inspect: 'shows what a file holds, which mapping fits, and drafts one for an unknown layout',
  }),
  of(async () => (await import('./commands/rolls/sample.ts')).sampleCommand, {
    sample: 'makes a realistic roll of invented parcels, and imports it',
  }),
  of(async () => (await import('./commands/rolls/mappings.ts')).mappingsCommand, {
    mappings: 'lists the mappings that come with Platbook, or shows one',
  }),
  of(async () => (await import('./commands/rolls/sources.ts')).sourceCommands, {
    sources: 'lists published rolls with their addresses and mappings, and when each was loaded',
    'sources add': 'adds your own sources to the catalogue, or replaces entries of it',
    'sources stop': 'ends the following of a source; what is loaded stays',
    'sources remove': 'removes a source of your own from the catalogue',
    'sources check':
      'checks header, columns and row count of sources without loading; names missing columns',
    'sources import-openaddresses':
      'reads an OpenAddresses source document as sources and partial mappings',
  }),
  of(async () => (await import('./commands/rolls/sync.ts')).syncCommand, {
    sync: 'fetches sources of the catalogue and loads those that have changed',
  }),
  of(async () => (await import('./commands/rolls/basemap.ts')).basemapCommand, {
    basemap: "makes the map's streets, water and places from the Census's TIGER files",
  }),
  of(async () => (await import('./commands/rolls/coverage.ts')).coverageCommand, {
    coverage: 'lists the loaded counties, and the share of their parcels that has each field',
  }),
  of(async () => (await import('./commands/rolls/quality.ts')).qualityCommand, {
    quality: 'lists what is wrong in the loaded rolls, with a score and examples',
  }),
  of(async () => (await import('./commands/rolls/ratios.ts')).ratiosCommand, {
    ratios: 'shows how uniform and fair the values of a county are, against its sales',
  }),
  of(async () => (await import('./commands/rolls/export.ts')).exportCommand, {
    export: 'writes what is loaded of a state or a county as Parquet, CSV or GeoJSON lines',
  }),
  of(async () => (await import('./commands/rolls/release.ts')).releaseCommands, {
    'release keygen': 'makes the key that signs releases, and prints its public half',
    release: 'writes a state as a folder for any web host: Parquet, tiles, changes, catalogues',
    'release verify': 'checks every byte of a release, its signature and the release before',
  }),
  of(async () => (await import('./commands/rolls/standardize.ts')).standardizeCommand, {
    standardize:
      'reads addresses or owner names from standard input and prints their parts as JSON',
  }),
  of(async () => (await import('./commands/rolls/explain.ts')).explainCommand, {
    explain: 'shows how a request is read, what is searched for, and why this is the answer',
  }),
  of(async () => (await import('./commands/service/mcp.ts')).mcpCommand, {
    mcp: 'serves agents on standard input and output, by MCP (Model Context Protocol)',
  }),
  of(async () => (await import('./commands/rolls/enrich.ts')).enrichCommand, {
    enrich: 'adds owner, value, tax and other fields to a list of addresses or parcel IDs',
  }),
  of(async () => (await import('./commands/accounts/accounts.ts')).accountCommands, {
    'account create': 'creates an account; by default it may use every operation, unlimited',
    'account set': 'changes the facts of an account; takes effect within a second, no restart',
    'account show':
      'shows an account: its facts, usage and keys, and whether its requests are admitted',
    'account list': 'lists all accounts',
  }),
  of(async () => (await import('./commands/accounts/keys.ts')).keyCommands, {
    'key create': 'creates an API key and prints it; it cannot be shown again',
    'key list': 'lists the keys of an account, without the keys themselves',
    'key revoke': 'ends a key at once: within a second in every process of the service',
    'key rotate':
      'replaces a key by a new one; the old one stays valid for the time of the overlap',
    'secret rotate':
      'adds a new server secret; each key is hashed under it at its next use, and stays valid',
    'secret prune': 'removes server secrets under which no valid key is hashed any more',
  }),
  of(async () => (await import('./commands/accounts/whois.ts')).whois, {
    whois: 'shows whose a request or key is, what was refused and why, and what changed',
  }),
  of(async () => (await import('./commands/accounts/plans.ts')).planCommands, {
    'price list': 'lists what a 200 of each operation costs, in tokens',
    'price set': 'sets what a 200 of an operation costs; takes effect within a second, no restart',
    'plan create': 'makes a plan: tokens, cap and rate that several accounts share',
    'plan list': 'lists the plans',
    'plan set': 'changes a plan, and with it its accounts; takes effect within a second',
    'plan show': 'shows a plan and how many accounts have it',
  }),
  of(async () => (await import('./commands/accounts/ledger.ts')).ledgerCommands, {
    'ledger show': 'shows every charge and correction of an account',
    'ledger verify':
      'walks the whole ledger and names the first row that was changed, moved or lost',
    'ledger credit': 'gives tokens back in the newest billing period: a new row, nothing is edited',
    'ledger accept': 'records that rows are permanently lost, so that charges are written again',
  }),
  of(async () => (await import('./commands/accounts/usage.ts')).usageCommands, {
    usage: 'shows what each account, or one, has used in its billing period, day by day',
  }),
  of(async () => (await import('./commands/service/console.ts')).consoleCommands, {
    console: 'serves the web console alone, where serve was started with --no-console',
    'operator create': 'makes an operator of the console, or gives one a new role and passphrase',
    'operator list': 'lists the operators of the console',
    'operator disable': 'ends the sessions of an operator, who can no longer sign in',
  }),
  of(async () => (await import('./commands/accounts/billing.ts')).billingCommands, {
    'billing link': 'links an account to a customer of the billing provider, and reads its facts',
    'billing sync': 'reads the facts of one account, or of all, from the billing provider',
    'billing show':
      'shows what the billing provider reported for an account, and its overage on invoices',
    'billing page':
      'makes a link, good for 15 minutes, to an account’s page at the billing provider',
    'billing events': 'lists the newest 50 events of the billing provider that were applied',
    'billing reconcile':
      'compares overage in the ledger with invoices; prints differences and exits with 1',
  }),
  of(async () => (await import('./commands/rolls/suppress.ts')).suppressCommands, {
    'suppress add':
      'hides an owner, an address or a parcel from every answer, now and in later imports',
    'suppress list': 'lists suppressions, without names, because none are stored',
    'suppress show': 'shows one suppression',
    'suppress expire':
      'ends a suppression; what it hid is shown again after the next import of its county',
    'suppress test':
      'lists the active suppressions that match a name, a street line or a propertyId',
    'suppress import':
      'adds a suppression for each line of a list, such as a state registry sends it',
  }),
  of(async () => (await import('./commands/service/audit.ts')).auditCommands, {
    'audit who-saw':
      'lists the answers that showed a parcel: when, to which account and key, by which request',
    'audit account': 'lists the answers that an account had, with the parcels that each showed',
    'audit verify':
      'walks the whole audit and names the first entry that was changed, moved or lost',
  }),
  of(async () => (await import('./commands/store/backup.ts')).backupCommand, {
    backup: 'copies the data folder into a new or empty one; the service may be running',
  }),
  of(async () => (await import('./commands/store/restore.ts')).restoreCommand, {
    restore: 'puts a backup into the data folder; what was revoked or suspended since stays so',
  }),
  of(async () => (await import('./commands/store/copy.ts')).copyCommand, {
    copy: 'copies accounts, keys, ledger, rolls and changes into another store, ids kept',
  }),
  of(async () => (await import('./commands/store/check.ts')).checkCommand, {
    check: 'reads all of the store and names what is not as it should be; changes nothing',
  }),
  of(async () => (await import('./commands/store/shards.ts')).shardsCommand, {
    shards: 'lists which node of a Citus cluster stores each state, and proposes moves by size',
  }),
]

export function loadCommands(): Promise<readonly Command[]> {
  return loadFiles(FILES)
}

/** The name and line of each command. Loads none. */
export const SUMMARIES: ReadonlyMap<string, string> = new Map(
  FILES.flatMap(({ summaries }) => Object.entries(summaries)),
)

/** Loads the commands whose name begins with a word; none for an unknown word. */
export function loadCommandsOf(word: string): Promise<readonly Command[]> {
  const isOf = (name: string) => name.split(' ', 1)[0] === word
  return loadFiles(FILES.filter(({ summaries }) => Object.keys(summaries).some(isOf)))
}

async function loadFiles(files: readonly CommandFile[]): Promise<readonly Command[]> {
  return (await Promise.all(files.map(({ load }) => load()))).flat()
}
