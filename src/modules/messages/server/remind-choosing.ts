import type { postreductionname } from '#resources/reduction/postreductionname'
import { ReduceState, SendStatus, SendType } from '#schemas/dictionaries'
import type { ActionContext, HandlerOf } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import { type LiveTrx, liveAcross } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { reductionWindows } from '../../reduction/rules/act-windows.ts'
import { finishSends } from './finish.ts'
import { putInNotices } from './notices.ts'
import { addReceivers } from './receivers.ts'
import { lockSend, openSend, ownWords } from './rows.ts'

/** Milliseconds in which nobody is reminded a second time. */
const again = 10 * 60_000

const words =
  '{name}：您报考的「{exam}」岗位须重新选择，您还没有选择。请在 {until} 前登录系统选择其他岗位，逾期不能再选。'

/** Those of the list that were chosen, with the accounts that they are reached by; locked in the order everybody locks them in. */
const chosenOf = (trx: LiveTrx, ids: readonly string[]) =>
  trx
    .selectFrom('postreductionname as n')
    .innerJoin('signup as s', 's.id', 'n.signupId')
    .innerJoin('examination as e', 'e.id', 'n.examId')
    .select(['n.id', 'n.examId', 'n.nameState', 'n.notifyTime', 'e.examName', 'e.reduceStartTime', 'e.reduceEndTime'])
    .select(['s.name', 's.userId', 's.phone', 's.phoneHash', 's.phoneMask'])
    .where('n.id', 'in', ids)
    .orderBy('n.id')
    .forNoKeyUpdate('n')
    .execute()

type Chosen = Awaited<ReturnType<typeof chosenOf>>[number]

/** Puts the reminder into the notices of people of one exam, and notes when they were told. */
async function tell(
  trx: LiveTrx,
  { person, now }: Pick<ActionContext, 'person' | 'now'>,
  people: readonly Chosen[],
): Promise<void> {
  const [{ examId, examName, reduceEndTime }] = people as [Chosen]
  const text = ownWords(words)
  const id = await openSend(trx, text, now, {
    title: `请重新选择岗位：${examName}`.slice(0, 100),
    examId,
    sendType: SendType.inbox,
    sendStatus: SendStatus.sending,
    sendTime: now,
  })
  const receivers = people.map(one => ({
    name: one.name,
    userId: one.userId,
    phone: one.phone ?? '',
    // Who has no phone is reached by the account all the same.
    phoneHash: one.phoneHash ?? one.userId,
    phoneMask: one.phoneMask ?? '',
    params: { name: one.name ?? '', exam: examName, until: wireTime(reduceEndTime) },
  }))
  await addReceivers(trx, await lockSend(trx, id), text, receivers)
  await putInNotices(trx, person.tenantId, [id], now)
  await finishSends(liveAcross(trx, { now: () => now }), now, id)
  await trx
    .updateTable('postreductionname')
    .set({ notifyTime: now })
    .where(
      'id',
      'in',
      people.map(one => one.id),
    )
    .execute()
}

/**
 * Reminds those who have to choose another position and have not: a notice for each exam, which its receivers alone find. Others of
 * the rows are left out, and so is who was reminded minutes ago.
 * @returns how many were reminded, of how many
 * @throws row.notFound, reduction.alreadyChosen when nobody has to choose, input.repeated when all were reminded minutes ago,
 * reduction.choiceClosed
 */
export const remindChoosing: HandlerOf<typeof postreductionname, 'remind'> = async ctx => {
  const { app, db, person, now, ids } = ctx
  const met = await changeable(app, person, 'postreductionname').select('id').where('id', 'in', ids).execute()
  if (met.length < ids.length) throw refuse('row.notFound')
  return db.transaction().execute(async trx => {
    const rows = await chosenOf(trx, ids)
    const choosing = rows.filter(one => one.nameState === ReduceState.choosing)
    if (choosing.length === 0) throw refuse('reduction.alreadyChosen')
    const due = choosing.filter(one => !one.notifyTime || now.getTime() - one.notifyTime.getTime() >= again)
    if (due.length === 0) throw refuse('input.repeated')
    for (const one of due) checkTimely(reductionWindows.list, { exam: one }, now)
    for (const examId of new Set(due.map(one => one.examId)))
      await tell(
        trx,
        ctx,
        due.filter(one => one.examId === examId),
      )
    return { changed: due.length, total: ids.length }
  })
}
