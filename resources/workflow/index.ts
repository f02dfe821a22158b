export * from './expense.ts'
export * from './flow-deployment.ts'
export * from './leave.ts'
