import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { staffEvents } from '#resources/system/events'
import { AccountStatus, UserType } from '#schemas/dictionaries'
import { emitOnce } from '../../../crud/emit.ts'
import { mailContacts } from '../../../platform/accounts/server/contacts.ts'
import { type Live, liveAcross, liveFor } from '../../../platform/database/live.ts'
import { startOfDay, wireDay } from '../../../platform/http/server/wire.ts'
import { eachAlone } from '../../../platform/queue/each-alone.ts'
import { workCalendar } from '../../publicity/server/calendar.ts'
import { todosOf } from './todos.ts'

const hour = 3_600_000

/** Hours of a work day, by the clock of Shanghai, within which it is sent: what a server that was down has missed is left out. */
const morning = { from: 9, until: 11 } as const

/** Whether digests go out now: on the morning of a work day. */
async function isTime(db: Live, now: Date): Promise<boolean> {
  const hours = (now.getTime() - startOfDay(now).getTime()) / hour
  return hours >= morning.from && hours < morning.until && !(await workCalendar(db)).isOff(wireDay(now))
}

/** Staff of a tenant who take e-mails and have not been told today. */
async function receivers(app: FastifyInstance, db: Live, tenantId: string, now: Date) {
  const staff = await db
    .selectFrom('user as u')
    .select(['u.id', 'u.roleId', 'u.deptId'])
    .where('u.userType', '<>', UserType.candidate)
    .where('u.accountStatus', '=', AccountStatus.active)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('event as e')
            .select('e.id')
            .whereRef('e.subjectId', '=', eb => eb.cast<string>('u.id', 'text'))
            .where('e.code', '=', staffEvents.digest.name)
            .where('e.createTime', '>=', startOfDay(now)),
        ),
      ),
    )
    .execute()
  const contacts = await mailContacts(
    app,
    db,
    tenantId,
    staff.map(one => one.id),
  )
  const reached = new Set(contacts.map(one => one.userId))
  return staff.filter(one => reached.has(one.id))
}

/** Tells the staff of one tenant what waits for them. @returns how many were told */
async function digestTenant(app: FastifyInstance, tenantId: string, now: Date, signal?: AbortSignal): Promise<number> {
  const db = liveFor(app, { tenantId, userId: null, now: () => now })
  if (!(await isTime(db, now))) return 0
  let told = 0
  for (const { id, roleId, deptId } of await receivers(app, db, tenantId, now)) {
    if (signal?.aborted) break
    const person = await app.personNow({ userId: id, roleIds: commaList(roleId), deptIds: commaList(deptId) })
    const work = person ? await todosOf(app, person) : []
    if (work.length === 0) continue
    const sum = (of: 'num' | 'overdue') => work.reduce((all, one) => all + one[of], 0)
    const facts = { num: sum('num'), kinds: work.length, late: sum('overdue') }
    await db
      .transaction()
      .execute(trx => emitOnce(trx, staffEvents.digest, [{ id }], () => `digest:${id}:${wireDay(now)}`, facts))
    told++
  }
  return told
}

/**
 * Tells staff on the morning of each work day what waits for them: those who have confirmed an address for e-mail and want e-mails. Each
 * once a day, however many processes do it.
 * @param signal stops between two people
 * @returns how many were told
 */
export async function digestDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  const now = app.now()
  const tenants = await liveAcross(app, { now: () => now })
    .selectFrom('tenant')
    .select('tenantId')
    .execute()
  return eachAlone(app, tenants, ({ tenantId }) => digestTenant(app, tenantId, now, signal), signal)
}
