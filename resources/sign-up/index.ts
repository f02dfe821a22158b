export * from './examinelog.ts'
export * from './examinetip.ts'
export * from './signup.ts'
export * from './signuplog.ts'
