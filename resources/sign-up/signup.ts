import { dict, resource, text } from '#engine'
import { revealField } from '../../schemas/dictionaries.ts'
import { Signup } from '../../schemas/sign-up/signup.ts'
import { byExam, signUps } from '../scopes.ts'

export const signup = resource(Signup, {
  path: '/blade-signup/signup',
  route: '/examine/signup',
  can: ['view', 'export'],
  columns: [
    'signNo',
    'name',
    'examId',
    'finalUnit',
    'finalCode',
    'sex',
    'idCard',
    'phone',
    { field: 'signStatus', as: 'tag' },
    { field: 'examine', as: 'tag' },
    'submitTime',
    { field: 'payState', as: 'tag' },
    { field: 'ticketState', as: 'tag' },
  ],
  search: [
    ...(['examId', 'name', 'signNo', 'finalUnit', 'finalCode', 'signStatus', 'examine', 'reviewStatus'] as const),
    ...(['reduceState', 'payState', 'ticketState', 'idCard', 'phone', 'sex', 'unit', 'type', 'code'] as const),
    ...(['finalType', 'adjustAccept', 'userId', 'createTime'] as const),
  ],
  sort: '-submitTime',
  owner: {
    field: 'userId',
    where: {},
    fields: [
      ...(['examId', 'signNo', 'signStatus', 'submitTime', 'submitCount', 'province', 'city', 'area'] as const),
      ...(['unit', 'type', 'code', 'unit2', 'type2', 'code2', 'adjustAccept', 'content', 'files', 'precheck'] as const),
      ...(['name', 'sex', 'birthday', 'idCard', 'phone', 'photo', 'consentTime', 'cancelReason'] as const),
      ...(['examine', 'examineRemark', 'examineTime', 'reviewStatus', 'reviewRemark', 'reduceState'] as const),
      ...(['finalUnit', 'finalType', 'finalCode', 'payState', 'ticketState'] as const),
    ],
  },
  scope: byExam('examId', signUps),
  actions: {
    review: { label: '查看', call: 'GET review?id', open: '/examine/info/:id', when: { signStatus: [1, 9] } },
    reveal: {
      label: '查看完整号码',
      call: 'POST reveal?id',
      ask: { field: dict('号码', revealField), reason: text('查看原因', { minLength: 2 }) },
    },
    strike: {
      label: '取消资格',
      call: 'POST cancelQualification?id',
      ask: { reason: text('取消资格原因', { maxLength: 500, help: '一人提出后由另一人确认，确认后准考证作废' }) },
      when: { signStatus: 1 },
      danger: true,
    },
    restore: {
      label: '恢复报名资格',
      call: 'POST restoreQualification?id',
      ask: { reason: text('恢复原因', { maxLength: 500 }) },
      when: { signStatus: 9 },
    },
    revoke: {
      label: '撤销审核',
      call: 'POST revoke?id',
      ask: {
        reason: text('撤销原因', { maxLength: 500, help: '撤销后该报名回到未审核；已缴费或已编排准考证的不能撤销' }),
      },
      when: { signStatus: 1, reduceState: 0, examine: [1, 2, 3] },
    },
    reduce: {
      label: '列入核减名单',
      on: 'rows',
      call: 'POST joinPostReductionNameList?ids',
      confirm: '列入后考生须在改报时间内另选岗位，确定列入?',
    },
  },
})
