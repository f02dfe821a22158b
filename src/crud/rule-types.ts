export type * from './rules.ts'
