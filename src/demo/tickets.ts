import type { FastifyInstance } from 'fastify'
import { ReleaseStatus, SchoolType, SeatStatus } from '#schemas/dictionaries'
import type { Actor } from '../modules/exams/server/release.ts'
import { drawStage } from '../modules/tickets/server/allot.ts'
import { lockAllot, type TicketKey } from '../modules/tickets/server/lock.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveFor } from '../platform/database/live.ts'
import { actAs } from './caller.ts'
import type { Demo, DemoExam } from './exams.ts'

const sites = [
  {
    schoolCode: 'KD01',
    schoolName: '清源第一中学',
    address: '清源区学府路 18 号',
    traffic: '公交 12、27、K3 路“清源一中”站；地铁 2 号线学府路站 B 口',
  },
  {
    schoolCode: 'KD02',
    schoolName: '清源实验中学',
    address: '清源区望湖路 66 号',
    traffic: '公交 8、31 路“望湖公园”站',
  },
] as const

/** Sites and rooms of a stage, enough for everybody. */
export async function makeRooms({ db, tenantId, now, staff }: Demo, exam: DemoExam, people: number): Promise<void> {
  const stamp = { tenantId, createUser: staff.kaowu, createTime: now, updateUser: staff.kaowu, updateTime: now }
  const known = await db
    .selectFrom('school')
    .select(['id', 'schoolCode'])
    .where('schoolType', '=', SchoolType.examSite)
    .where('tenantId', '=', tenantId)
    .execute()
  const fresh = sites.filter(one => !known.some(site => site.schoolCode === one.schoolCode))
  const made = fresh.length
    ? await db
        .insertInto('school')
        .values(fresh.map(one => ({ ...stamp, ...one, schoolType: SchoolType.examSite })))
        .returning(['id', 'schoolCode'])
        .execute()
    : []
  const schools = [...known, ...made].toSorted((a, b) => a.schoolCode.localeCompare(b.schoolCode))
  const count = Math.max(4, Math.ceil(people / 30) + 1)
  const rooms = Array.from({ length: count }, (_, i) => ({
    ...stamp,
    examId: exam.id,
    itemId: exam.itemId,
    schoolId: schools[i % schools.length]!.id,
    roomNo: String(i + 1).padStart(3, '0'),
    roomName: `教学楼 ${1 + Math.floor(i / 8)}0${1 + (i % 8)} 室`,
    rows: 5,
    cols: 6,
    capacity: 30,
    reserve: 0,
    usedNum: 0,
  }))
  await db.insertInto('examroom').values(rooms).execute()
}

/** Seats and tickets, all out, by the same functions as the console's; what is done already is left alone. */
export async function makeTickets(app: FastifyInstance, actor: Actor, key: TicketKey): Promise<void> {
  const { db } = app
  const stages = await db
    .selectFrom('examinationitem as item')
    .innerJoin('examroom as room', 'room.itemId', 'item.id')
    .select(['item.id', 'item.seatStatus'])
    .distinct()
    .where('item.ticketRelease', '=', ReleaseStatus.draft)
    .execute()
  const live = liveFor(app, { tenantId: firstTenant, userId: actor.userId, now: () => actor.now })
  for (const { id, seatStatus } of stages) {
    if (seatStatus < SeatStatus.locked) await drawStage(live, id, actor, { strategy: 3, seed: 'demo', snake: true })
    if (seatStatus < SeatStatus.locked) await lockAllot(live, id, actor, key)
    await actAs(app, 'kaowu', ({ post }) => post('/blade-exam/examination/releaseTicket', { itemId: id }))
  }
}

/** Puts the demonstration's proctor at the doors of every room in which people sit, by the call of the console. */
export async function appointProctors(app: FastifyInstance): Promise<void> {
  const { id } = await app.db
    .selectFrom('user')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('account', '=', 'jiankao')
    .executeTakeFirstOrThrow()
  await actAs(app, 'kaowu', async ({ get, post }) => {
    const base = '/blade-exam/checkIn'
    for (const { itemId } of await get<{ itemId: string }[]>(`${base}/stages`))
      for (const { roomId } of await get<{ roomId: string }[]>(`${base}/rooms?itemId=${itemId}`))
        await post(`${base}/appoint`, { roomId, userIds: [id] })
  })
}
