/** Holds one object per database, for a map from state to database. */
import {
  homeOf,
  listHomes,
  type StateHome,
  type StatePlaces,
} from '../../../base/model/state-databases.ts'

/** Creates the object of a database with `make` on first use. */
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

  /** Returns the object of the database that holds a state. */
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

  /** Returns the object of a database if it was created already. */
  known(home: StateHome): One | undefined {
    return this.#made.get(home.url)
  }

  /** Returns the objects of all databases, the main one first. */
  all(): One[] {
    return this.homes.map((home) => this.in(home))
  }

  /** Returns the objects created so far. */
  made(): One[] {
    return [...this.#made.values()]
  }

  /** Reports whether a database holds a state. */
  isHome(home: StateHome, state: string): boolean {
    return homeOf(this.#places, state) === home.url
  }
}
