import { ExamineStage, ExamineStatus, SignStatus } from '#schemas/dictionaries'
import type { Advisement, Change } from '#schemas/sign-up/signup-json'
import type { Db, ExamRow, SignupRow } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { SignItem } from '../../exams/rules/sign-item.ts'
import { signOpen } from './editable.ts'

/** The opinions of the latest review of a sign-up; none when it was not reviewed. */
export async function latestAdvisement(db: Db, signupId: string): Promise<Advisement[]> {
  const log = await db
    .selectFrom('examinelog')
    .select('advisementList')
    .where('signupId', '=', signupId)
    .where('stage', 'in', [ExamineStage.first, ExamineStage.second, ExamineStage.reassignment])
    .orderBy('time', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return log?.advisementList ?? []
}

/**
 * What may be corrected of a returned sign-up, `item:major`, `file:degree`, `position`; empty for everything.
 * @param lacking what the form of today finds wrong, corrected with the rest
 */
export function scopeOf(advisement: readonly Advisement[], lacking: readonly string[]): string[] {
  const marked = advisement
    .filter(one => !one.ok)
    .map(one => (one.target === 'position' ? 'position' : `${one.target}:${one.code}`))
  return marked.length > 0 ? [...new Set([...marked, ...lacking])] : []
}

/** An item that appears because of one that may be corrected may be filled in as well. */
function openItems(scope: readonly string[], items: readonly SignItem[]): Set<string> {
  const open = new Set(scope)
  for (let size = -1; size !== open.size; ) {
    size = open.size
    for (const item of items) {
      const follows = Object.keys(item.showWhen ?? {}).some(code => open.has(`item:${code}`))
      if (follows) open.add(`item:${item.itemCode}`)
    }
  }
  return open
}

/**
 * Refuses (signup.notEditable) changes of a returned sign-up beyond what the reviewer marked; another position may be
 * chosen only while sign-up lasts.
 */
export function checkScope(
  exam: ExamRow,
  signup: SignupRow,
  changes: readonly Change[],
  around: { scope: readonly string[]; items: readonly SignItem[]; now: Date },
): void {
  if (signup.signStatus !== SignStatus.submitted || signup.examine !== ExamineStatus.returned) return
  const { scope } = around
  const open = openItems(scope, around.items)
  const isOpen = ({ target, code }: Change) => {
    if (target === 'position') return signOpen(exam, around.now) && (scope.length === 0 || open.has('position'))
    return scope.length === 0 || open.has(`${target}:${code}`)
  }
  const closed = changes.filter(change => !isOpen(change))
  if (closed.length) throw refuse('signup.notEditable', { 状态: '已退回，标出以外的内容' }, closed)
}
