import { flag, resource } from '#engine'
import { Sendledger } from '../../schemas/messages/sendledger.ts'

export const sendledger = resource(Sendledger, {
  path: '/blade-send/sendledger',
  route: '/send/ledger',
  can: ['view', 'export'],
  columns: [
    { field: 'changeType', width: 110 },
    { field: 'num', width: 90 },
    { field: 'balance', width: 90 },
    { field: 'refType', width: 170 },
    { field: 'refId', width: 180 },
    { field: 'expireTime', width: 120 },
    { field: 'createUser', width: 100 },
    { field: 'createTime', width: 120 },
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
