export * from './examinelog.ts'
export * from './signup.ts'
export * from './signuplog.ts'
