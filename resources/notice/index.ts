export * from './notice.ts'
export * from './notifyread.ts'
