/** The roll of the address lookups: one invented address for each case. */
import { makeRoll, type Row } from '../rolls.ts'

export const PATH = '/public/property/address/'

const at = (parcelId: string, address: string, city = 'Madison', more: Row = {}): Row => ({
  parcelId,
  address,
  city,
  ...more,
})

export const ADDRESS_ROWS: Row[] = [
  at('MAIN', '100 Main St', 'Madison', { zipCode: '53703', altAddresses: '12 Side St' }),
  at('ELM-M', '200 ELM ST', 'Madison'),
  at('ELM-S', '200 ELM ST', 'Stoughton'),
  at('OAK-D', '300 OAK AVE', ''),
  at('OAK-M', '300 OAK AVE', '', { county: 'Milwaukee' }),
  at('LAKE', '400 LAKE DR'),
  at('LAKE-2B', '400 LAKE DR APT 2B'),
  at('LAKE-3C', '400 LAKE DR', 'Madison', { unitNumberStripped: '3C' }),
  at('HILL-1', '500 HILL RD UNIT 1'),
  at('HILL-2', '500 HILL RD UNIT 2'),
  at('POND-1', '600 POND LN'),
  at('POND-2', '600 POND LN'),
  at('RIVER', '700-706 RIVER ST'),
  at('HWY', '800 US HIGHWAY 51'),
  at('BIRCH-N', '900 N BIRCH ST'),
  at('RIDGE', '1000 RIDGE AVE'),
  at('MILL', '1100 MILLVIEW DR'),
  at('PARK-5M', '1200 PARK PL UNIT 5', 'Madison'),
  at('PARK-6M', '1200 PARK PL UNIT 6', 'Madison'),
  at('PARK-5S', '1200 PARK PL UNIT 5', 'Stoughton'),
  at('GROVE', '1300 GROVE ST', 'St. Elmo'),
  at('DELL-1', '1400 DELL CT', 'Madison'),
  at('DELL-2', '1400 DELL CT APT 1', 'Stoughton'),
  at('TWICE-N', '1500 N CEDAR ST'),
  at('TWICE-S', '1500 S CEDAR ST'),
  at('FERN', '1600 FERN WAY', 'Madison'),
  at('FERN-4', '1600 FERN WAY UNIT 4', ''),
  at('IL', '100 MAIN ST', 'Chicago', { state: 'IL', county: 'Cook' }),
  ...Array.from({ length: 25 }, (_, index) =>
    at(`TOWER-${index}`, `1700 TOWER CT BLDG ${1 + (index % 3)} UNIT ${index + 1}A`),
  ),
  at('CREEK-1', 'W CREEK RD'),
  at('CREEK-2', 'W CREEK RD'),
  at('CREEK-3', 'W CREEK RD'),
  at('REAR', '1800 MILL ST REAR'),
  at('FIR-M', '1900 FIR ST', 'Madison', { zipCode: '53703' }),
  at('FIR-S', '1900 FIR ST', 'Stoughton', { zipCode: '53589' }),
  { parcelId: 'VACANT', address: '', city: 'Madison' },
]

export const ADDRESSES = makeRoll(ADDRESS_ROWS)
