import assert from 'node:assert/strict'
import test from 'node:test'
import { organizationType } from './organization-type.ts'

const GOVERNMENTS = [
  ...['BOROUGH OF RED BANK', 'TOWN OF WEST BANK', 'ST HARLOW COUNTY MISSOURI', 'COUNTY OHIO'],
  ...['KENT COUNTY WEST VIRGINIA', 'BOARD OF REGENTS UNIV SYS', 'BOARD OF SUPERVISORS'],
  ...['HARLOW COUNTY LAND BANK', 'HARLOW COUNTY BOARD OF COMMISSIONERS'],
]
const COMPANIES = [
  ...['BANK OF BOROUGH', 'CITY OF COMMERCE BANK NA', 'VILLAGE OF OAK BANK INC', 'TOWN BANK'],
  ...['ORANGE COUNTY CALIFORNIA LLC', 'COUNTY OHIO VALLEY BREWERS', 'COUNTY LINE MISSOURI'],
  ...['BOARD OF TRUSTEES FIRST CHURCH', 'REGENTS PARK HOMES', 'FIRST BANK OF OHIO'],
]

test('a municipality called Bank, a county with its state and a board of regents govern', () => {
  for (const name of GOVERNMENTS) assert.equal(organizationType(name), 'government', name)
  for (const name of COMPANIES) assert.equal(organizationType(name), 'company', name)
})
