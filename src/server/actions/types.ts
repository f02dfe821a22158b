export type * from '../crud/rules.ts'
