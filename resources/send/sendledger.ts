import { resource } from '#engine'
import { Sendledger } from '../../schemas/send/sendledger.ts'

export const sendledger = resource(Sendledger, {
  path: '/blade-send/sendledger',
  route: '/send/ledger',
  can: ['view'],
  columns: ['changeType', 'num', 'balance'],
  search: ['changeType', 'createTime'],
})
