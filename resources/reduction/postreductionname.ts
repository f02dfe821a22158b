import { resource } from '#engine'
import { ReduceState } from '../../schemas/dictionaries.ts'
import { Postreductionname } from '../../schemas/reduction/postreductionname.ts'
import { arranged, byExam } from '../scopes.ts'

export const postreductionname = resource(Postreductionname, {
  path: '/blade-signup/postreductionname',
  title: '核减名单',
  route: '/reduction/name',
  can: ['view', 'export'],
  columns: [
    { field: 'examId', width: 220 },
    'name',
    { field: 'oldUnit', width: 180 },
    'oldCode',
    { field: 'newUnit', width: 180 },
    'newCode',
    { field: 'nameState', as: 'tag' },
    'choiceTime',
    { field: 'choiceBy', folded: true },
    'needRefund',
    { field: 'notifyTime', folded: true },
  ],
  search: ['examId', 'name', 'oldUnit', 'oldCode', 'newUnit', 'newCode', 'nameState', 'needRefund', 'createTime'],
  scope: byExam('examId', arranged),
  actions: {
    choose: {
      label: '代录改报',
      call: 'GET choose?id',
      open: '/reduction/choose/:id',
      when: { nameState: [ReduceState.choosing, ReduceState.rejected] },
    },
    removeName: {
      label: '移出名单',
      call: 'POST removeName?id',
      when: { nameState: ReduceState.choosing },
      confirm: '移出后该考生回到原岗位，确定移出?',
      refusal: 'reduction.alreadyChosen',
      danger: true,
    },
  },
})
