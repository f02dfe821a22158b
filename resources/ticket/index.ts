export * from './examinationticket.ts'
export * from './ticketnotice.ts'
