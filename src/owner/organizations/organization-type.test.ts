import assert from 'node:assert/strict'
import test from 'node:test'
import { isPlaceholder } from './organization.ts'
import { organizationType } from './organization-type.ts'

const GOVERNMENTS = [
  ...[
    'STATE HIGHWAY',
    'STATE HIGHWAY DEPT',
    'HARLOW CO LAND BANK',
    'HARLOW CO BOARD OF SUPERVISORS',
  ],
  ...['HARLOW NATURAL RESOURCES DISTRICT', 'HARLOW CO SHERIFF', 'HARLOW COUNTY ROAD COMMISSION'],
  ...['BOROUGH OF RED BANK', 'TOWN OF WEST BANK', 'ST HARLOW COUNTY MISSOURI', 'COUNTY OHIO'],
  ...['KENT COUNTY WEST VIRGINIA', 'BOARD OF REGENTS UNIV SYS', 'BOARD OF SUPERVISORS'],
  ...['HARLOW COUNTY LAND BANK', 'HARLOW COUNTY BOARD OF COMMISSIONERS', 'HARLOW MUD 44'],
  ...['STATE ROAD COMMISSION', 'CORPS OF ENGINEERS', 'GAME & FISH COMM', 'INHABITANTS OF HARLOW'],
  ...['CENTRAL SCH DIST 1', 'NATIONAL PARK SERVICE', 'HARLOW METRO DISTRICT NO 3'],
  ...['STATE HWY ADMIN', 'STATE ROADS COMMISSION', 'STATE HIGHWAY DIVISION', 'STATE HWY'],
  ...['FISH & GAME COMMISSION OF OHIO', 'GAME & FISH DEP', 'OHIO GAME & PARKS COMMISSION'],
  ...['GAME & PARKS', 'PUB POWER & IRR DIST', 'SOIL & WATER CONS DIST', 'NYC PARKS', 'NYC TRANSIT'],
  ...['CO OF HARLOW', 'VIL OF HARLOW', 'HARLOW TWP BD OF TRUSTEES', 'HARLOW CENTRAL SCHOOL'],
  ...['HARLOW PUBLIC LIBRARY', 'HARLOW CITY HALL', 'SMALL BUSINESS ADMINISTRATION', 'HARLOW CSD'],
  ...['USA', 'USA FOREST SERVICE', 'BUREAU OF MINES USA', 'FISH & BOAT COMMISSION'],
]
const COMPANIES = [
  ...['BANK OF BOROUGH', 'CITY OF COMMERCE BANK NA', 'VILLAGE OF OAK BANK INC', 'TOWN BANK'],
  ...['ORANGE COUNTY CALIFORNIA LLC', 'COUNTY OHIO VALLEY BREWERS', 'COUNTY LINE MISSOURI'],
  ...['BOARD OF TRUSTEES FIRST CHURCH', 'REGENTS PARK HOMES', 'FIRST BANK OF OHIO'],
  ...['HARLOW FISH & GAME CLUB', 'MUD CREEK LLC', 'HARLOW BANK & TRUST', 'HARLOW BANK TRUST DEPT'],
  ...['HARLOW RENEWAL', 'HARLOW INSURANCE AGENCY', 'TRUST FOR PUBLIC LAND'],
  ...['STATE ROAD PROPERTIES', 'OLD STATE ROAD PARTNERS', 'STATE HWY STORAGE'],
  ...['STATE HIGHWAY STORAGE', 'STATE UNIVERSITY BOOKSTORE', 'COUNTY PARK APARTMENTS'],
  ...['JONES & CO LIBRARY SERVICES', 'SMITH CO SCHOOL SUPPLY', 'HARLOW COUNTY BD OF REALTORS'],
  ...['COUNTY ROAD 12 STORAGE', 'COUNTY LAND TITLE', 'HARLOW DESIGN DISTRICT'],
  ...['STATE ROAD COMMUNITY PARTNERS', 'GAME & FISH COMMUNITY CLUB', 'HARLOW TOYS USA'],
  ...['USA MINI MART', 'USA STORAGE', 'HARLOW FREE PUBLIC LIBRARY', 'HARLOW CITY HALL CAFE'],
]

test('a municipality called Bank, a county with its state and a board of regents govern', () => {
  for (const name of GOVERNMENTS) assert.equal(organizationType(name), 'government', name)
  for (const name of COMPANIES) assert.equal(organizationType(name), 'company', name)
})

test('a land trust that a bank holds by number is a trust', () => {
  const trusts = [
    'HARLOW BANK TRUST 4471',
    'HARLOW BANK TRUST NO 4471',
    'HARLOW BANK LAND TRUST',
    'TRUST',
  ]
  for (const name of trusts) assert.equal(organizationType(name), 'trust', name)
})

test('a text that stands for nobody is a placeholder', () => {
  const nobody = ['OWNER', 'PROPERTY OWNERS', 'RESIDENT', 'NULL', '000', 'TBD', 'DELETED PARCEL']
  const owners = ['OWNERS CLUB', 'NULL KENNETH', 'BLANK ROSALIE', 'RESIDENT ADVISORS', '100']
  for (const name of nobody) assert.equal(isPlaceholder(name), true, name)
  for (const name of owners) assert.equal(isPlaceholder(name), false, name)
})
