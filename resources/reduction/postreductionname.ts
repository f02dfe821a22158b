import { resource } from '#engine'
import { Postreductionname } from '../../schemas/reduction/postreductionname.ts'

export const postreductionname = resource(Postreductionname, {
  path: '/blade-signup/postreductionname',
  route: '/reduction/name',
  can: ['view', 'export'],
  columns: [
    'examId',
    'name',
    'oldUnit',
    'oldCode',
    'newUnit',
    'newCode',
    { field: 'nameState', as: 'tag' },
    'choiceTime',
    'choiceBy',
    'needRefund',
    'notifyTime',
  ],
  search: ['examId', 'name', 'oldUnit', 'oldCode', 'newUnit', 'newCode', 'nameState', 'needRefund', 'createTime'],
  exam: 'examId',
})
