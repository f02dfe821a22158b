import { changedShape, resource } from '#engine'
import { ReduceState } from '../../schemas/dictionaries.ts'
import { Postreductionname } from '../../schemas/reduction/postreductionname.ts'
import { arranged, byExam } from '../scopes.ts'

export const postreductionname = resource(Postreductionname, {
  path: '/blade-signup/postreductionname',
  title: '核减名单',
  route: '/reduction/name',
  can: ['view', 'export'],
  columns: [
    { field: 'name', with: ['signup.signNo', 'examId'], width: 190 },
    { field: 'oldUnit', with: ['oldCode'], width: 170 },
    { field: 'newUnit', with: ['newCode'], width: 170 },
    { field: 'nameState', as: 'tag', width: 120 },
    { field: 'exam.reduceEndTime', as: 'left', card: true, width: 160 },
    { field: 'needRefund', width: 90 },
    { field: 'choiceTime', folded: true },
    { field: 'choiceBy', folded: true },
    { field: 'notifyTime', folded: true },
  ],
  find: ['name', 'signup.signNo'],
  views: {
    待选择: { nameState: ReduceState.choosing },
    待审: { nameState: ReduceState.pending },
    逾期: { nameState: ReduceState.overdue },
    完成: { nameState: [ReduceState.approved, ReduceState.givenUp] },
    不通过: { nameState: ReduceState.rejected },
    全部: {},
  },
  main: ['choose', 'view'],
  empty: { text: '没有需要改报的人' },
  search: ['examId', 'name', 'oldUnit', 'oldCode', 'newUnit', 'newCode', 'nameState', 'needRefund', 'createTime'],
  scope: byExam('examId', arranged),
  actions: {
    choose: {
      label: '代录改报',
      call: 'GET choose?id',
      open: '/reduction/choose/:id',
      still: false,
      when: { nameState: [ReduceState.choosing, ReduceState.rejected] },
    },
    remind: {
      label: '发提醒',
      on: 'rows',
      call: 'POST remind?ids',
      single: { nameState: ReduceState.choosing },
      confirm: '所选考生中还没有选择岗位的会收到站内信，十分钟内提醒过的除外，确定发送?',
      answer: changedShape,
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
