import { resource } from '#engine'
import { Sendledger } from '../../schemas/messages/sendledger.ts'

export const sendledger = resource(Sendledger, {
  path: '/blade-send/sendledger',
  route: '/send/ledger',
  can: ['view', 'export'],
  columns: [
    'changeType',
    'num',
    'balance',
    { field: 'refType', width: 170 },
    'refId',
    'expireTime',
    'createUser',
    'createTime',
  ],
  search: ['changeType', 'refType', 'refId', 'createTime'],
})
