export * from './hook.ts'
export * from './hookdelivery.ts'
