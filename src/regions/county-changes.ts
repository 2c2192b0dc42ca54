/**
 * Corrections to `tables/county-names.txt` (Census 2017 edition), and facts that its names do not
 * show.
 * docs/decisions/counties-and-states.md.
 */

/**
 * Counties newer than that edition or abolished before it: state, three-digit FIPS code, name,
 * reason.
 */
export const ADDED_COUNTIES: readonly [state: string, code: string, name: string, why: string][] = [
  ['AK', '063', 'Chugach', 'Valdez-Cordova (02261, kept) was divided in 2019'],
  ['AK', '066', 'Copper River', 'Valdez-Cordova (02261, kept) was divided in 2019'],
  ['AK', '270', 'Wade Hampton', 'renamed Kusilvak (02158) in 2015'],
  ['CT', '110', 'Capitol', 'planning regions replaced the eight counties (kept) in 2022'],
  ['CT', '120', 'Greater Bridgeport', 'planning region'],
  ['CT', '130', 'Lower Connecticut River Valley', 'planning region'],
  ['CT', '140', 'Naugatuck Valley', 'planning region'],
  ['CT', '150', 'Northeastern Connecticut', 'planning region'],
  ['CT', '160', 'Northwest Hills', 'planning region'],
  ['CT', '170', 'South Central Connecticut', 'planning region'],
  ['CT', '180', 'Southeastern Connecticut', 'planning region'],
  ['CT', '190', 'Western Connecticut', 'planning region'],
  ['SD', '113', 'Shannon', 'renamed Oglala Lakota (46102) in 2015'],
  ['VA', '515', 'Bedford', 'independent city, joined Bedford County (51019) in 2013'],
  ['AS', '030', 'Rose Island', 'uninhabited'],
  ['AS', '040', 'Swains Island', 'not in the boundary file'],
]

/**
 * Independent cities, which are listed with the counties and shown with `CITY`. In Virginia every
 * code from 510 on is one. Carson City (32510) is not listed, because its own name ends in City.
 */
export const INDEPENDENT_CITIES: ReadonlySet<number> = new Set([24510, 29510])
/** First FIPS code of Virginia's independent cities. */
export const VIRGINIA_CITIES_FROM = 51510

/** Other names in use: state, name, three-digit FIPS code. */
export const OTHER_NAMES: readonly [state: string, name: string, code: string][] = [
  ['AK', 'Mat-Su', '170'],
  ['AS', 'Eastern District', '010'],
  ['AS', "Manu'a District", '020'],
  ['AS', 'Western District', '050'],
  ['CT', 'Capitol Region', '110'],
  ['DC', 'DC', '001'],
  ['DC', 'Washington', '001'],
  ['DC', 'Washington DC', '001'],
  ['FL', 'Dade', '086'],
  ['GA', 'Athens-Clarke', '059'],
  ['GA', 'Augusta-Richmond', '245'],
  ['GA', 'Columbus-Muscogee', '215'],
  ['GA', 'Macon-Bibb', '021'],
  ['KY', 'Lexington-Fayette', '067'],
  ['KY', 'Louisville-Jefferson', '111'],
  ['LA', 'Jeff Davis', '053'],
  ['LA', 'Point Coupee', '077'],
  ['MS', 'Jeff Davis', '065'],
  ['MT', 'Anaconda-Deer Lodge', '023'],
  ['MT', 'Butte-Silver Bow', '093'],
  ['NY', 'Brooklyn', '047'],
  ['NY', 'Manhattan', '061'],
  ['NY', 'Staten Island', '085'],
  ['TN', 'Nashville-Davidson', '037'],
  ['VI', 'St. Croix Island', '010'],
  ['VI', 'St. John Island', '020'],
  ['VI', 'St. Thomas Island', '030'],
]
