/** What commands and imports open in PostgreSQL; loaded only where its address is configured. */
export { openCopySource, openCopyTarget } from './copy-ends.ts'
export { openExportReader } from './read/export.ts'
export { openHistoryReader } from './read/history.ts'
export { ensureSchema } from './schema.ts'
export { openRollEraser } from './write/roll-eraser.ts'
export { openRollRewriter } from './write/roll-rewrite.ts'
export { openRollWriter } from './write/roll-writer.ts'
export { openSaleTests } from './write/sale-tests.ts'
