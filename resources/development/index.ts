export * from './code.ts'
export * from './datasource.ts'
export * from './model.ts'
export * from './model-prototype.ts'
