export * from './auditlog.ts'
export * from './log-api.ts'
export * from './log-error.ts'
export * from './log-usual.ts'
