import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexRoll } from '../../test/address-roll.ts'
import { foldCity } from '../base/fold.ts'
import { canonicalAddress } from './canonical.ts'
import type { AddressReader } from './key-reader.ts'
import { lookUpAddress } from './lookup.ts'

test('an address that is not there costs one look at each of its keys', async () => {
  let asked: string[] = []
  const note = (table: string) => async (_: string, key: string) => {
    asked.push(`${table} ${key}`)
    return []
  }
  const reader: AddressReader = {
    advice: { ahead: false },
    bySitusKey: note('situs'),
    byLooseKey: note('loose'),
  }
  for (const [address, most] of [
    ['12 N MAIN ST', 5],
    ['12-16 MAIN ST, MADISON WI 53703', 14],
    ['9 US HIGHWAY 12', 2],
  ] as const) {
    asked = []
    const question = { state: 'WI', address, unit: undefined, fips: undefined, city: undefined }
    assert.deepEqual(await lookUpAddress(question, reader), { outcome: 'none' })
    assert.equal(new Set(asked).size, asked.length, asked.join('\n'))
    assert.ok(asked.length >= 2 && asked.length <= most, asked.join('\n'))
  }
})

test('the first step with hits decides, even between two roads', async () => {
  const lines = ['9 N OAK DR', '9 S OAK DR', '9 OAK'].map((line) => ({ line, city: null, zip: '' }))
  const lookUp = indexRoll(lines, { state: 'NE' })
  assert.equal((await lookUp('9 OAK DR')).outcome, 'ambiguous')
})

test('a reading without its city may be forgiven one thing too', async () => {
  const lookUp = indexRoll([{ line: '9 N OAK DR', city: 'LINCOLN', zip: '' }], { state: 'NE' })
  const finding = await lookUp('9 OAK DR LINCOLN NE')
  assert.equal(finding.outcome === 'found' && finding.match, 'directional')
})

test('a city whose longer name is another city is not taken for it', async () => {
  for (const [state, city, longer] of [
    ['ME', 'PORTLAND', ['SOUTH PORTLAND', 'S PORTLAND', ', South Portland, ME', 'S. PORTLAND ME']],
    ['CA', 'VISTA', ['CHULA VISTA', 'CHULA VISTA CA', ', CHULA VISTA, CA 91910']],
    ['CA', 'CORDOVA', ['RANCHO CORDOVA CA', 'OAK TOWER RANCHO CORDOVA']],
  ] as const) {
    const lookUp = indexRoll([{ line: '9 OAK ST', city, zip: '' }], { state })
    for (const other of longer) assert.deepEqual(await lookUp(`9 OAK ST ${other}`), NONE, other)
    for (const own of [city, `OAK TOWER ${city}`, `, ${city} ${state}`])
      assert.equal((await lookUp(`9 OAK ST ${own}`)).outcome, 'found', own)
  }
  const lookUp = indexRoll([{ line: '9 OAK ST S', city: 'PORTLAND', zip: '' }], { state: 'ME' })
  assert.equal((await lookUp('9 OAK ST SOUTH PORTLAND')).outcome, 'found')
})

test('a unit behind the state, a country before the ZIP and IN before a city', async () => {
  const roll = [{ line: '9 OAK ST UNIT 4', city: 'LINCOLN', zip: '68501' }]
  const lookUp = indexRoll(roll, { state: 'NE' })
  for (const tail of [
    ', LINCOLN, NE, UNIT 4',
    ' LINCOLN NE # 4',
    ' UNIT 4, LINCOLN, NE, US 68501',
    ' UNIT 4 IN LINCOLN NE',
  ])
    assert.equal((await lookUp(`9 OAK ST${tail}`)).outcome, 'found', tail)
  for (const tail of [', LINCOLN, NE, UNIT 5', ', OMAHA, NE, UNIT 4', ' UNIT 4 IN OMAHA NE'])
    assert.deepEqual(await lookUp(`9 OAK ST${tail}`), NONE, tail)
})

test('a direction before a city is forgiven only in the ZIP of the request', async () => {
  const roll = [{ line: '9 OAK ST', city: 'LINCOLN', zip: '68501' }]
  const lookUp = indexRoll(roll, { state: 'NE' })
  const step = async (line: string, more = {}) => {
    const finding = await lookUp(line, more)
    return finding.outcome === 'found' && finding.match
  }
  for (const end of ['N LINCOLN NE 68501', 'NORTH LINCOLN 68501-1234', 'N, LINCOLN', 'SE LINCOLN'])
    assert.equal(await step(`9 OAK ST ${end}`), 'directional', end)
  assert.equal(await step('9 OAK ST N LINCOLN', { zip: '68501' }), 'directional')
  assert.equal(await step('9 OAK ST N LINCOLN', { zip: '68502' }), false)
  for (const end of ['N LINCOLN NE 68502', 'N LINCOLN NE', 'N LINCOLN', 'N AVOCA NE 68501'])
    assert.equal(await step(`9 OAK ST ${end}`), false, end)
  // Many townships are on no list of places, so that a name that is not listed proves nothing.
  for (const [state, city, direction] of [
    ...[['ME', 'PORTLAND', 'S'] as const, ['IN', 'VERNON', 'N'] as const],
    ...[['NY', 'HAMPTON', 'E'] as const, ['PA', 'CHESTER', 'W'] as const],
    ...[['MA', 'READING', 'N'] as const, ['CT', 'WINDSOR', 'E'] as const],
  ])
    for (const zip of ['', '01001']) {
      const there = indexRoll([{ line: '9 OAK ST', city, zip }], { state })
      for (const end of ['', ` ${state}`, ` ${state} 01002`])
        assert.deepEqual(await there(`9 OAK ST ${direction} ${city}${end}`), NONE, city + end)
    }
  const bare = indexRoll([{ line: '9 OAK ST', city: 'LINCOLN', zip: '' }], { state: 'NE' })
  assert.deepEqual(await bare('9 OAK ST N LINCOLN NE 68501'), NONE)
})

test('a word before a city is dropped unless both are the name of another city', async () => {
  const lookUp = indexRoll([{ line: '9 OAK ST', city: 'VISTA', zip: '' }], { state: 'CA' })
  for (const line of ['9 OAK ST TOWERS VISTA', 'JANE ROE 9 OAK ST VISTA', '9 OAK STREEET VISTA'])
    assert.equal((await lookUp(line)).outcome, 'found', line)
  for (const line of ['9 OAK ST CHULA VISTA', '9 OAK ST OAK CHULA VISTA'])
    assert.deepEqual(await lookUp(line), NONE, line)
})

const NONE = { outcome: 'none' }

test('letters of a state that may be a suffix or a direction are not cut off', async () => {
  const zip = '06001'
  const lookUp = indexRoll([{ line: '9 RIDGE AVE', city: null, zip }], { state: 'CT' })
  for (const line of ['9 RIDGE CT', '9 RIDGE CT 06001']) {
    assert.deepEqual(await lookUp(line), { outcome: 'none' }, line)
  }
  for (const line of ['9 RIDGE AVE CT', '9 RIDGE AVE, CT', '9 RIDGE AVE CT 06001']) {
    assert.equal((await lookUp(line)).outcome, 'found', line)
  }
})

test('where a record has no city, a suffix or a street word is not taken for one', async () => {
  const roll = [{ line: '1616 MCKEAN ST', city: null, zip: '' }]
  const lookUp = indexRoll(roll, { state: 'PA', fips: 42101 })
  const others = ['1616 MCKEAN AVE', '1616 MCKEAN AVE, YORK', '1616 MCKEAN AVE YORK PA']
  for (const line of [...others, '1616 MCKEAN GLEN', '1616 MCKEAN HOLLOW PA 19148']) {
    assert.deepEqual(await lookUp(line), { outcome: 'none' }, line)
  }
  for (const line of ['1616 MCKEAN ST YORK', '1616 MCKEAN ST, YORK PA', '1616 MCKEAN ST 19148']) {
    const finding = await lookUp(line)
    assert.equal(finding.outcome === 'found' && finding.match, 'exact', line)
  }
})

test('a pasted city and ZIP match a record with one of them, unless it contradicts', async () => {
  const rows = [
    { line: '677 QUARRY AVE', city: 'JERSEY CITY', zip: '' },
    { line: '678 QUARRY AVE', city: null, zip: '07307' },
    { line: '679 QUARRY AVE', city: null, zip: '' },
    { line: '680 QUARRY AVE', city: 'HOBOKEN', zip: '' },
    { line: '681 QUARRY AVE', city: 'JERSEY CITY', zip: '07302' },
  ]
  const lookUp = indexRoll(rows, { state: 'NJ' })
  const found = async (number: number, more = {}) => {
    const finding = await lookUp(`${number} Quarry Ave, Jersey City, NJ 07307`, more)
    return finding.outcome === 'found' && finding.match
  }
  assert.deepEqual([await found(677), await found(678)], ['exact', 'exact'])
  assert.deepEqual([await found(679), await found(680), await found(681)], [false, false, false])
  const inHudson = indexRoll(rows, { state: 'NJ', fips: 34017 })
  const there = await inHudson('679 Quarry Ave, Jersey City, NJ 07307')
  assert.equal(there.outcome, 'found', 'the county that was asked for holds')
})

test('a typing error in the city is forgiven where the ZIP is that of the record', async () => {
  const lookUp = indexRoll([{ line: '677 QUARRY TRL', city: 'SPRINGFIELD', zip: '62701' }], {
    state: 'IL',
  })
  const found = async (tail: string) => (await lookUp(`677 Quarry Trl, ${tail}`)).outcome
  for (const tail of ['Springfeild, IL 62701', 'Spring Field IL 62701', 'Sprngfield, IL 62701'])
    assert.equal(await found(tail), 'found', tail)
  for (const tail of ['Springfeild, IL', 'Springfeild, IL 62702', 'Sprngfeild, IL 62701'])
    assert.equal(await found(tail), 'none', tail)
})

test('of several places the one with the asked ZIP is meant', async () => {
  const rows = ['53703', '53589', ''].map((zip, at) => ({
    line: '200 ELM ST',
    city: ['MADISON', 'STOUGHTON', 'MONONA'][at] ?? '',
    zip,
  }))
  const lookUp = indexRoll(rows, { state: 'WI' })
  const finding = await lookUp('200 Elm St', { zip: '53589' })
  assert.deepEqual(finding.outcome === 'found' && [finding.hit.id, finding.match], [1, 'exact'])
  assert.equal((await lookUp('200 Elm St', { zip: '99999' })).outcome, 'ambiguous')
})

test('a unit shown without its type finds its record, unless two show the same', async () => {
  const lines = ['BLDG 2 UNIT 1A', 'BLDG 2 UNIT 2A', 'FL 5', 'RM 5'].map((unit) => ({
    line: `12 OAK ST ${unit}`,
    city: null,
    zip: '',
  }))
  const lookUp = indexRoll(lines, { state: 'NE' })
  const find = async (unit: string) => {
    const finding = await lookUp('12 Oak St', { unit })
    return finding.outcome === 'found' ? finding.hit.id : finding.outcome
  }
  assert.deepEqual([await find('2 UNIT 1A'), await find('2 UNIT 2A')], [0, 1])
  assert.deepEqual(
    [await find('5'), await find('3 UNIT 1A'), await find('APT 5')],
    ['none', 'none', 'none'],
  )
})

test('a typed county is cut off, and must be the county of the parcel', async () => {
  const roll = [{ line: '806 VOSS ST', city: 'WICHITA', zip: '67202' }]
  const lookUp = indexRoll(roll, { state: 'KS', fips: 20173 })
  const found = [
    '806 VOSS ST, WICHITA, SEDGWICK COUNTY, KS',
    '806 VOSS ST, SEDGWICK COUNTY',
    '806 VOSS ST, WICHITA, KS 67202, SEDGWICK CO.',
    '806 VOSS ST, UNINCORPORATED SEDGWICK COUNTY, KANSAS 67202',
  ]
  for (const line of found) {
    const finding = await lookUp(line, { fips: undefined })
    assert.equal(finding.outcome === 'found' && finding.match, 'forgiven', line)
  }
  const others = ['806 VOSS ST, BUTLER COUNTY', '806 VOSS ST, SEDGWICK COUNTY, OHIO']
  for (const line of [...others, '806 VOSS ST, WICHITA, BUTLER COUNTY, KS', '806 VOSS COUNTY']) {
    assert.deepEqual(await lookUp(line, { fips: undefined }), { outcome: 'none' }, line)
  }
})

test('a city behind a text that is cut off must be the city of the parcel', async () => {
  const lines = ['9 OAK ST', 'RR 2 BOX 15', 'PO BOX 15']
  const roll = lines.map((line) => ({ line, city: 'ATLANTA', zip: '30303' }))
  const lookUp = indexRoll(roll, { state: 'GA' })
  for (const line of [
    ...['9 OAK ST AT 5TH AVE', '9 OAK ST near the river', '9 OAK ST off Elm', '9 OAK ST PO BOX 4'],
    ...['9 OAK ST c/o Roe', '9 OAK ST between 3rd and 4th Sts', 'RR 2 BOX 15', 'PO BOX 15'],
    ...['9 OAK ST corner of Elm St', '9 OAK ST et al', '9 OAK ST RR 2 BOX 4'],
  ]) {
    assert.equal((await lookUp(line)).outcome, 'found', line)
    for (const city of ['Atlanta', 'Atlanta, GA', 'ATLANTA GA 30303'])
      assert.equal((await lookUp(`${line}, ${city}`)).outcome, 'found', `${line}, ${city}`)
    for (const city of ['Augusta', 'Augusta, GA', 'AUGUSTA GA 30901', 'Augusta, Georgia, USA'])
      assert.deepEqual(await lookUp(`${line}, ${city}`), NONE, `${line}, ${city}`)
  }
  for (const line of ['Augusta, GA 9 OAK ST', 'Augusta, GA, 9 OAK ST', 'CITY OF SAVANNAH 9 OAK ST'])
    assert.deepEqual(await lookUp(line), NONE, line)
  for (const line of ['Atlanta, GA 9 OAK ST', 'JANE ROE 9 OAK ST'])
    assert.equal((await lookUp(line, { zip: '30303' })).outcome, 'found', line)
  for (const end of ['Augusta, Georgia, USA', 'Savannah, Ga.', 'Kent, Wash.', 'Portland, Ore.'])
    assert.deepEqual(await lookUp(`9 OAK ST, ${end}`), NONE, end)
})

test('a county before its road must be the county of the parcel', async () => {
  const roll = [{ line: '15 COUNTY ROAD 13', city: 'GREELEY', zip: '80631' }]
  const lookUp = indexRoll(roll, { state: 'CO', fips: 8123 })
  const ask = async (line: string) => {
    const finding = await lookUp(line, { fips: undefined })
    return finding.outcome === 'found' && finding.match
  }
  for (const line of [
    '15 WELD COUNTY ROAD 13',
    '15 WELD CO RD 13',
    '15 Weld County Rd 13, Greeley',
  ])
    assert.equal(await ask(line), 'forgiven', line)
  for (const other of ['LARIMER COUNTY ROAD 13', 'WELD COUNTY ROAD 14', 'WELD COUNTY ROAD 13A'])
    assert.equal(await ask(`15 ${other}`), false, other)
  for (const line of ['15 WELD COUNTY ROAD 13, AULT', '15 WELD RD 13', '13 WELD COUNTY ROAD 13'])
    assert.equal(await ask(line), false, line)
})

test('a state behind the city may be written as before the two letters', async () => {
  const lookUp = indexRoll([{ line: '9 OAK ST', city: 'SEATTLE', zip: '98112' }], { state: 'WA' })
  for (const tail of ['Seattle, Wash. 98112', 'SEATTLE WASH', ', Wash. 98112'])
    assert.equal((await lookUp(`9 Oak St ${tail}`)).outcome, 'found', tail)
  for (const tail of ['Portland, Ore.', 'Kent, Wash.', 'WASHINGTON WASH', 'Wash. 98113'])
    assert.deepEqual(await lookUp(`9 Oak St ${tail}`), NONE, tail)
})

test('a city may say what it is, and a country may follow it', async () => {
  const roll = [{ line: '806 VOSS ST', city: 'WICHITA', zip: '67202' }]
  const lookUp = indexRoll(roll, { state: 'KS' })
  const found = ['CITY OF WICHITA', 'WICHITA KS ZIP 67202', 'WICHITA, KS 67202, UNITED STATES']
  for (const place of found) {
    const finding = await lookUp(`806 VOSS ST, ${place}`)
    assert.equal(finding.outcome === 'found' && finding.match, 'exact', place)
  }
  for (const place of ['CITY OF DERBY', 'DERBY KS ZIP 67037'])
    assert.deepEqual(await lookUp(`806 VOSS ST, ${place}`), { outcome: 'none' }, place)
})

test('a unit may stand behind the ZIP', async () => {
  const roll = ['806 VOSS ST APT 2', '806 VOSS ST APT 3'].map((line) => {
    return { line, city: 'WICHITA', zip: '67202' }
  })
  const lookUp = indexRoll(roll, { state: 'KS' })
  for (const unit of ['#3', 'APT 3', 'Unit # 3']) {
    const finding = await lookUp(`806 Voss St, Wichita, KS 67202 ${unit}`)
    assert.equal(finding.outcome === 'found' && finding.hit.id, 1, unit)
  }
  assert.deepEqual(await lookUp('806 VOSS ST, WICHITA, KS 67202 #4'), { outcome: 'none' })
  assert.deepEqual(await lookUp('806 VOSS ST, DERBY, KS 67037 #3'), { outcome: 'none' })
})

test('an alternate of two addresses finds neither without a unit', async () => {
  const lookUp = async (lines: string[], asked: string, place = { state: 'OH' }) => {
    const roll = lines.map((line) => ({ line, city: null, zip: '' }))
    const finding = await indexRoll(roll, place)(asked)
    return finding.outcome === 'found' ? finding.hit.id : finding.outcome
  }
  const ranges = ['156-160 ELM ST', '158-162 ELM ST']
  for (const [asked, found] of [
    ['160 ELM ST', 'ambiguous'],
    ['158 ELM ST', 'ambiguous'],
    ['156 ELM ST', 0],
    ['162 ELM ST', 1],
    ['158-162 ELM ST', 1],
  ] as const)
    assert.equal(await lookUp(ranges, asked), found, asked)
  const units = ['156-160 ELM ST # 1', '158-162 ELM ST # 2', '158-162 ELM ST # 3']
  assert.equal(await lookUp(units, '160 ELM ST # 2'), 1)
  assert.equal(await lookUp(units, '160 ELM ST'), 'ambiguous')
  assert.equal(await lookUp(units, '162 ELM ST'), 1)
  assert.equal(await lookUp(['156-160 ELM ST', '158-162 ELM ST # 2'], '160 ELM ST'), 0)
  const queens = { state: 'NY', fips: 36081 }
  assert.equal(
    await lookUp(['23-07 45TH ST', '230-7 45TH ST'], '2307 45TH ST', queens),
    'ambiguous',
  )
})

test('the city of a parcel may stand behind its box', async () => {
  for (const line of ['RR 2 BOX 15', 'PO BOX 15', '9 OAK ST PO BOX 4']) {
    const roll = [{ line: `${line} ATLANTA`, city: 'ATLANTA', zip: '30303' }]
    const lookUp = indexRoll(roll, { state: 'GA' })
    for (const asked of [line, `${line}, Atlanta`, `${line} ATLANTA GA 30303`])
      assert.equal((await lookUp(asked)).outcome, 'found', asked)
    assert.deepEqual(await lookUp(`${line}, Augusta`), NONE, line)
  }
})

test('a direction of a city may be shortened on either side', async () => {
  const cities = ['NORTH LAS VEGAS', 'LAS VEGAS', 'W PALM BEACH', 'PALM BEACH']
  const roll = cities.map((city) => ({ line: '9 OAK ST', city, zip: '' }))
  const lookUp = indexRoll(roll, { state: 'NV' })
  const find = async (tail: string) => {
    const finding = await lookUp(`9 OAK ST${tail}`)
    return finding.outcome === 'found' ? finding.hit.id : finding.outcome
  }
  for (const [tail, id] of [
    [', N LAS VEGAS, NV', 0],
    [' N. Las Vegas NV', 0],
    [', Las Vegas, NV', 1],
    [' West Palm Bch', 2],
    [', W PALM BEACH', 2],
    [', PALM BCH', 3],
    [', E PALM BEACH', 'none'],
    [', S LAS VEGAS NV', 'none'],
  ] as const)
    assert.equal(await find(tail), id, tail)
})

test('a city before the street or behind unknown words must be of the parcel', async () => {
  const roll = [
    { line: '9 OAK ST', city: 'ALPHARETTA', zip: '' },
    { line: '14 ELM AVE', city: 'MACON', zip: '' },
  ]
  const lookUp = indexRoll(roll, { state: 'GA' })
  for (const other of [
    ...['9 OAK ST, MACON BIBB', 'Macon, 9 OAK ST', 'MACON GA, 9 OAK ST', 'City of Macon 9 OAK ST'],
    ...['9 OAK ST ST MARYS', '9 OAK ST, St. Simons Island', '9 OAK ST QUXTER GA'],
    ...['Alpharetta, 14 ELM AVE', '14 ELM AVE, ALPHARETTA HILLS', 'ALPHARETTA GA 14 ELM AVE'],
  ])
    assert.deepEqual(await lookUp(other), NONE, other)
  for (const own of [
    ...['14 ELM AVE, MACON BIBB', 'Macon, 14 ELM AVE', 'Macon, Georgia, 14 ELM AVE'],
    ...['Macon Lofts, 9 OAK ST', '9 OAK ST QUXTER', '9 OAK ST QUXTER APTS GA'],
    ...['Alpharetta, 9 OAK ST', 'City of Alpharetta, 9 OAK ST', 'Alpharetta GA 9 OAK ST'],
  ])
    assert.equal((await lookUp(own)).outcome, 'found', own)
})

test('a state in words, a country, a name or a box may be around a leading city', async () => {
  const roll = [
    { line: '14 ELM AVE', city: 'MACON', zip: '' },
    { line: '14 ELM AVE', city: 'ATLANTA', zip: '' },
  ]
  const lookUp = indexRoll(roll, { state: 'GA' })
  const idOf = async (asked: string) => {
    const found = await lookUp(asked)
    return found.outcome === 'found' ? found.hit.id : found.outcome
  }
  for (const lead of [
    ...['Macon, Georgia,', 'Macon, GA,', 'GA, Macon,', 'Macon Georgia USA,', 'Jane Roe, Macon,'],
    ...['PO BOX 4, Macon,', 'P.O. Box 4, Macon, Georgia,', 'City of Macon,'],
  ])
    assert.equal(await idOf(`${lead} 14 Elm Ave, Apt 2`), 0, lead)
  for (const lead of [
    ...['Savannah, Georgia,', 'Savannah GA,', 'Jane Roe, Savannah,', 'PO BOX 4, Savannah,'],
    ...['Macon, Alabama,', 'Alabama,', 'Charleston, West Virginia,', 'Savannah Georgia USA,'],
    ...['next to', 'across from', 'near', 'opposite', 'behind', 'formerly', 'PO BOX'],
  ])
    assert.equal(await idOf(`${lead} 14 Elm Ave`), 'none', lead)
  assert.equal(await idOf('Hotel Virginia, 14 Elm Ave, Macon'), 0)
  const north = indexRoll([{ line: '14 ELM AVE', city: 'RALEIGH', zip: '' }], { state: 'NC' })
  assert.equal((await north('Raleigh, North Carolina, 14 Elm Ave')).outcome, 'found')
})

test('a country or the state alone before a number says nothing', async () => {
  const roll = [{ line: '14 ELM AVE', city: 'ATLANTA', zip: '' }]
  const lookUp = indexRoll(roll, { state: 'GA' })
  for (const lead of ['USA,', 'US,', 'USA', 'GA,', 'GA', 'Georgia,', 'Georgia', 'House of Macon,'])
    assert.equal((await lookUp(`${lead} 14 Elm Ave`)).outcome, 'found', lead)
  for (const lead of ['Alabama', 'City of Macon,'])
    assert.deepEqual(await lookUp(`${lead} 14 Elm Ave`), NONE, lead)
})

test('a city in parentheses at the end is the city', async () => {
  const roll = [
    { line: '14 ELM AVE', city: 'MACON', zip: '' },
    { line: '14 ELM AVE', city: 'ATLANTA', zip: '' },
    { line: '22 OAK ST', city: 'MACON', zip: '' },
  ]
  const lookUp = indexRoll(roll, { state: 'GA' })
  const idOf = async (asked: string) => {
    const found = await lookUp(asked)
    return found.outcome === 'found' ? found.hit.id : found.outcome
  }
  for (const end of [
    '(Macon)',
    '(Macon, GA)',
    '(Macon) GA',
    '(Macon), GA 31201',
    '(City of Macon)',
  ])
    assert.equal(await idOf(`14 ELM AVE ${end}`), 0, end)
  assert.equal(await idOf('14 ELM AVE (Atlanta)'), 1)
  for (const end of ['(Atlanta)', '(Savannah, GA)', '(Oakwood)'])
    assert.equal(await idOf(`22 OAK ST ${end}`), 'none', end)
  for (const end of [
    '(Mill House)',
    '(4)',
    '(the old mill)',
    ', Macon (Oakwood)',
    'Macon (Atlanta)',
  ])
    assert.equal(await idOf(`22 OAK ST ${end}`), 2, end)
  const placed = await lookUp('14 ELM AVE (Macon)', { city: 'ATLANTA' })
  assert.equal(placed.outcome === 'found' && placed.hit.id, 1)
})

test('a township is not the city of its name', async () => {
  const roll = ['DAYTON', 'DAYTON TWP'].map((city) => ({ line: '9 OAK ST', city, zip: '' }))
  const [both, alone] = [roll, roll.slice(0, 1)].map((some) => indexRoll(some, { state: 'OH' }))
  const there = indexRoll([{ line: '9 OAK ST', city: 'DAYTON TOWNSHIP', zip: '' }], { state: 'OH' })
  for (const end of [
    ...['Dayton Twp', ', Dayton Township', 'Dayton Twp OH', ', Dayton Township, OH'],
    ...[', Township of Dayton', ', Twp of Dayton', 'Township of Dayton OH', '(Dayton Twp)'],
  ]) {
    const found = await both?.(`9 OAK ST ${end}`)
    assert.equal(found?.outcome === 'found' && found.hit.id, 1, end)
    assert.deepEqual(await alone?.(`9 OAK ST ${end}`), NONE, end)
    assert.equal((await there(`9 OAK ST ${end}`)).outcome, 'found', end)
  }
  for (const end of ['Dayton', ', Dayton OH', ', City of Dayton', ', Dayton City'])
    assert.equal((await alone?.(`9 OAK ST ${end}`))?.outcome, 'found', end)
})

test('short forms of big cities are cities', async () => {
  const cities = ['MINNEAPOLIS', 'SAINT PAUL', 'SOUTH SAINT PAUL']
  const roll = cities.map((city) => ({ line: '9 OAK AVE', city, zip: '' }))
  const lookUp = indexRoll(roll, { state: 'MN' })
  for (const [tail, id] of [
    ...([
      ['MPLS', 0],
      [', Mpls., MN', 0],
      ['So St Paul MN', 2],
      ['S St Paul', 2],
    ] as const),
    ...([
      ['PHILA', 'none'],
      ['PDX', 'none'],
      ['Phx', 'none'],
      ['Duluth', 'none'],
    ] as const),
  ] as const) {
    const found = await lookUp(`9 Oak Ave ${tail}`)
    assert.equal(found.outcome === 'found' ? found.hit.id : found.outcome, id, tail)
  }
  const mpls = indexRoll([{ line: '9 OAK AVE MPLS', city: 'MPLS', zip: '' }], { state: 'MN' })
  assert.equal((await mpls('9 Oak Ave', { city: 'MINNEAPOLIS', fips: undefined })).outcome, 'found')
  const bronx = indexRoll([{ line: '9 OAK AVE', city: 'ALBANY', zip: '' }], { state: 'NY' })
  for (const other of ['9 Oak Ave Bronx', '9 Oak Ave Bklyn', 'Queens, 9 Oak Ave', '9 Oak Ave NYC'])
    assert.deepEqual(await bronx(other), NONE, other)
})

test('what a twin has is not forgiven', async () => {
  const find = async (recorded: string[], asked: string) => {
    const lookUp = indexRoll(
      recorded.map((line) => ({ line, city: 'MACON', zip: '' })),
      { state: 'GA' },
    )
    const found = await lookUp(asked)
    return found.outcome === 'found' ? found.hit.id : found.outcome
  }
  for (const [recorded, asked] of [
    [['9 OAK ST', '9 OAK ST W'], '9 W OAK ST'],
    [['9 OAK ST', '9 S OAK ST'], '9 N OAK ST'],
    [['9 US HWY 90', '9 US HWY 90 E'], '9 US 90 W'],
    [['9 RIDGE', '9 RIDGE AVE'], '9 RIDGE CT'],
  ] as const) {
    assert.equal(await find([...recorded], asked), 'none', asked)
    assert.equal(await find([recorded[0]], asked), 0, asked)
  }
  assert.equal(await find(['9 OAK ST', '9 OAK AVE W', '9 ELM ST W'], '9 W OAK ST'), 0)
  // Without cities, a twin in another ZIP is none.
  const lookUp = indexRoll(
    [
      { line: '9 OAK ST', city: null, zip: '31201' },
      { line: '9 OAK ST W', city: null, zip: '31204' },
    ],
    { state: 'GA' },
  )
  assert.equal((await lookUp('9 S OAK ST')).outcome, 'found')
})

test('a direction behind the name instead needs a recorded city or ZIP', async () => {
  const lookUp = indexRoll(
    [
      { line: '12 4TH ST N', city: 'MACON', zip: '31201' },
      { line: '40 N HIGHWAY 61', city: 'MACON', zip: '31201' },
      { line: '70 OAK ST E', city: 'MACON', zip: '31201' },
      { line: '70 E OAK ST', city: 'MACON', zip: '31204' },
    ],
    { state: 'GA' },
  )
  for (const [line, id] of [
    ['12 N 4th St, Macon', 0],
    ['12 North 4th St 31201', 0],
    ['40 Highway 61 N, Macon GA', 1],
    ['70 Oak St E, Macon', 2],
    ['70 E Oak St, Macon', 3],
    ['12 N 4th St', 'none'],
    ['12 S 4th St, Macon', 'none'],
    ['12 N 4th Ave, Macon', 'none'],
    ['12 N 4th St, Atlanta', 'none'],
    ['12 N 4th St 31204', 'none'],
  ] as const) {
    const found = await lookUp(line)
    assert.equal(found.outcome === 'found' ? found.hit.id : found.outcome, id, line)
  }
  const inCounty = (city: string | null, zip: string) =>
    indexRoll([{ line: '12 4TH ST N', city, zip }], { state: 'GA', fips: 13_021 })
  assert.equal((await inCounty(null, '')('12 N 4th St')).outcome, 'found')
  for (const [city, zip] of [
    ['MACON', '31201'],
    ['MACON', ''],
    [null, '31201'],
  ] as const)
    assert.deepEqual(await inCounty(city, zip)('12 N 4th St'), NONE)
  const inCity = await lookUp('12 N 4th St', { city: 'MACON' })
  assert.equal(inCity.outcome === 'found' && inCity.match, 'directional')
})

test("a ZIP before the number must be the record's", async () => {
  const lookUp = indexRoll([{ line: '640 ELM ST', city: 'MACON', zip: '31201' }], { state: 'GA' })
  for (const [line, found] of [
    ['31201 640 Elm St', true],
    ['31201-4455, 640 Elm St', true],
    ['Macon GA 31201, 640 Elm St', true],
    ['31204 640 Elm St', false],
    ['Atlanta GA 31201, 640 Elm St', false],
    ['31201 640 Elm Ave', false],
    ['3120 640 Elm St', false],
  ] as const)
    assert.equal((await lookUp(line)).outcome === 'found', found, line)
})

test('CITY behind a name, initials and New Jersey townships are one city', async () => {
  for (const [state, city, tail, found] of [
    ['UT', 'SALT LAKE CITY', ', Salt Lake', true],
    ['UT', 'WEST VALLEY CITY', ', West Valley UT', true],
    ['VA', 'FALLS CHURCH', ', Falls Church City', true],
    ['OK', 'OKLAHOMA CITY', ', Tulsa', false],
    ['NJ', 'MONTCLAIR', ', Montclair Twp, NJ', true],
    ['NJ', 'MONTCLAIR TOWNSHIP', ' Montclair NJ', true],
    ['NJ', 'CHATHAM BORO', ', Chatham Twp', false],
    ['NJ', 'CHATHAM TWP', ', Chatham Boro', false],
    ['NJ', 'CHATHAM TWP', ' Chatham Borough NJ', false],
    ['NJ', 'CHATHAM TWP', ', Borough of Chatham, NJ', false],
    ['NJ', 'CHATHAM TWP', ', Chatham Town', false],
    ['NJ', 'CHATHAM BORO', ', Borough of Chatham', true],
    ['NJ', 'CHATHAM', ', Borough of Chatham', true],
    ['NJ', 'CHATHAM BORO', ', Chatham Borough', true],
    ['PA', 'DARBY BORO', ', Darby Borough PA', true],
    ['PA', 'DARBY', ' Darby Boro', true],
    ['PA', 'DARBY TWP', ' Darby Boro', false],
    ['OH', 'DAYTON', ', Dayton Twp', false],
    ['CA', 'LOS ANGELES', ', LA 90067', true],
    ['CA', 'LOS ANGELES', ', LA', false],
    ['CA', 'LOS ANGELES', ', SF 90067', false],
    ['MO', 'KANSAS CITY', ', KC MO', true],
    ['FL', 'SAINT PETERSBURG', ', St Pete', true],
    ['GA', 'MACON', ' 90067 Macon', true],
    ['GA', 'MACON', ' 90067 Macon GA', true],
    ['GA', 'MACON', ' 90068 Macon', false],
    ['GA', 'MACON', ' 90067 Atlanta', false],
  ] as const) {
    const lookUp = indexRoll([{ line: '9 OAK ST', city, zip: '90067' }], { state })
    const { outcome } = await lookUp(`9 Oak St${tail}`)
    assert.equal(outcome, found ? 'found' : 'none', tail)
  }
  const both = ['CHATHAM TWP', 'CHATHAM BORO'].map((city) => ({ line: '9 OAK ST', city, zip: '' }))
  assert.equal((await indexRoll(both, { state: 'NJ' })('9 Oak St, Chatham')).outcome, 'ambiguous')
})

test('a city asked by its whole name precedes the one of the short name', async () => {
  for (const [state, short, long, asked] of [
    ['NJ', 'CHATHAM', 'CHATHAM TWP', 'Chatham Township'],
    ['NJ', 'CHATHAM', 'CHATHAM BORO', 'Chatham Borough'],
    ['UT', 'SALT LAKE', 'SALT LAKE CITY', 'Saltlake City'],
  ] as const) {
    const roll = [short, long].map((city) => ({ line: '9 OAK ST', city, zip: '' }))
    const lookUp = indexRoll(roll, { state })
    const given = await lookUp('9 Oak St', { city: foldCity(asked) })
    for (const found of [await lookUp(`9 Oak St, ${asked}, ${state}`), given])
      assert.equal(found.outcome === 'found' && found.hit.id, 1, asked)
  }
})

test('PK is no road where a park and a pike have the number', async () => {
  const at = (line: string, city: string) => ({ line, city, zip: '' })
  const two = [at('12 HARLOW PARK', 'DENVER'), at('12 HARLOW PIKE', 'LIMON')]
  const lookUp = indexRoll(two, { state: 'CO' })
  assert.equal((await lookUp('12 Harlow Pk')).outcome, 'ambiguous')
  for (const [id, city] of ['Denver', 'Limon'].entries()) {
    const found = await lookUp(`12 Harlow Pk, ${city}, CO`)
    assert.equal(found.outcome === 'found' && found.hit.id, id, city)
  }
})

test('a city before the street is read as one behind it', async () => {
  const asked = 'Macon, 14 ELM AVE'
  for (const line of ['14 ELM AVE', '12-16 ELM AVE', '14 ELM AVE APT 3']) {
    const inCity = (city: string) => indexRoll([{ line, city, zip: '' }], { state: 'GA' })
    assert.equal((await inCity('MACON')(asked)).outcome, 'found', line)
    assert.deepEqual(await inCity('ATLANTA')(asked), NONE, line)
  }
  const recorded = { line: '14 ELM AVE', city: null, zip: '' }
  assert.deepEqual(await indexRoll([recorded], { state: 'GA' })(asked), NONE)
  const inBibb = indexRoll([recorded], { state: 'GA', fips: 13_021 })
  assert.equal((await inBibb(asked)).outcome, 'found')
  assert.equal(canonicalAddress(asked, { state: 'GA', fips: 13_021 }).key, '14||ELM|AVE|')
  const atlanta = indexRoll([{ line: '14 ELM AVE', city: 'ATLANTA', zip: '' }], { state: 'GA' })
  assert.deepEqual(await atlanta('Atlanta TX, 14 ELM AVE'), NONE)
  assert.deepEqual(await atlanta('TX, 14 ELM AVE'), NONE)
})

test('towns that differ by a blank only are two, if the state has both', async () => {
  const [apart, joined] = ['LAKE VIEW', 'LAKEVIEW'].map((city) => ({
    line: '9 OAK ST',
    city,
    zip: '',
  }))
  assert.ok(apart && joined)
  const lookUp = indexRoll([apart], { state: 'AL' })
  assert.deepEqual(await lookUp('9 OAK ST, LAKEVIEW'), NONE)
  assert.deepEqual(await lookUp('9 OAK ST', { city: 'LAKEVIEW' }), NONE)
  const both = await indexRoll([apart, joined], { state: 'AL' })('9 OAK ST, LAKEVIEW')
  assert.ok(both.outcome === 'found' && both.hit.city === 'LAKEVIEW')
})

test('a borough of New York is its county, whatever the postal city', async () => {
  const roll = [{ line: '9 OAK ST', city: 'FLUSHING', zip: '' }]
  const lookUp = indexRoll(roll, { state: 'NY', fips: 36_081 })
  for (const own of ['9 OAK ST, QUEENS', '9 OAK ST, Queens NY', '9 OAK ST, FLUSHING', '9 OAK ST'])
    assert.equal((await lookUp(own)).outcome, 'found', own)
  assert.equal((await lookUp('9 OAK ST', { city: 'QUEENS' })).outcome, 'found')
  for (const other of ['9 OAK ST, BROOKLYN', '9 OAK ST, Bronx NY', '9 OAK ST, JAMAICA'])
    assert.deepEqual(await lookUp(other), NONE, other)
  assert.deepEqual(await lookUp('9 OAK ST', { city: 'STATEN ISLAND' }), NONE)
})

test('blanks in the name of a city do not count', async () => {
  const roll = [{ line: '9 OAK ST', city: 'O FALLON', zip: '' }]
  const lookUp = indexRoll(roll, { state: 'MO', fips: 29_183 })
  for (const own of ["O'Fallon MO", 'OFALLON', 'O FALLON'])
    assert.equal((await lookUp(`9 OAK ST, ${own}`)).outcome, 'found', own)
  assert.equal((await lookUp('9 OAK ST', { city: 'OFALLON' })).outcome, 'found')
  assert.deepEqual(await lookUp('9 OAK ST, FALLON'), NONE)
  assert.deepEqual(await lookUp('9 OAK ST', { city: 'FALLON' }), NONE)
})
