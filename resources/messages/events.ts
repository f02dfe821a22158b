import { events } from '#engine'
import type {} from '../audiences.ts'
import { send } from './send.ts'

/** What whoever has made a sending is told of it. */
export const sendEvents = events(send, {
  finished: {
    label: '发送完成',
    to: ['creator'],
    fields: ['title', 'successNum', 'failNum'],
    text: {
      zh: '“{title}”发送完成：成功{successNum}，失败{failNum}。',
      en: '“{title}” has been sent: {successNum} arrived at the provider, {failNum} failed.',
    },
    opens: '/send/order/:id',
  },
})
