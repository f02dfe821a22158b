export * from './attach.ts'
