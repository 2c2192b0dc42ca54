/** Keeps one of something for each database of a map from state to database. */
import {
  homeOf,
  listHomes,
  type StateHome,
  type StatePlaces,
} from '../../../model/state-databases.ts'

/** What `make` gives for a database, made when it is first asked for. */
export class PerDatabase<One> {
  readonly homes: StateHome[]
  readonly #places: StatePlaces
  readonly #make: (home: StateHome) => One
  readonly #made = new Map<string, One>()

  constructor(places: StatePlaces, make: (home: StateHome) => One) {
    this.#places = places
    this.#make = make
    this.homes = listHomes(places)
  }

  /** That of the database which holds a state. */
  of(state: string): One {
    const url = homeOf(this.#places, state)
    return this.in(this.homes.find((home) => home.url === url) as StateHome)
  }

  in(home: StateHome): One {
    const known = this.#made.get(home.url)
    if (known !== undefined) return known
    const made = this.#make(home)
    this.#made.set(home.url, made)
    return made
  }

  /** That of a database; `undefined` where it was not asked for so far. */
  known(home: StateHome): One | undefined {
    return this.#made.get(home.url)
  }

  /** Those of all databases, the main one first. */
  all(): One[] {
    return this.homes.map((home) => this.in(home))
  }

  /** Those that were asked for so far. */
  made(): One[] {
    return [...this.#made.values()]
  }

  /** Whether a database is the one that holds a state. */
  isHome(home: StateHome, state: string): boolean {
    return homeOf(this.#places, state) === home.url
  }
}
