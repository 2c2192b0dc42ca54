import assert from 'node:assert/strict'
import test from 'node:test'
import { openCities } from './cities.ts'
import { cutCareOf, cutCityStateZip, cutOneLine, cutRollLine } from './lines.ts'

test('a one-line address is cut into line, city, state and ZIP', () => {
  for (const [given, line, city, state, zip] of [
    ['120 SW 7TH ST, CRETE, NE  68333', '120 SW 7TH ST', 'CRETE', 'NE', '68333'],
    ['58 S 5 ST, LINCOLN, NE', '58 S 5 ST', 'LINCOLN', 'NE', null],
    ['82 W O ST, UNIT #1, LINCOLN, NE', '82 W O ST, UNIT #1', 'LINCOLN', 'NE', null],
    ['87 LABRADOR CT, LINCOLN  68520', '87 LABRADOR CT', 'LINCOLN', null, '68520'],
    ['94 WILDERNESS SKY DR', '94 WILDERNESS SKY DR', null, null, null],
    ['94 SKY CT', '94 SKY CT', null, null, null],
    ['12 Oak St, Apt 4', '12 OAK ST, APT 4', null, null, null],
    ['99999 **NO SITUS** ST, , NE', '99999 **NO SITUS** ST', null, 'NE', null],
    ['12 QUARRY AVE HILLTOWN, Nebraska 68503', '12 QUARRY AVE', 'HILLTOWN', 'NE', '68503'],
    ['12 Quarry Pl. Hilltown NE, 68503', '12 QUARRY PL.', 'HILLTOWN', 'NE', '68503'],
    ['12 QUARRY ST HILLTOWN NE 68503', '12 QUARRY ST', 'HILLTOWN', 'NE', '68503'],
    ['12 QUARRY ST APT 4 HILLTOWN NE 68503', '12 QUARRY ST APT 4', 'HILLTOWN', 'NE', '68503'],
    ['12 QUARRY ST HILLTOWN NE', '12 QUARRY ST', 'HILLTOWN', 'NE', null],
    ['12 QUARRY ST HILLTOWN NEBRASKA 68503', '12 QUARRY ST', 'HILLTOWN', 'NE', '68503'],
    ['12 QUARRY ST HILLTOWN 68503', '12 QUARRY ST', 'HILLTOWN', null, '68503'],
    ['12 QUARRY ST, HILLTOWN, N. E. 68503', '12 QUARRY ST', 'HILLTOWN', 'NE', '68503'],
    ['94 SKY CT 68520', '94 SKY CT', null, null, '68520'],
    ['94 SKY CT 06103', '94 SKY CT', null, null, '06103'],
    ['94 N OREGON 97006', '94 N OREGON', null, null, '97006'],
    ['94 N WASHINGTON', '94 N WASHINGTON', null, null, null],
    ['No Address Found, Hilltown, NE 68503', null, 'HILLTOWN', 'NE', '68503'],
    ['UNASSIGNED', null, null, null, null],
    ['UNKNOWN', null, null, null, null],
    ['UNKNOWN, HILLTOWN NE', null, 'HILLTOWN', 'NE', null],
  ] as const) {
    const cut = cutOneLine(given, 'NE')
    assert.deepEqual([cut.line, cut.city, cut.state, cut.zip], [line, city, state, zip], given)
  }
})

test('a city that another column names is cut where no suffix shows where it begins', () => {
  for (const [given, own, line, city] of [
    ['12 BROADWAY HILLTOWN NE 68503', 'HILLTOWN', '12 BROADWAY', 'HILLTOWN'],
    ['12 BROADWAY ST. PAUL, NE 68503', 'Saint Paul', '12 BROADWAY', 'ST. PAUL'],
    ['12 LAKE SHORE NORTH PLATTE 69101', 'NORTH PLATTE', '12 LAKE SHORE', 'NORTH PLATTE'],
    ['12 BROADWAY HILLTOWN NE 68503', 'OMAHA', '12 BROADWAY HILLTOWN NE', null],
    ['12 QUARRY ST HILLTOWN NE 68503', 'OMAHA', '12 QUARRY ST', 'HILLTOWN'],
    ['12 HILLTOWN', 'HILLTOWN', '12 HILLTOWN', null],
  ] as const) {
    const cut = cutOneLine(given, 'NE', own)
    assert.deepEqual([cut.line, cut.city], [line, city], given)
  }
})

test('a city known from the roll or the Census is split off without a comma or a suffix', () => {
  const isCity = openCities(['HILLTOWN', 'SAINT ALBAN', 'LAKE HOLLOW', 'LA MESA ALTA'])
  for (const [given, line, city] of [
    ['12 BROADWAY HILLTOWN OR, 97124', '12 BROADWAY', 'HILLTOWN'],
    ['12 QUARRY PL. HILLTOWN OR, 97124', '12 QUARRY PL.', 'HILLTOWN'],
    ['12 THE ALAMEDA LAKE HOLLOW OR', '12 THE ALAMEDA', 'LAKE HOLLOW'],
    ['12 THE ALAMEDA ST. ALBAN OR', '12 THE ALAMEDA', 'ST. ALBAN'],
    ['12 QUARRY ST REAR HILLTOWN OR', '12 QUARRY ST REAR', 'HILLTOWN'],
    ['12 QUARRY ST HILLTOWN', '12 QUARRY ST', 'HILLTOWN'],
    // The Census has a place Portland in Oregon, and a place Hood River.
    ['12 BROADWAY PORTLAND OR 97201', '12 BROADWAY', 'PORTLAND'],
    ['12 COLUMBIA HOOD RIVER OR 97031', '12 COLUMBIA', 'HOOD RIVER'],
    // Streets with the name of a city.
    ['12 N HILLTOWN OR 97124', '12 N HILLTOWN', null],
    ['12 HILLTOWN', '12 HILLTOWN', null],
    ['12 BROADWAY HILLTOWN', '12 BROADWAY HILLTOWN', null],
    // After a road's number there is only a city.
    ['103 COUNTY ROAD 214 HILLTOWN', '103 COUNTY ROAD 214', 'HILLTOWN'],
    ['103 STATE HWY 9 LAKE HOLLOW', '103 STATE HWY 9', 'LAKE HOLLOW'],
    ['103 COUNTY ROAD 214', '103 COUNTY ROAD 214', null],
    ['103 COUNTY ROAD 214 NORTH', '103 COUNTY ROAD 214 NORTH', null],
    ['12 SW PORTLAND', '12 SW PORTLAND', null],
    // `LA` is a lane, or begins a city.
    ['12 QUARRY RD LA MESA ALTA OR 97124', '12 QUARRY RD', 'LA MESA ALTA'],
    ['12 QUARRY RD N LA MESA ALTA OR', '12 QUARRY RD N', 'LA MESA ALTA'],
    ['12 STATE HWY 95 LA MESA ALTA OR', '12 STATE HWY 95', 'LA MESA ALTA'],
    ['12 QUARRY LA HILLTOWN OR', '12 QUARRY LA', 'HILLTOWN'],
    // The first word of a city that no list has, or the street's suffix.
    ['12 QUARRY DR LA QUINTERA OR 97124', '12 QUARRY DR', 'LA QUINTERA'],
    ['12 COURT ST QUINTERA OR 97124', '12 COURT ST', 'QUINTERA'],
    ['12 N COURT ST QUINTERA OR 97124', '12 N COURT ST', 'QUINTERA'],
    ['12 QUARRY DR O QUINTERA OR 97124', '12 QUARRY DR', 'O QUINTERA'],
    // A state without a city is no street.
    ['OR', null, null],
    ['OR 97124', null, null],
    // A city with its state and ZIP is not a street.
    ['HILLTOWN OR 97124', null, 'HILLTOWN'],
    // The direction may belong to the street or to the city.
    ['12 QUARRY ST EAST HILLTOWN OR', '12 QUARRY ST EAST HILLTOWN OR', null],
  ] as const) {
    const cut = cutOneLine(given, 'OR', null, isCity)
    assert.deepEqual([cut.line, cut.city], [line, city], given)
  }
})

test('one-line addresses in odd dress are cut', () => {
  const isCity = openCities(['HILLTOWN', 'KEY WEST', 'SALT HOLLOW CITY'])
  for (const [given, state, line, city, code, zip] of [
    ['PO BOX 12 HILLTOWN TX 75001', 'TX', 'PO BOX 12', 'HILLTOWN', 'TX', '75001'],
    ['RR 2 BOX 14 HILLTOWN TX 75001', 'TX', 'RR 2 BOX 14', 'HILLTOWN', 'TX', '75001'],
    ['HILLTOWN, TX 75001', 'TX', null, 'HILLTOWN', 'TX', '75001'],
    ['PSC 12 BOX 4 APO AE 09123', 'TX', 'PSC 12 BOX 4', 'APO', 'AE', '09123'],
    ['UNIT 2050 BOX 41, FPO, AP 96278', 'TX', 'UNIT 2050 BOX 41', 'FPO', 'AP', '96278'],
    ['12 CAPO AVE HILLTOWN TX 75001', 'TX', '12 CAPO AVE', 'HILLTOWN', 'TX', '75001'],
    [', , TX', 'TX', null, null, 'TX', null],
    ['12 OAK ST, KEY WEST, FLORIDA 33040', 'FL', '12 OAK ST', 'KEY WEST', 'FL', '33040'],
    ['12 OAK ST HILLTOWN W VA 25301', 'WV', '12 OAK ST', 'HILLTOWN', 'WV', '25301'],
    ['12 OAK ST, HILLTOWN, MA 2108', 'MA', '12 OAK ST', 'HILLTOWN', 'MA', '02108'],
    ['12 OAK ST HILLTOWN NEW JERSEY 7307', 'NJ', '12 OAK ST', 'HILLTOWN', 'NJ', '07307'],
    ['12 OAK ST, HILLTOWN, TX 2108', 'TX', '12 OAK ST, HILLTOWN', 'TX 2108', null, null],
    ['12 OAK ST, NULL, GA', 'GA', '12 OAK ST', null, 'GA', null],
    ['12 OAK ST, -, GA', 'GA', '12 OAK ST', null, 'GA', null],
    ['-', 'GA', null, null, null, null],
    ['.', 'GA', null, null, null, null],
    ['12 OAK ST; HILLTOWN; GA; 30303', 'GA', '12 OAK ST', 'HILLTOWN', 'GA', '30303'],
    ['12 OAK ST | HILLTOWN, GA 30303', 'GA', '12 OAK ST', 'HILLTOWN', 'GA', '30303'],
    ['12 OAK ST - HILLTOWN, GA 30303', 'GA', '12 OAK ST', 'HILLTOWN', 'GA', '30303'],
    ['12 - 14 OAK ST, HILLTOWN, GA', 'GA', '12 - 14 OAK ST', 'HILLTOWN', 'GA', null],
    ['12 OAK ST (HILLTOWN), GA 30303', 'GA', '12 OAK ST', 'HILLTOWN', 'GA', '30303'],
    ['12 S 800 E SALT HOLLOW CITY UT', 'UT', '12 S 800 E', 'SALT HOLLOW CITY', 'UT', null],
    ['12 US HWY 9 N HILLTOWN UT', 'UT', '12 US HWY 9 N', 'HILLTOWN', 'UT', null],
    ['N12 COUNTY ROAD K HILLTOWN WI', 'WI', 'N12 COUNTY ROAD K', 'HILLTOWN', 'WI', null],
  ] as const) {
    const cut = cutOneLine(given, state, null, isCity)
    assert.deepEqual([cut.line, cut.city, cut.state, cut.zip], [line, city, code, zip], given)
  }
})

test('a city of the roll’s state that is called like a state is a city', () => {
  const isCity = openCities(['NEVADA', 'DELAWARE', 'HILLTOWN'])
  for (const [given, state, line, city, code, zip] of [
    ['12 OAK ST, NEVADA', 'IA', '12 OAK ST', 'NEVADA', null, null],
    ['12 1/2 S OAK ST, NEVADA', 'IA', '12 1/2 S OAK ST', 'NEVADA', null, null],
    ['12 OAK ST UNIT 4, NEVADA', 'MO', '12 OAK ST UNIT 4', 'NEVADA', null, null],
    ['12 OAK ST, DELAWARE', 'OH', '12 OAK ST', 'DELAWARE', null, null],
    ['12 OAK ST, NEVADA, IA', 'IA', '12 OAK ST', 'NEVADA', 'IA', null],
    ['12 OAK ST, NEVADA, IA 50201', 'IA', '12 OAK ST', 'NEVADA', 'IA', '50201'],
    ['12 OAK ST, NEVADA', 'NV', '12 OAK ST', null, 'NV', null],
    ['12 OAK ST, HILLTOWN, NEVADA', 'IA', '12 OAK ST', 'HILLTOWN', 'NV', null],
    ['12 OAK ST, HILLTOWN, NEVADA 89410', 'IA', '12 OAK ST', 'HILLTOWN', 'NV', '89410'],
    ['12 OAK ST, KANSAS', 'IA', '12 OAK ST', null, 'KS', null],
    ['HILLTOWN, NEVADA', 'IA', null, 'HILLTOWN', 'NV', null],
  ] as const) {
    const cut = cutOneLine(given, state, null, isCity)
    assert.deepEqual([cut.line, cut.city, cut.state, cut.zip], [line, city, code, zip], given)
  }
})

test('city, state and ZIP are cut with and without commas', () => {
  for (const [given, city, state, zip, plusFour] of [
    ['LINCOLN, NE 68508-1234', 'LINCOLN', 'NE', '68508', '68508-1234'],
    ['PHILADELPHIA PA', 'PHILADELPHIA', 'PA', null, null],
    ['NEW RIEGEL OH 44853', 'NEW RIEGEL', 'OH', '44853', null],
    ['Toronto', 'TORONTO', null, null, null],
    ['JERSEY CITY, N.J. 07307', 'JERSEY CITY', 'NJ', '07307', null],
    ['JERSEY CITY, N. J. 07307', 'JERSEY CITY', 'NJ', '07307', null],
    ['JERSEY CITY N J', 'JERSEY CITY', 'NJ', null, null],
    ['Jersey City, New Jersey', 'JERSEY CITY', 'NJ', null, null],
    ['HILLTOWN OREGON 97006', 'HILLTOWN', 'OR', '97006', null],
    ['Hilltown, Calif. 95014', 'HILLTOWN', 'CA', '95014', null],
    ['CHARLESTON WEST VIRGINIA', 'CHARLESTON', 'WV', null, null],
    ['WEST NEW YORK', 'WEST NEW YORK', null, null, null],
    ['PORT WASHINGTON 11050', 'PORT WASHINGTON', null, '11050', null],
    ['NEW YORK 10001', 'NEW YORK', null, '10001', null],
    ['NEW YORK NEW YORK 10001', 'NEW YORK', 'NY', '10001', null],
    ['WASHINGTON, D.C. 20001', 'WASHINGTON', 'DC', '20001', null],
    ['WASHINGTON DC', 'WASHINGTON', 'DC', null, null],
    ['TORONTO ON M5V 2T6', 'TORONTO', 'ON', null, null],
    ['Vancouver, BC  V6B1A1', 'VANCOUVER', 'BC', null, null],
    ['CALGARY, AB', 'CALGARY', 'AB', null, null],
    ['PAROWAN ON', 'PAROWAN', 'ON', null, null],
    ['CAMP ON SKI, MT 59715', 'CAMP ON SKI', 'MT', '59715', null],
  ] as const) {
    assert.deepEqual(cutCityStateZip(given), { city, state, zip, zipPlusFour: plusFour }, given)
  }
})

test('a care-of is cut off the front of a mailing line', () => {
  for (const [given, careOf, line] of [
    ['Attn: REAL ESTATE DIVISION 555 S 10 ST RM 205', 'REAL ESTATE DIVISION', '555 S 10 ST RM 205'],
    ['C/O FIRST BANK - PO BOX 12', 'FIRST BANK', 'PO BOX 12'],
    ['ATTN:  STORE #2972 PO BOX 54', 'STORE #2972', 'PO BOX 54'],
    ['% JANE ROE', 'JANE ROE', null],
    ['12 ATTNEY ST', null, '12 ATTNEY ST'],
  ] as const) {
    assert.deepEqual(cutCareOf(given), { careOf, line }, given)
  }
})

test('a street without a number ends before a known city, even if the state is a suffix', () => {
  const isCity = openCities(['HILLTOWN', 'HOLLOW SPRINGS'])
  for (const [given, line, city, state] of [
    ['MAPLE CT HILLTOWN AL 35007', 'MAPLE CT', 'HILLTOWN', 'AL'],
    ['N MAPLE CT HOLLOW SPRINGS AL 35007', 'N MAPLE CT', 'HOLLOW SPRINGS', 'AL'],
    ['HIGHWAY 31 HILLTOWN AL 35007', 'HIGHWAY 31', 'HILLTOWN', 'AL'],
    ['OLD MILL RD REAR HILLTOWN AL', 'OLD MILL RD REAR', 'HILLTOWN', 'AL'],
    ['HILLTOWN AL 35007', null, 'HILLTOWN', 'AL'],
    // Whether this is the name of the street is unknown.
    ['OLD HILLTOWN AL 35007', 'OLD HILLTOWN AL', null, null],
    ['MAPLE CT NOWHERE AL 35007', 'MAPLE CT NOWHERE AL', null, null],
  ] as const) {
    const cut = cutOneLine(given, 'AL', null, isCity)
    assert.deepEqual([cut.line, cut.city, cut.state], [line, city, state], given)
  }
})

test('cities, states and ZIP codes in the forms that mailing lists have', () => {
  for (const [given, city, state, zip] of [
    ['PITTSBURGH, PA15213', 'PITTSBURGH', 'PA', '15213'],
    ['COLUMBUS OHIO43215', 'COLUMBUS', 'OH', '43215'],
    ['HOLLOW XY15213', 'HOLLOW XY15213', null, null],
    ['AUSTIN (TX) 78704', 'AUSTIN', 'TX', '78704'],
    ['FARGO NO. DAKOTA 58102', 'FARGO', 'ND', '58102'],
    ['RALEIGH N. CAROLINA 27601', 'RALEIGH', 'NC', '27601'],
    ['CONCORD, New Hamp. 03301', 'CONCORD', 'NH', '03301'],
    ['ALBUQUERQUE NEW MEX. 87101', 'ALBUQUERQUE', 'NM', '87101'],
    ['APO AE 09012', 'APO', 'AE', '09012'],
    ['VANCOUVER BC CANADA', 'VANCOUVER', 'BC', null],
    ['ST JOHNS NL A1A 1A1 CANADA', 'ST JOHNS', 'NL', null],
    ['MONTRÉAL, QC H2X 1Y4', 'MONTRÉAL', 'QC', null],
    ['WINDSOR, ON', 'WINDSOR', 'ON', null],
    ['HILL ON', 'HILL', 'ON', null],
    ['HILL ON THE LAKE', 'HILL ON THE LAKE', null, null],
    ['HILL PE', 'HILL', 'PE', null],
    ['HILL NL', 'HILL NL', null, null],
    ['ON', 'ON', null, null],
    ['SEOUL 04524', 'SEOUL', null, null],
    ['MEXICO CITY 06600', 'MEXICO CITY', null, null],
    ['MEXICO CITY MO 65265', 'MEXICO CITY', 'MO', '65265'],
    ['MEXICO 65265', 'MEXICO', null, '65265'],
    ['BERLIN 10115', 'BERLIN', null, null],
    ['MUNICH 81331', 'MUNICH', null, null],
    ['MUNICH, GERMANY 81331', 'MUNICH', null, null],
    ['MUNICH 58352', 'MUNICH', null, '58352'],
    ['ROME 13440', 'ROME', null, '13440'],
    ['SOUTH CHINA 04358', 'SOUTH CHINA', null, '04358'],
    ['NAPLES 34102', 'NAPLES', null, '34102'],
    ['LA CANADA', 'LA CANADA', null, null],
    ['MONTREAL QC', 'MONTREAL', 'QC', null],
    ['LONDON NW1 5RT', 'LONDON', null, null],
    ['CAMBRIDGE CB2 1TN', 'CAMBRIDGE', null, null],
    ['8001 ZURICH', 'ZURICH', null, null],
    ['D-10115 BERLIN', 'BERLIN', null, null],
    ['HILLTOWN AB', 'HILLTOWN', 'AB', null],
    ['29 PALMS, CA 92277', '29 PALMS', 'CA', '92277'],
    ['29 PALMS', '29 PALMS', null, null],
    ['MILE 1006', 'MILE 1006', null, null],
    ['10115 OAK ST 4', '10115 OAK ST 4', null, null],
    ['LA CANADA, CA 91011', 'LA CANADA', 'CA', '91011'],
  ] as const) {
    const cut = cutCityStateZip(given)
    assert.deepEqual([cut.city, cut.state, cut.zip], [city, state, zip], given)
  }
})

test('a county after the city, a ZIP without a blank, and texts without an address', () => {
  const isCity = openCities(['HILLTOWN'])
  for (const [given, line, city, zip] of [
    ['12 OAK ST, HILLTOWN, Lake County, OR 97006', '12 OAK ST', 'HILLTOWN', '97006'],
    ['12 OAK ST, LAKE COUNTY, OR 97006', '12 OAK ST', 'LAKE COUNTY', '97006'],
    ['12 OAK ST, HILLTOWN OR97006', '12 OAK ST', 'HILLTOWN', '97006'],
    ['12 OAK ST HILLTOWN OR97006', '12 OAK ST', 'HILLTOWN', '97006'],
    ['12 COUNTY RD CR12345', '12 COUNTY RD CR12345', null, null],
    ['NO SITE ADDRESS HILLTOWN, OR 97006', null, 'HILLTOWN', '97006'],
    ['N/A HILLTOWN OR 97006', null, 'HILLTOWN', '97006'],
    ['0', null, null, null],
    ['00000', null, null, null],
    ['XXXX', null, null, null],
    ['MULTIPLE ADDRESSES', null, null, null],
    ['0 OAK ST', '0 OAK ST', null, null],
    ['VARIOUS RD', 'VARIOUS RD', null, null],
  ] as const) {
    const cut = cutOneLine(given, 'OR', null, isCity)
    assert.deepEqual([cut.line, cut.city, cut.zip], [line, city, zip], given)
  }
})

test('a text that is too long for an address is not split, and takes no time', () => {
  for (const piece of ['A ', ', ', 'ON ', 'LOT 5 ']) {
    const long = `${piece.repeat(100_000)}HILLTOWN, OR 97006`
    assert.deepEqual([cutOneLine(long, 'OR').line, cutOneLine(long, 'OR').city], [long, null])
    assert.equal(cutCityStateZip(long).zip, null)
  }
})

test('a mailing text of another country is split, and one of two streets is not', () => {
  for (const [given, line, city, state, country] of [
    ['12 BAHNHOFSTR, 8001 ZURICH', '12 BAHNHOFSTR', 'ZURICH', null, null],
    ['12 MARIENPLATZ, 81331 MUNICH, GERMANY', '12 MARIENPLATZ', 'MUNICH', null, 'GERMANY'],
    ['5 RUE DE LA PAIX, 75002 PARIS, FRANCE', '5 RUE DE LA PAIX', 'PARIS', null, 'FRANCE'],
    ['14 RUE BLEUE O, MONTREAL QC H3G 1K4', '14 RUE BLEUE O', 'MONTREAL', 'QC', null],
    ['32 YOUNG ST, TORONTO, ON M4N 2K9', '32 YOUNG ST', 'TORONTO', 'ON', null],
    ['32 YOUNG ST TORONTO ON M4N 2K9', '32 YOUNG ST', 'TORONTO', 'ON', null],
    ['32 YOUNG ST, TORONTO ON M4N 2K9, CANADA', '32 YOUNG ST', 'TORONTO', 'ON', 'CANADA'],
    ['88 HOLLY STREET, LONDON NW1 5RT', '88 HOLLY STREET', 'LONDON', null, null],
    ['1-2-3 GINZA, TOKYO 104-0061, JAPAN', '1-2-3 GINZA', 'TOKYO', null, 'JAPAN'],
    ['CALLE LUNA 21, MEXICO CITY 06600, MEXICO', 'CALLE LUNA 21', 'MEXICO CITY', null, 'MEXICO'],
    ['100 OAK ST, 1204 BROADWAY', '100 OAK ST, 1204 BROADWAY', null, null, null],
    ['12 BROADWAY, 1204 ELM ST', '12 BROADWAY, 1204 ELM ST', null, null, null],
    ['12 OAK ST, 200 TOWER', '12 OAK ST, 200 TOWER', null, null, null],
    ['12 OAK ST, CRETE', '12 OAK ST', 'CRETE', null, null],
    ['12 OAK ST, MEXICO', '12 OAK ST', 'MEXICO', null, null],
    ['12 OAK ST, EAST CHINA', '12 OAK ST', 'EAST CHINA', null, null],
    ['12 OAK ST, LA CANADA', '12 OAK ST', 'LA CANADA', null, null],
    ['12 OAK ST, TORONTO OH 43964', '12 OAK ST', 'TORONTO', 'OH', null],
    ['12 OAK ST, PARIS TX', '12 OAK ST', 'PARIS', 'TX', null],
  ] as const) {
    const cut = cutOneLine(given, '')
    assert.deepEqual(
      [cut.line, cut.city, cut.state, cut.country ?? null],
      [line, city, state, country],
      given,
    )
  }
})

test('a country after a place abroad is no part of its city', () => {
  for (const [given, city, country] of [
    ['81331 MUNICH GERMANY', 'MUNICH', 'GERMANY'],
    ['LONDON NW1 5RT, UNITED KINGDOM', 'LONDON', 'UNITED KINGDOM'],
    ['TOKYO 100-0001 JAPAN', 'TOKYO', 'JAPAN'],
    ['HALIFAX NS', 'HALIFAX', null],
    ['MEXICO', 'MEXICO', null],
    ['LONDON', 'LONDON', null],
    ['CHINA GROVE', 'CHINA GROVE', null],
    ['NORTH CHINA', 'NORTH CHINA', null],
    ['ALBUQUERQUE NEW MEXICO', 'ALBUQUERQUE', null],
    ['LA CANADA', 'LA CANADA', null],
  ] as const) {
    const place = cutCityStateZip(given)
    assert.deepEqual([place.city, place.country ?? null], [city, country], given)
  }
})

test('a line of a roll is split as it is with another number', () => {
  const isCity = openCities(['CRETE'])
  for (const rest of [
    ...['OAK ST, CRETE, NE  68333', 'OAK ST CRETE', 'OAK ST', 'ELM ST; CRETE', 'OAK ST CRETE NE'],
    ...['BOX 4, CRETE, NE', 'CRETE, NE', 'COUNTY ROAD 214 CRETE', '- CRETE, NE', 'NO SITUS CRETE'],
    ...['YONGE ST, TORONTO, ON M4N 2K9', 'AND 14 OAK ST, CRETE', 'oak st, crete', '68333'],
  ]) {
    for (const number of ['7', '12', '1200', '99999', '0', '007', 'A12']) {
      const text = `${number} ${rest}`
      for (const state of ['', 'NE']) {
        const cut = cutOneLine(text, state, null, isCity)
        assert.deepEqual(cutRollLine(text, state, null, isCity), cut, text)
      }
    }
  }
})
