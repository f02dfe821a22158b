import { sheet } from '#engine'
import { Sendmessage } from '../../schemas/messages/sendmessage.ts'

/** Receivers of a message, with a column for each value of its template. Who comes twice is taken once. */
export const messageSheet = sheet(Sendmessage, {
  title: '短信名单',
  version: 'message',
  fixed: ['sendId'],
  key: [],
  open: true,
  columns: [
    { field: 'name', width: 14 },
    { field: 'phone', width: 16 },
  ],
})
