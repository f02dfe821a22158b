export * from './job-info.ts'
export * from './job-server.ts'
