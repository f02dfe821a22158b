import type { Wire } from '#engine'
import { ExamineResult, ExamineStage, SignAction } from '#schemas/dictionaries'
import type { Db } from '../../../platform/access/server/caller.ts'
import { withRemoved } from '../../../platform/database/live.ts'
import type { historyShape } from '../contract.ts'

/** One line of a sign-up's history. */
export interface HistoryLine extends Omit<Wire<typeof historyShape>, 'time'> {
  time: Date
}

const actions: Readonly<Record<number, string>> = {
  [SignAction.save]: '保存',
  [SignAction.submit]: '提交',
  [SignAction.recall]: '撤回',
  [SignAction.withdraw]: '放弃',
  [SignAction.reassign]: '改报',
  [SignAction.restore]: '恢复',
  [SignAction.confirmPlace]: '确认入围',
  [SignAction.declinePlace]: '放弃入围',
  [SignAction.missPlace]: '逾期未确认，视为放弃入围',
  [SignAction.promote]: '递补入围',
  [SignAction.eraseFiles]: '撤回附件',
}
const stages: Readonly<Record<number, string>> = {
  [ExamineStage.first]: '初审',
  [ExamineStage.second]: '复审',
  [ExamineStage.reassignment]: '改报审核',
  [ExamineStage.revocation]: '撤销审核',
  [ExamineStage.disqualification]: '取消资格',
}
const results: Readonly<Record<number, string>> = {
  [ExamineResult.approved]: '通过',
  [ExamineResult.rejected]: '不通过',
  [ExamineResult.returned]: '退回修改',
}

/** What became of a disqualification, by the result that is kept of it. */
const strikes: Readonly<Record<number, string>> = {
  [ExamineResult.approved]: '恢复资格',
  [ExamineResult.returned]: '不取消资格',
}

function examineLabel(stage: number, result: number): string {
  if (stage === ExamineStage.revocation) return '撤销审核'
  if (stage === ExamineStage.disqualification) return strikes[result] ?? '取消资格'
  if (stage === ExamineStage.second && result === ExamineResult.returned) return '复审退回初审'
  return `${stages[stage] ?? ''}${results[result] ?? ''}`
}

async function signLines(db: Db, ids: readonly string[]): Promise<HistoryLine[]> {
  const rows = await db
    .selectFrom('signuplog as l')
    .leftJoin(withRemoved('user as u'), 'u.id', 'l.userId')
    .select(['l.signupId', 'l.action', 'l.time', 'u.realName'])
    .where('l.signupId', 'in', ids)
    .execute()
  return rows.map(row => ({
    signupId: row.signupId,
    kind: 'sign' as const,
    label: actions[row.action] ?? '',
    stage: 0,
    result: row.action,
    remark: '',
    advisementList: [],
    userName: row.realName ?? '',
    time: row.time,
  }))
}

async function examineLines(db: Db, ids: readonly string[], named: boolean): Promise<HistoryLine[]> {
  const rows = await db
    .selectFrom('examinelog as l')
    .leftJoin(withRemoved('user as u'), 'u.id', 'l.userId')
    .select(['l.signupId', 'l.stage', 'l.result', 'l.remark', 'l.advisementList', 'l.time', 'u.realName'])
    .where('l.signupId', 'in', ids)
    .execute()
  return rows.map(row => ({
    signupId: row.signupId,
    kind: 'examine' as const,
    label: examineLabel(row.stage, row.result),
    stage: row.stage,
    result: row.result,
    remark: row.remark ?? '',
    advisementList: row.advisementList ?? [],
    userName: named ? (row.realName ?? '') : '',
    time: row.time,
  }))
}

/**
 * What happened to sign-ups, oldest first.
 * @param named false leaves out the reviewers' names, which candidates do not see
 */
export async function historyOf(db: Db, ids: readonly string[], named: boolean): Promise<HistoryLine[]> {
  if (ids.length === 0) return []
  const lines = (await Promise.all([signLines(db, ids), examineLines(db, ids, named)])).flat()
  return lines.sort((a, b) => a.time.getTime() - b.time.getTime())
}
