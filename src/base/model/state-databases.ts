/** Assigns states to PostgreSQL servers. */

/** Addresses of databases by the two letters of the states whose rolls they hold. */
export type StateDatabases = Readonly<Record<string, string>>

/**
 * The databases of a service whose states have databases of their own.
 *
 * `main` holds accounts, keys, the ledger and the rolls of all states not in `states`. It assigns
 * the ids of parcels and imports for all of them. A plain value, which can be passed to threads.
 */
export type StatePlaces = { main: string; states: StateDatabases }

/** A data folder, the address of one database, or a database by state. */
export type RollsPlace = string | StatePlaces

/** One database with its states; the main one holds all others and lists none. */
export type StateHome = { url: string; isMain: boolean; states: string[] }

/** Returns the databases of a place, the main one first, each once. */
export function listHomes({ main, states }: StatePlaces): StateHome[] {
  const homes = new Map<string, StateHome>([[main, { url: main, isMain: true, states: [] }]])
  for (const [state, url] of Object.entries(states)) {
    const home = homes.get(url) ?? { url, isMain: false, states: [] }
    homes.set(url, home)
    if (!home.isMain) home.states.push(state)
  }
  return [...homes.values()].map((home) => ({ ...home, states: home.states.sort() }))
}

/** The address of the database that holds a state. */
export function homeOf({ main, states }: StatePlaces, state: string): string {
  return states[state] ?? main
}

/** Formats the map as in its setting. */
export function writeStateDatabases(states: StateDatabases): string {
  return Object.entries(states)
    .map(([state, url]) => `${state}=${url}`)
    .join(',')
}
