export * from './attach.ts'
export * from './oss.ts'
export * from './sms.ts'
