import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { repetitions } from '../../test/repetitions.ts'
import { readTable } from '../base/tables.ts'
import { COUNTIES, countyByFips, findCounty } from './counties.ts'
import { STATES } from './states.ts'

const REFERENCE = new URL('../../../shared/data/reference/us_counties.csv', import.meta.url)

/** A state, a written name, and its county; `-`: none or ambiguous. */
const CASES = `
  MD | Baltimore               | 24005 BALTIMORE
  MD | Baltimore County        | 24005 BALTIMORE
  MD | Baltimore Co.           | 24005 BALTIMORE
  MD | Baltimore city          | 24510 BALTIMORE CITY
  MD | City of Baltimore       | 24510 BALTIMORE CITY
  MD | Baltimore (city)        | 24510 BALTIMORE CITY
  MD | Baltimore, City of      | 24510 BALTIMORE CITY
  MD | Baltimore City County   | 24510 BALTIMORE CITY
  MD | Baltimore independent city | 24510 BALTIMORE CITY
  MD | Baltimore Cty           | -
  MD | Prince Georges          | 24033 PRINCE GEORGE'S
  MD | Prince George’s         | 24033 PRINCE GEORGE'S
  MD | Prince George           | 24033 PRINCE GEORGE'S
  MD | Queen Annes             | 24035 QUEEN ANNE'S
  MD | St Marys                | 24037 ST. MARY'S
  MD | Saint Mary's County     | 24037 ST. MARY'S
  MO | St. Louis               | 29189 ST. LOUIS
  MO | Saint Louis County      | 29189 ST. LOUIS
  MO | St Louis city           | 29510 ST. LOUIS CITY
  MO | SAINT LOUIS CITY        | 29510 ST. LOUIS CITY
  MO | Ste. Genevieve          | 29186 STE. GENEVIEVE
  MO | Sainte Genevieve        | 29186 STE. GENEVIEVE
  MO | St. Genevieve           | 29186 STE. GENEVIEVE
  MO | DeKalb                  | 29063 DEKALB
  VA | Fairfax                 | 51059 FAIRFAX
  VA | Fairfax Cnty            | 51059 FAIRFAX
  VA | Fairfax city            | 51600 FAIRFAX CITY
  VA | Fairfax City, VA        | 51600 FAIRFAX CITY
  VA | Fairfax City and County | -
  VA | Roanoke                 | 51161 ROANOKE
  VA | roanoke CITY            | 51770 ROANOKE CITY
  VA | Richmond                | 51159 RICHMOND
  VA | City of Richmond        | 51760 RICHMOND CITY
  VA | Franklin                | 51067 FRANKLIN
  VA | Franklin City           | 51620 FRANKLIN CITY
  VA | Bedford                 | 51019 BEDFORD
  VA | Bedford city            | 51515 BEDFORD CITY
  VA | Alexandria              | 51510 ALEXANDRIA CITY
  VA | Alexandria city         | 51510 ALEXANDRIA CITY
  VA | Virginia Beach          | 51810 VIRGINIA BEACH CITY
  VA | James City              | 51095 JAMES CITY
  VA | James City County       | 51095 JAMES CITY
  VA | James Cty               | 51095 JAMES CITY
  VA | James                   | -
  VA | City of James           | -
  VA | Charles City            | 51036 CHARLES CITY
  VA | Charles City Co         | 51036 CHARLES CITY
  VA | Charles                 | -
  VA | King & Queen            | 51097 KING AND QUEEN
  VA | Isle of Wight           | 51093 ISLE OF WIGHT
  NV | Carson City             | 32510 CARSON CITY
  NV | carson city             | 32510 CARSON CITY
  NV | Carson                  | -
  NY | Manhattan               | 36061 NEW YORK
  NY | Borough of Manhattan    | 36061 NEW YORK
  NY | Brooklyn                | 36047 KINGS
  NY | Staten Island           | 36085 RICHMOND
  NY | The Bronx               | 36005 BRONX
  NY | New York, NY            | 36061 NEW YORK
  NY | New York City           | -
  NY | St Lawrence             | 36089 ST. LAWRENCE
  FL | Dade                    | 12086 MIAMI-DADE
  FL | Miami Dade              | 12086 MIAMI-DADE
  FL | De Soto                 | 12027 DESOTO
  GA | Dade                    | 13083 DADE
  IL | Du Page                 | 17043 DUPAGE
  IL | DUPAGE COUNTY           | 17043 DUPAGE
  IL | LaSalle                 | 17099 LASALLE
  IL | La Salle                | 17099 LASALLE
  IL | De Kalb                 | 17037 DEKALB
  IL | St Clair                | 17163 ST. CLAIR
  IL | St.Clair                | 17163 ST. CLAIR
  IL | StClair                 | 17163 ST. CLAIR
  IL | Mc Henry                | 17111 MCHENRY
  IL | Rock Island             | 17161 ROCK ISLAND
  IL | Dupage, Illinois        | 17043 DUPAGE
  IL | Dane, WI                | -
  IA | OBrien                  | 19141 O'BRIEN
  IA | O Brien                 | 19141 O'BRIEN
  IA | Iowa                    | 19095 IOWA
  IA | Iowa County, Iowa       | 19095 IOWA
  IA | Iowa City               | -
  WI | Fond Du Lac             | 55039 FOND DU LAC
  WI | Washington Island       | -
  WI | 025                     | 55025 DANE
  WI | 55025                   | 55025 DANE
  WI | 25                      | -
  WI | 17043                   | -
  WI | 999                     | -
  AL | 1001                    | 01001 AUTAUGA
  LA | La Salle Parish         | 22059 LASALLE
  LA | E Baton Rouge           | 22033 EAST BATON ROUGE
  LA | W. Feliciana Par.       | 22125 WEST FELICIANA
  LA | St John the Baptist     | 22095 ST. JOHN THE BAPTIST
  LA | Jeff Davis              | 22053 JEFFERSON DAVIS
  MS | Jeff Davis              | 28065 JEFFERSON DAVIS
  TX | Jeff Davis              | 48243 JEFF DAVIS
  TX | Ft Bend                 | 48157 FORT BEND
  TX | De Witt                 | 48123 DEWITT
  NM | Dona Ana                | 35013 DOÑA ANA
  NM | DOÑA ANA COUNTY         | 35013 DOÑA ANA
  NM | Do?a Ana                | 35013 DOÑA ANA
  MN | Lake of Woods           | 27077 LAKE OF THE WOODS
  MT | Lewis & Clark           | 30049 LEWIS AND CLARK
  ND | LaMoure                 | 38045 LAMOURE
  IN | LaPorte                 | 18091 LAPORTE
  IN | La Porte                | 18091 LAPORTE
  CO | City and County of Denver | 08031 DENVER
  CO | Broomfield City and County | 08014 BROOMFIELD
  CA | City & County of San Francisco | 06075 SAN FRANCISCO
  CA | LosAngelesCounty        | 06037 LOS ANGELES
  HI | Hawaiʻi                 | 15001 HAWAII
  AK | Juneau City & Borough   | 02110 JUNEAU
  AK | City and Borough of Sitka | 02220 SITKA
  AK | Municipality of Anchorage | 02020 ANCHORAGE
  AK | Nome Census Area        | 02180 NOME
  AK | Mat-Su Borough          | 02170 MATANUSKA-SUSITNA
  AK | North West Arctic       | 02188 NORTHWEST ARCTIC
  AK | Kusilvak                | 02158 KUSILVAK
  AK | Wade Hampton            | 02270 WADE HAMPTON
  AK | Valdez-Cordova          | 02261 VALDEZ-CORDOVA
  AK | Chugach Census Area     | 02063 CHUGACH
  AK | Copper River            | 02066 COPPER RIVER
  SD | Oglala Lakota           | 46102 OGLALA LAKOTA
  SD | Shannon                 | 46113 SHANNON
  CT | Hartford                | 09003 HARTFORD
  CT | Capitol Planning Region | 09110 CAPITOL
  CT | South Central Connecticut | 09170 SOUTH CENTRAL CONNECTICUT
  CT | 190                     | 09190 WESTERN CONNECTICUT
  DC | District of Columbia    | 11001 DISTRICT OF COLUMBIA
  DC | Washington, D.C.        | 11001 DISTRICT OF COLUMBIA
  PR | Añasco Municipio        | 72011 AÑASCO
  PR | Municipio de Mayaguez   | 72097 MAYAGÜEZ
  GU | Guam                    | 66010 GUAM
  VI | St Croix Island         | 78010 ST. CROIX
  AS | Manua District          | 60020 MANU'A
  MP | Saipan Municipality     | 69110 SAIPAN
  XX | Baltimore               | -
  MD |                         | -
  MD | County                  | -
  MD | ???                     | -
`

for (const line of CASES.trim().split('\n')) {
  const [state = '', text = '', meant = ''] = line.split('|').map((part) => part.trim())
  test(`${state} "${text}" is ${meant === '-' ? 'no county' : meant}`, () => {
    const county = findCounty(state, text)
    assert.equal(county ? `${String(county.fips).padStart(5, '0')} ${county.name}` : '-', meant)
    if (county) assert.equal(county.state, state)
  })
}

test('there are 3,247 counties, no FIPS code twice and each in its state', () => {
  const fipsOf = new Map(STATES.map((state) => [state.code, state.fips]))
  assert.equal(COUNTIES.length, 3247)
  assert.equal(new Set(COUNTIES.map((county) => county.fips)).size, 3247)
  for (const county of COUNTIES) {
    assert.equal(fipsOf.get(county.state), Math.floor(county.fips / 1000))
    assert.equal(countyByFips(county.fips), county)
  }
  assert.equal(countyByFips(1), undefined)
})

test('no two counties of a state have one name', () => {
  const names = COUNTIES.map((county) => `${county.state} ${county.name.replace(/[^\p{L}]/gu, '')}`)
  assert.equal(new Set(names).size, names.length)
})

test("only Baltimore, St. Louis, Virginia's cities and three by name are shown with CITY", () => {
  const cities = COUNTIES.filter((county) => county.name.endsWith(' CITY'))
  const outside = cities.filter((county) => county.state !== 'VA').map((county) => county.fips)
  assert.deepEqual(outside, [24510, 29510, 32510])
  assert.equal(cities.length, 39 + 2 + 3)
})

test('every county is found by each form of its name and code', () => {
  const rewrites: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toLowerCase(),
    (text) => ` ${text} `,
    (text) => text.replaceAll(' ', ''),
    (text) => text.replaceAll(' ', '  '),
    (text) => text.replaceAll(' ', '-'),
    (text) => text.replace(/[.'-]/g, ' '),
    (text) => text.replace(/[.']/g, ''),
    (text) => text.replaceAll("'", '’'),
    (text) => text.normalize('NFD'),
    (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
    (text) => text.replace(/^ST\. /, 'SAINT '),
    (text) => text.replace(/^STE\. /, 'Sainte '),
    (text) => text.replaceAll(' AND ', ' & '),
  ]
  const types = [
    'County',
    'CNTY',
    'Co.',
    'Parish',
    'BOROUGH',
    'Census Area',
    'Municipality',
    'Municipio',
    'City and Borough',
  ]
  for (const county of COUNTIES) {
    const { state, fips, name } = county
    for (const rewrite of rewrites) {
      assert.equal(findCounty(state, rewrite(name)), county, rewrite(name))
      assert.equal(findCounty(state.toLowerCase(), `${rewrite(name)} County`), county)
      assert.equal(findCounty(state, `${rewrite(name)}, ${state}`), county)
    }
    for (const type of types) assert.equal(findCounty(state, `${name} ${type}`), county)
    assert.equal(findCounty(state, `County of ${name}`), county)
    assert.equal(findCounty(state, String(fips).padStart(5, '0')), county)
    assert.equal(findCounty(state, String(fips % 1000).padStart(3, '0')), county)
  }
})

test('a name with one letter changed or lost never matches another county by chance', () => {
  const county = fc.constantFrom(...COUNTIES)
  const change = fc.record({ county, at: fc.nat(30), letter: fc.constantFrom('', 'X', 'S', 'E') })
  fc.assert(
    fc.property(change, ({ county, at, letter }) => {
      const text = county.name.slice(0, at) + letter + county.name.slice(at + 1)
      const found = findCounty(county.state, text)
      const plain = (name: string) => name.normalize('NFD').replace(/[^A-Z]/g, '')
      assert.ok(
        found === undefined ||
          found === county ||
          plain(found.name).startsWith(plain(text).replace(/CITY$/, '')) ||
          plain(text).startsWith(plain(found.name)),
        `${text} => ${found?.name}`,
      )
    }),
    { numRuns: repetitions(250) },
  )
})

test('any text at all is answered', () => {
  const state = fc.constantFrom('VA', 'md', 'PR', 'XX')
  fc.assert(fc.property(state, fc.string(), (code, text) => void findCounty(code, text)))
  assert.equal(findCounty('VA', `${'COUNTY OF '.repeat(1000)}FAIRFAX`)?.fips, 51059)
})

test('the list is the one that the package gives', async () => {
  const { default: atlas } = await import('us-atlas/counties-10m.json', { with: { type: 'json' } })
  const given = atlas.objects.counties.geometries.map((county) => [
    Number(county.id),
    county.properties.name,
  ])
  const held = readTable('county-names.txt').map((line): [number, string] => {
    const fips = STATES.find(({ code }) => code === line.slice(0, 2))?.fips ?? Number.NaN
    return [fips * 1000 + Number(line.slice(3, 6)), line.slice(7)]
  })
  assert.deepEqual(new Map(held), new Map(given as [number, string][]))
})

test('every county of the reference table is found by name, by name and kind, and by code', {
  skip: existsSync(REFERENCE) ? false : 'no ../shared/data beside the checkout',
}, () => {
  const rows = readFileSync(REFERENCE, 'utf8').trim().split(/\r?\n/).slice(1)
  assert.equal(rows.length, COUNTIES.length)
  const seen = new Set<string>()
  for (const row of rows) {
    const [code = '', state = '', , name = '', nameAndKind = ''] = row.split(',')
    const county = countyByFips(Number(code))
    const namesake = seen.has(`${state} ${name}`)
    seen.add(`${state} ${name}`)
    assert.ok(county, row)
    assert.equal(findCounty(state, nameAndKind), county, row)
    assert.equal(findCounty(state, code), county, row)
    assert.equal(findCounty(state, code.slice(2)), county, row)
    // of two with one name the city is the later, and the bare name is the county's
    if (!namesake) assert.equal(findCounty(state, name), county, row)
  }
})
