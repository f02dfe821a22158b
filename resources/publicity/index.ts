export * from './objection.ts'
export * from './publicity.ts'
export * from './publicityrow.ts'
export * from './workday.ts'
