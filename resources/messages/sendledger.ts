import { flag, resource } from '#engine'
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
  derived: { isLow: flag('余额不足七日用量') },
  measured: ['isLow'],
  views: {
    全部: {},
    余额不足: { isLow: 1 },
  },
  todos: { 余额不足: { label: '短信余额不足七日用量', needs: 'sendledger' } },
  search: ['changeType', 'refType', 'refId', 'createTime'],
})
