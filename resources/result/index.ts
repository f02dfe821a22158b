export * from './result.ts'
export * from './resultappeal.ts'
