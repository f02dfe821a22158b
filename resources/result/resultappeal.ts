import { resource } from '#engine'
import { Resultappeal } from '../../schemas/result/resultappeal.ts'

export const resultappeal = resource(Resultappeal, {
  path: '/blade-result/resultappeal',
  route: '/result/appeal',
  columns: ['reason', { field: 'appealStatus', as: 'tag' }, 'reply', 'handleUser', 'handleTime'],
  search: ['resultId', 'appealStatus', 'createTime'],
})
