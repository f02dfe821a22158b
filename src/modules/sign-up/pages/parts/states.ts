import type { AnswerOf } from '#engine'
import { ExamineStatus, ReduceState, ReviewStatus, SignStatus } from '#schemas/dictionaries/sign-up'
import type { Tone } from '../../../../screens/candidate/Badge.tsx'
import type { mySignups } from '../../contract.ts'

type Mine = AnswerOf<typeof mySignups>['records'][number]

/** What of a sign-up decides its word. */
export type SignState = Pick<Mine, 'signStatus' | 'examine'> & Partial<Pick<Mine, 'reviewStatus' | 'reduceState'>>

const reviewed: Record<number, [string, Tone]> = {
  [ExamineStatus.pending]: ['待审核', 'wait'],
  [ExamineStatus.approved]: ['已通过', 'good'],
  [ExamineStatus.rejected]: ['未通过', 'bad'],
  [ExamineStatus.returned]: ['退回修改', 'act'],
}

/** Where somebody stands whose position is gone. */
const moved: Record<number, [string, Tone]> = {
  [ReduceState.choosing]: ['岗位已取消，待改报', 'act'],
  [ReduceState.pending]: ['已改报，待审核', 'wait'],
  [ReduceState.approved]: ['改报通过', 'good'],
  [ReduceState.rejected]: ['改报未通过，可再选', 'act'],
  [ReduceState.givenUp]: ['已放弃改报', 'quiet'],
  [ReduceState.overdue]: ['逾期未改报', 'bad'],
}

/** Where a sign-up stands, in a word. */
export function stateOf({ signStatus, examine, reviewStatus, reduceState }: SignState): [string, Tone] {
  if (signStatus === SignStatus.draft) return ['草稿', 'act']
  if (signStatus === SignStatus.withdrawn) return ['已放弃', 'quiet']
  if (signStatus === SignStatus.disqualified) return ['已取消资格', 'bad']
  if (Number(reviewStatus) === ReviewStatus.rejected) return ['复审不通过', 'bad']
  const move = moved[Number(reduceState)]
  if (move) return move
  return reviewed[examine] ?? ['待审核', 'wait']
}

/** What there is to do next and where, and what its end is called. Steps without an entry are nothing to do. */
export const steps: Readonly<
  Partial<Record<Mine['nextStep'], { word: string; to: (examId: string, id: string) => string; until?: string }>>
> = {
  FILL: { word: '继续填写', to: examId => `/signup/form/${examId}` },
  FIX: { word: '按意见修改', to: examId => `/signup/form/${examId}` },
  CHOOSE_POST: { word: '选择改报岗位', to: (_, id) => `/signup/mySignup/${id}` },
  PAY: { word: '去缴费', to: () => '/signup/examPay' },
  SURE: { word: '确认通知', to: () => '/signup/ticket' },
  UPLOAD: { word: '上传材料', to: () => '/signup/ticket' },
  TICKET: { word: '下载准考证', to: () => '/signup/ticket' },
  CONFIRM: {
    word: '去确认入围',
    to: () => '/signup/score',
    until: '入围确认 {{at}} 截止，逾期视为放弃，还剩',
  },
  SCORE: { word: '查看成绩', to: () => '/signup/score', until: '成绩复核申请 {{at}} 截止，还剩' },
}

const openPhases = new Set(['报名中', '缴费中', '准考证下载中', '改报中'])

/** The colour of a phase: what a person can do something about stands out. */
export const phaseTone = (phase: string): Tone =>
  openPhases.has(phase) ? 'act' : phase === '已结束' || phase === '已关闭' ? 'quiet' : 'wait'
