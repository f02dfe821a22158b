export * from './result.ts'
