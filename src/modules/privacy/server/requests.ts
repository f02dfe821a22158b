import type { FastifyInstance } from 'fastify'
import { workdaysAfter } from '#engine'
import { datarequest } from '#resources/system/datarequest'
import { dataRequestEvents } from '#resources/system/events'
import { RequestKind, RequestStatus, UserType } from '#schemas/dictionaries'
import type { Datarequest } from '#schemas/system/datarequest'
import { emit } from '../../../crud/emit.ts'
import { guard, type Hooks, on, rules } from '../../../crud/rules.ts'
import { makeTransition } from '../../../crud/transition.ts'
import type { Caller } from '../../../platform/access/server/caller.ts'
import type { Live, LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { workCalendar } from '../../publicity/server/calendar.ts'
import { erasePerson } from './erase.ts'
import { erasureBlock } from './plan.ts'

/** Working days in which a request is answered. */
const daysToAnswer = 15

/** The day by which a request of today is answered. */
async function dueDateOf(db: Live, now: Date): Promise<string> {
  return workdaysAfter(wireDay(now), daysToAnswer, (await workCalendar(db)).isOff)
}

const waiting = [RequestStatus.asked, RequestStatus.accepted, RequestStatus.refusing]

/** @throws privacy.requestWaiting when one of the kind is being handled, what stands against erasing */
async function checkRequest(
  db: Live,
  { userId, requestKind }: { userId: string; requestKind: number },
  now: Date,
): Promise<void> {
  const same = await db
    .selectFrom('datarequest')
    .select('id')
    .where('userId', '=', userId)
    .where('requestKind', '=', requestKind as typeof RequestKind.erase)
    .where('requestStatus', 'in', waiting)
    .executeTakeFirst()
  if (same) throw refuse('privacy.requestWaiting')
  const block = requestKind === RequestKind.erase ? await erasureBlock(db, userId, now) : null
  if (block) throw block
}

/** A request that a candidate makes. @throws as {@link checkRequest} */
export async function askFor(
  trx: LiveTrx,
  { person, now }: Pick<Caller, 'person' | 'now'>,
  { requestKind, content }: Pick<Datarequest, 'requestKind' | 'content'>,
): Promise<{ id: string; dueDate: string }> {
  const { userId } = person
  // Of two at once the second finds what the first has asked for.
  const { realName } = await trx
    .selectFrom('user')
    .select('realName')
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  await checkRequest(trx, { userId, requestKind }, now)
  const dueDate = await dueDateOf(trx, now)
  const { id } = await trx
    .insertInto('datarequest')
    .values({ userId, name: realName, requestKind, content, requestStatus: RequestStatus.asked, dueDate })
    .returning('id')
    .executeTakeFirstOrThrow()
  const asked = { id, requestKind, dueDate }
  await emit(trx, dataRequestEvents.filed, [asked])
  await emit(trx, dataRequestEvents.asked, [asked])
  return { id, dueDate }
}

/** Takes back what a candidate has asked for. @throws row.notFound, row.wrongState */
export async function takeBack(app: FastifyInstance, trx: LiveTrx, caller: Caller, id: string): Promise<void> {
  const own = await trx
    .selectFrom('datarequest')
    .select('id')
    .where('id', '=', id)
    .where('userId', '=', caller.person.userId)
    .executeTakeFirst()
  if (!own) throw refuse('row.notFound')
  await makeTransition({ app, trx, caller: caller.person, now: caller.now }, datarequest, 'withdraw', [id])
}

/** Staff enter what reaches the office otherwise, such as from the family of somebody who has died. */
const requestHooks: Hooks<typeof Datarequest> = {
  async beforeSubmit({ db, now, set }, given) {
    const userId = String(given.userId ?? '')
    const user = await db
      .selectFrom('user')
      .select(['realName', 'userType'])
      .where('id', '=', userId)
      .executeTakeFirst()
    if (user?.userType !== UserType.candidate)
      throw refuse('input.invalid', { 说明: '请选择考生' }, [{ field: 'userId', msg: '请选择考生' }])
    await checkRequest(db, { userId, requestKind: Number(given.requestKind) }, now)
    set({ name: user.realName, dueDate: await dueDateOf(db, now) })
  },
}

/** Requests about personal data, and what follows when one is granted. */
export const requestRules = [
  rules(datarequest, { hooks: requestHooks }),
  guard(datarequest, 'finish', async ({ db, rows, now }) => {
    for (const { requestKind, userId } of rows) {
      const block = requestKind === RequestKind.erase ? await erasureBlock(db, userId, now) : null
      if (block) throw block
    }
  }),
  on(datarequest, 'finish', async ({ app, db, rows, now, caller }) => {
    for (const { id, requestKind, userId } of rows) {
      if (requestKind !== RequestKind.erase) continue
      const why = { tenantId: caller.tenantId, userId: caller.userId, targetType: datarequest.name, targetId: id }
      const erased = await erasePerson(app, db, userId, { why, now, remark: '本人申请删除个人信息' })
      app.journal.note('info', 'personal data erased', { request: id, userId, ...erased })
    }
    await emit(db, dataRequestEvents.answered, rows)
  }),
  on(datarequest, 'confirmRefusal', ({ db, rows }) => emit(db, dataRequestEvents.answered, rows)),
]
