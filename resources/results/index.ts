export * from './promotion.ts'
export * from './result.ts'
export * from './resultappeal.ts'
export * from './resultlog.ts'
