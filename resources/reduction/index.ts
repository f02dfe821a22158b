export * from './postreduction.ts'
export * from './postreductionname.ts'
