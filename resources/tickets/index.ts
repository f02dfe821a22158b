export * from './examinationticket.ts'
export * from './ticketnotice.ts'
export * from './ticketremark.ts'
