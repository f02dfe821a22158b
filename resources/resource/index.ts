export * from './attach.ts'
export * from './mail.ts'
export * from './oss.ts'
export * from './sms.ts'
