import type { Db } from '../../../platform/access/server/caller.ts'

/** One line of a sign-up's history. */
export interface HistoryLine {
  signupId: string
  kind: 'sign' | 'examine'
  label: string
  stage: number
  result: number
  remark: string
  advisementList: unknown
  userName: string
  time: Date
}

const actions: Readonly<Record<number, string>> = { 1: '保存', 2: '提交', 3: '撤回', 4: '放弃', 5: '改报', 6: '恢复' }
const stages: Readonly<Record<number, string>> = { 1: '初审', 2: '复审', 3: '改报审核', 4: '撤销审核', 5: '取消资格' }
const results: Readonly<Record<number, string>> = { 1: '通过', 2: '不通过', 3: '退回修改' }

function examineLabel(stage: number, result: number): string {
  if (stage === 4) return '撤销审核'
  if (stage === 5) return result === 1 ? '恢复资格' : '取消资格'
  if (stage === 2 && result === 3) return '复审退回初审'
  return `${stages[stage] ?? ''}${results[result] ?? ''}`
}

async function signLines(db: Db, ids: readonly string[]): Promise<HistoryLine[]> {
  const rows = await db
    .selectFrom('signuplog as l')
    .leftJoin('user as u', 'u.id', 'l.userId')
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
    .leftJoin('user as u', 'u.id', 'l.userId')
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
