/** Which PostgreSQL server holds the rolls of which state. */

/** Addresses of databases by the two letters of the states whose rolls they hold. */
export type StateDatabases = Readonly<Record<string, string>>

/**
 * Where rolls lie when states have databases of their own.
 *
 * `main` holds accounts, keys, the ledger and the rolls of all states that `states` does not name.
 * It gives the ids of parcels and imports for all of them. A plain value: threads are handed it.
 */
export type StatePlaces = { main: string; states: StateDatabases }

/** A data folder, the address of one database, or a database by state. */
export type RollsPlace = string | StatePlaces

/** One database with the states that it holds; the main one holds all others, and lists none. */
export type StateHome = { url: string; isMain: boolean; states: string[] }

/** The databases of a place, the main one first; one that several states name stands once. */
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

/** The map as its setting is written. */
export function writeStateDatabases(states: StateDatabases): string {
  return Object.entries(states)
    .map(([state, url]) => `${state}=${url}`)
    .join(',')
}
