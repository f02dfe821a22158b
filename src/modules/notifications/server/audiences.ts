import { type SelectQueryBuilder, sql } from 'kysely'
import type { AudienceName, Facts } from '#engine'
import '#resources/audiences'
import { noticeEvents } from '#resources/notices/events'
import { wideRoles } from '#resources/scopes'
import {
  AccountStatus,
  ExamRole,
  NoticeStatus,
  PayBizType,
  SignStatus,
  TicketStatus,
  UserType,
} from '#schemas/dictionaries'
import type { Event } from '#schemas/system/event'
import { type Live, type LiveDatabase, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import type { Extensions } from '../../../platform/http/server/extensions.ts'
import { holdsNow } from '../../exams/server/appointment.ts'
import { audience } from '../../notices/server/audience.ts'
import { concernedAtStage, concernedBy } from '../../notices/server/moved.ts'

/** What people are asked for by: the row that something happened to, its exam, and whether who did it is left out. */
export type Occasion = Pick<Event, 'code' | 'subjectId' | 'examId' | 'createUser' | 'createTime' | 'facts'>

/** Ids of people, in a column `userId`. */
type People = SelectQueryBuilder<LiveDatabase, never, { userId: string | null }>

type Who = (
  db: LiveTrx,
  occasion: Occasion,
  extensions: Pick<Extensions, 'taskDoers'>,
) => People | null | Promise<People | null>

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Ids of whoever a task waits for: who is to do it, or all who may claim it. */
    taskDoers: (db: LiveTrx, taskId: string) => Promise<readonly string[]>
  }
}

/** The resource that an event is of. */
const resourceOf = ({ code }: Pick<Occasion, 'code'>): string => code.slice(0, code.indexOf('.'))

const people = (query: unknown): People => query as People

/** Whom a row is of, by its resource. */
const owners: Readonly<Record<string, (db: LiveTrx, id: string) => People>> = {
  signup: (db, id) => people(db.selectFrom(withRemoved('signup')).select('userId').where('id', '=', id)),
  payrecord: (db, id) => people(db.selectFrom(withRemoved('payrecord')).select('userId').where('id', '=', id)),
  payorder: (db, id) => people(db.selectFrom(withRemoved('payorder')).select('userId').where('id', '=', id)),
  payrefund: (db, id) =>
    people(
      db
        .selectFrom(withRemoved('payrefund as f'))
        .innerJoin(withRemoved('payorder as o'), 'o.id', 'f.payOrderId')
        .select('o.userId')
        .where('f.id', '=', id),
    ),
  examinationticket: (db, id) =>
    people(db.selectFrom(withRemoved('examinationticket')).select('userId').where('id', '=', id)),
  ticketnotice: (db, id) => people(db.selectFrom(withRemoved('ticketnotice')).select('userId').where('id', '=', id)),
  result: (db, id) =>
    people(
      db
        .selectFrom(withRemoved('result as r'))
        .innerJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
        .select('s.userId')
        .where('r.id', '=', id),
    ),
  resultappeal: (db, id) =>
    people(
      db
        .selectFrom(withRemoved('resultappeal as r'))
        .innerJoin(withRemoved('signup as s'), 's.id', 'r.signupId')
        .select('s.userId')
        .where('r.id', '=', id),
    ),
  examuser: (db, id) => people(db.selectFrom(withRemoved('examuser')).select('userId').where('id', '=', id)),
  user: (db, id) => people(db.selectFrom(withRemoved('user')).select('id as userId').where('id', '=', id)),
  datarequest: (db, id) => people(db.selectFrom(withRemoved('datarequest')).select('userId').where('id', '=', id)),
  userupdateinfo: (db, id) =>
    people(db.selectFrom(withRemoved('userupdateinfo')).select('userId').where('id', '=', id)),
}

/** Who has made a row, by its resource. */
const creators: Readonly<Record<string, (db: LiveTrx, id: string) => People>> = {
  payrefund: (db, id) => people(db.selectFrom('payrefund').select('applyUser as userId').where('id', '=', id)),
  examarchive: (db, id) => people(db.selectFrom('examarchive').select('askUser as userId').where('id', '=', id)),
  send: (db, id) => people(db.selectFrom(withRemoved('send')).select('createUser as userId').where('id', '=', id)),
  exporttask: (db, id) =>
    people(db.selectFrom(withRemoved('exporttask')).select('createUser as userId').where('id', '=', id)),
}

const appointed = (
  db: LiveTrx,
  { examId, subjectId, code, createTime }: Occasion,
  roles: readonly (typeof ExamRole)[keyof typeof ExamRole][],
) =>
  people(
    db
      .selectFrom('examuser')
      .select('userId')
      .where('examId', '=', examId ?? (resourceOf({ code }) === 'examination' ? subjectId : '0'))
      .where(holdsNow('examuser', createTime))
      .$if(roles.length > 0, query => query.where('examRole', 'in', roles)),
  )

/** Staff whose roles grant a permission. */
export const granted = (db: Live, permission: string) =>
  people(
    db
      .selectFrom('user as u')
      .innerJoin('role as r', join =>
        join.on(sql<boolean>`r.id::text = ANY(string_to_array(coalesce(u."roleId", ''), ','))`),
      )
      .innerJoin('role_menu as g', 'g.roleId', 'r.id')
      .innerJoin('menu as m', 'm.id', 'g.menuId')
      .select('u.id as userId')
      .where('m.code', '=', permission)
      .where('u.userType', '<>', UserType.candidate),
  )

/** The exam of a row of money: such rows have it of the fee they belong to. */
const examsOfMoney: Readonly<Record<string, (db: LiveTrx, id: string) => Promise<{ examId: string } | undefined>>> = {
  payorder: (db, id) =>
    db
      .selectFrom(withRemoved('payorder as o'))
      .innerJoin(withRemoved('payrecord as r'), 'r.id', 'o.bizId')
      .select('r.examId')
      .where('o.bizType', '=', PayBizType.examFee)
      .where('o.id', '=', id)
      .executeTakeFirst(),
  payrefund: (db, id) =>
    db
      .selectFrom(withRemoved('payrefund as f'))
      .innerJoin(withRemoved('payrecord as r'), 'r.id', 'f.payRecordId')
      .select('r.examId')
      .where('f.id', '=', id)
      .executeTakeFirst(),
}

/** Staff who hold a permission and meet the row: by an appointment to its exam, or because they meet every row of the tenant. */
async function grantedFor(db: LiveTrx, occasion: Occasion, permission: string): Promise<People> {
  const found = await examsOfMoney[resourceOf(occasion)]?.(db, occasion.subjectId)
  const examId = occasion.examId ?? found?.examId
  // What belongs to no exam, such as the books of a day, is met by all who hold the permission.
  if (!examId) return granted(db, permission)
  const duties = [ExamRole.manager, ExamRole.finance]
  return people(
    db
      .selectFrom('user as holder')
      .select('holder.id as userId')
      .where('holder.id', 'in', granted(db, permission) as never)
      .where(eb =>
        eb.or([
          eb('holder.id', 'in', administrators(db) as never),
          eb('holder.id', 'in', appointed(db, { ...occasion, examId }, duties) as never),
        ]),
      ),
  )
}

/** Staff who meet every row of the tenant. */
export const administrators = (db: Live) =>
  people(
    db
      .selectFrom('user as u')
      .innerJoin('role as r', join =>
        join.on(sql<boolean>`r.id::text = ANY(string_to_array(coalesce(u."roleId", ''), ','))`),
      )
      .select('u.id as userId')
      .where('r.roleAlias', 'in', [...wideRoles])
      .where('u.userType', '<>', UserType.candidate),
  )

/** The people of each audience. */
const audiences: Readonly<Record<AudienceName, Who>> = {
  owner: (db, occasion) => owners[resourceOf(occasion)]?.(db, occasion.subjectId) ?? null,
  creator: (db, occasion) => creators[resourceOf(occasion)]?.(db, occasion.subjectId) ?? null,
  applicant: (db, { subjectId }) => people(db.selectFrom('user').select('id as userId').where('id', '=', subjectId)),
  objector: () => null,
  'notice.readers': (db, { subjectId }) =>
    people(
      db
        .selectFrom('user as reader')
        .innerJoin('notice', join => join.on('notice.id', '=', subjectId))
        .select('reader.id as userId')
        .where('reader.userType', '=', UserType.candidate)
        .where('notice.noticeStatus', '=', NoticeStatus.released)
        .where(audience(sql.ref('reader.id'), sql<boolean>`false`)),
    ),
  'notice.told': (db, { subjectId }) =>
    people(
      db
        .selectFrom('message')
        .select('userId')
        .where('subjectId', '=', subjectId)
        .where('code', '=', noticeEvents.mustSure.name),
    ),
  'data.officers': db => granted(db, 'datarequest_handle'),
  'account.keepers': (db, occasion) => granted(db, `${resourceOf(occasion)}_enable`),
  'exam.live': (db, { examId }) =>
    people(
      db
        .selectFrom('signup')
        .select('userId')
        .where('examId', '=', examId)
        .where('signStatus', '=', SignStatus.submitted),
    ),
  'window.people': async (db, { examId, facts }) => {
    const concerned = examId === null ? null : await concernedBy(db, examId, [String((facts as Facts).window)])
    return concerned && people(concerned)
  },
  'stage.concerned': async (db, { subjectId, facts }) => {
    const concerned = await concernedAtStage(db, subjectId, [String((facts as Facts).window)])
    return concerned && people(concerned)
  },
  'exam.everybody': (db, { examId }) =>
    people(db.selectFrom(withRemoved('signup')).select('userId').where('examId', '=', examId)),
  'position.live': (db, { subjectId }) =>
    people(
      db
        .selectFrom(withRemoved('postreduction as p'))
        .innerJoin('signup as s', 's.examId', 'p.examId')
        .select('s.userId')
        .where('p.id', '=', subjectId)
        .where('s.signStatus', '=', SignStatus.submitted)
        .whereRef('s.finalCode', '=', 'p.code'),
    ),
  'stage.holders': (db, { subjectId }) =>
    people(
      db
        .selectFrom('examinationticket')
        .select('userId')
        .where('itemId', '=', subjectId)
        .where('ticketStatus', '<>', TicketStatus.voided),
    ),
  'stage.people': (db, { subjectId }) =>
    people(
      db
        .selectFrom('result as r')
        .innerJoin('signup as s', 's.id', 'r.signupId')
        .select('s.userId')
        .where('r.itemId', '=', subjectId)
        .where('s.signStatus', '=', SignStatus.submitted),
    ),
  'list.people': (db, { subjectId }) =>
    people(
      db
        .selectFrom('publicityrow as r')
        .innerJoin('signup as s', 's.id', 'r.signupId')
        .select('s.userId')
        .where('r.publicityId', '=', subjectId)
        .where('r.isShown', '=', 1),
    ),
  'exam.staff': (db, occasion) => appointed(db, occasion, []),
  'exam.managers': (db, occasion) => appointed(db, occasion, [ExamRole.manager]),
  finance: (db, occasion) => grantedFor(db, occasion, 'payrefund_approve'),
  'finance.invoices': (db, occasion) => grantedFor(db, occasion, 'payrecord_invoice'),
  'task.doers': async (db, { subjectId }, { taskDoers }) => {
    const ids = await taskDoers(db, subjectId)
    return ids.length === 0 ? null : people(db.selectFrom('user').select('id as userId').where('id', 'in', ids))
  },
  administrators,
}

/** Groups of staff: their members are not told of what they have done themselves. */
export const colleagues: readonly AudienceName[] = [
  'exam.staff',
  'exam.managers',
  'finance',
  'finance.invoices',
  'creator',
  'task.doers',
  'data.officers',
  'administrators',
]

/**
 * The next people whom something concerns, in the order of their ids: those whose account is in use, and who asked for one.
 * @param after the last of those before; null for the first
 * @param most how many at once
 */
export async function nextPeople(
  app: { readonly extensions: Pick<Extensions, 'taskDoers'> },
  db: LiveTrx,
  names: readonly AudienceName[],
  occasion: Occasion,
  after: string | null,
  most: number,
): Promise<string[]> {
  const found = new Set<string>()
  for (const name of names) {
    const query = await audiences[name](db, occasion, app.extensions)
    if (!query) continue
    const rows = await db
      .selectFrom('user')
      .select('user.id')
      .where('user.id', 'in', query as never)
      .$if(name !== 'applicant', some => some.where('user.accountStatus', '=', AccountStatus.active))
      .$if(after !== null, some => some.where('user.id', '>', after ?? '0'))
      .$if(colleagues.includes(name) && occasion.createUser !== null, some =>
        some.where('user.id', '<>', occasion.createUser ?? '0'),
      )
      .orderBy('user.id')
      .limit(most)
      .execute()
    for (const { id } of rows) found.add(id)
  }
  return [...found].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).slice(0, most)
}
