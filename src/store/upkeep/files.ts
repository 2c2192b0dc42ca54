/** Database files of a data folder, for the commands that check, copy and restore them. */
export { openAccountDatabase } from '../sqlite/account-database.ts'
export { checkpoint, shrinkLog } from '../sqlite/checkpoint.ts'
export { type DatabaseKind, openDatabase } from '../sqlite/connection.ts'
export { copyDatabase } from '../sqlite/copy.ts'
export { checkPageSums, checkPages, checkRolls } from '../sqlite/integrity.ts'
export { createLedgerStore } from '../sqlite/ledger.ts'
export {
  findChangedPages,
  renewPageSums,
  stampWritten,
  writeSumsOfCopy,
} from '../sqlite/page-sums.ts'
