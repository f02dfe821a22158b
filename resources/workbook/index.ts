export * from './exporttask.ts'
export * from './importtask.ts'
