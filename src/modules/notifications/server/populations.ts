import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { PopulationName } from '#engine'
import '#resources/populations'
import {
  AppealStatus,
  ConfirmStatus,
  ExamineMode,
  ExamineStatus,
  ExamRole,
  InvoiceStatus,
  ObjectionStatus,
  OrderStatus,
  PayBizType,
  PayState,
  PicState,
  ReconStatus,
  ReduceState,
  RefundStatus,
  ReleaseStatus,
  RequestStatus,
  ReviewStatus,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { type Live, type LiveDatabase, withRemoved } from '../../../platform/database/live.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { holdsNow } from '../../exams/server/appointment.ts'
import { undone } from '../../exams/server/unready.ts'
import { workdaysAfter, workdaysBefore } from '../../publicity/rules/work-days.ts'
import { confirmEnd } from '../../results/server/places.ts'
import { unconfirmedNotice } from '../../tickets/server/download-rules.ts'
import { administrators, granted } from './audiences.ts'
import type { Moment } from './deadlines.ts'

/** A row of a group, with the exam, the stage or the tenant whose deadline it has and when it became one of the group. */
interface Member {
  readonly subjectId: string
  readonly scopeId: string
  readonly since: Date
}

/** The rows, with the facts that are told of them. */
export type People = SelectQueryBuilder<LiveDatabase, never, Member>

type Who = (db: Live, moment: Moment) => unknown

const day = 86_400_000
/** When an event last happened to a row; another time where it never has. */
const lastOf = (db: Live, subject: string, codes: readonly string[], otherwise: RawBuilder<Date>) =>
  sql<Date>`coalesce((${db
    .selectFrom('event as b')
    .select(eb => eb.fn.max('b.createTime').as('time'))
    .where('b.subjectId', '=', sql<string>`${sql.ref(subject)}::text`)
    .where('b.code', 'in', codes)}), ${otherwise})`

const timeOf = (column: string): RawBuilder<Date> => sql<Date>`${sql.ref(column)}`

/** Sign-ups with what is kept with reminders of them. */
const signups = (db: Live) => db.selectFrom('signup as s').select(['s.id as subjectId', 's.examId as scopeId'])

/** Released tickets of candidates who take part. */
const tickets = (db: Live) =>
  db
    .selectFrom('examinationticket as ticket')
    .innerJoin('signup as s', 's.id', 'ticket.signupId')
    .innerJoin('examination as e', 'e.id', 'ticket.examId')
    .leftJoin('ticketnotice as n', join =>
      join.onRef('n.signupId', '=', 'ticket.signupId').onRef('n.itemId', '=', 'ticket.itemId'),
    )
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .where('s.signStatus', '=', SignStatus.submitted)
    .select(['ticket.id as subjectId', 'ticket.itemId as scopeId'])
    .select(lastOf(db, 'ticket.itemId', ['examinationitem.ticketsReleased'], timeOf('ticket.createTime')).as('since'))

/** A comma list that has a value, or is empty and so means all. */
const listed = (list: string, value: RawBuilder<string>): RawBuilder<boolean> =>
  sql<boolean>`(coalesce(${sql.ref(list)}, '') = '' OR ${value} = ANY(string_to_array(${sql.ref(list)}, ',')))`

/** Appointments to exams that hold now. */
const appointed = (db: Live, { now }: Moment, roles: readonly (typeof ExamRole)[keyof typeof ExamRole][]) =>
  db
    .selectFrom('examuser as u')
    .where('u.examRole', 'in', roles)
    .where(holdsNow('u', now))
    .select(['u.id as subjectId', 'u.examId as scopeId', 'u.createTime as since'])

/** Appointments of reviewers whose sign-ups wait, the oldest for more than a day; who has passed one does not check it again. */
function waiting(db: Live, moment: Moment, stage: 'first' | 'second') {
  const { now } = moment
  const isSecond = stage === 'second'
  const time = isSecond ? 's.examineTime' : 's.submitTime'
  return appointed(db, moment, [isSecond ? ExamRole.secondReviewer : ExamRole.firstReviewer])
    .innerJoin('examination as e', 'e.id', 'u.examId')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('signup as s')
          .whereRef('s.examId', '=', 'u.examId')
          .where('s.signStatus', '=', SignStatus.submitted)
          .where(listed('u.units', sql<string>`coalesce(s."finalUnit", s.unit)::text`))
          .where(listed('u.codes', sql<string>`coalesce(s."finalCode", s.code)`))
          .$if(!isSecond, query => query.where('s.examine', '=', ExamineStatus.pending))
          .$if(isSecond, query =>
            query
              .where('s.examine', '=', ExamineStatus.approved)
              .where('s.reviewStatus', '=', ReviewStatus.pending)
              .where(sql<boolean>`s."examineUser" IS DISTINCT FROM u."userId"`),
          )
          .select(one => [
            sql<number>`count(*)::int`.as('num'),
            one.fn.min(time).as('oldest'),
            sql<number>`floor(extract(epoch FROM ${now}::timestamptz - min(${sql.ref(time)})) / 3600)::int`.as('hours'),
          ])
          .as('w'),
      join => join.onTrue(),
    )
    .$if(isSecond, query => query.where('e.examineMode', '=', ExamineMode.firstAndSecond))
    .where('w.oldest', '<', new Date(now.getTime() - day))
    .select(['w.num', 'w.hours'])
}

/** Staff who hold a permission, while rows wait for them. */
const whoMay = (db: Live, permission: string, num: RawBuilder<number>) => waitingFor(db, granted(db, permission), num)

/** Some of the staff, while rows wait for them. */
const waitingFor = (db: Live, staff: unknown, num: RawBuilder<number>) =>
  db
    .selectFrom('user as u')
    .where('u.id', 'in', staff as never)
    .where(sql<boolean>`${num} > 0`)
    .select(['u.id as subjectId', sql<string>`0`.as('scopeId'), 'u.createTime as since', num.as('num')])

const count = (query: unknown): RawBuilder<number> => sql<number>`(${query})::int`

/** Stages with a state. */
const stageMember = ['i.id as subjectId', 'i.id as scopeId', 'i.createTime as since', 'i.itemName'] as const
const examMember = ['e.id as subjectId', 'e.id as scopeId', 'e.createTime as since'] as const

/** Who is to be reminded, by the names of the groups. */
const populations: Readonly<Record<PopulationName, Who>> = {
  drafts: db =>
    signups(db)
      .where('s.signStatus', '=', SignStatus.draft)
      .where(sql<boolean>`s.content <> '{}'`)
      .select('s.updateTime as since'),
  returned: db =>
    signups(db)
      .where('s.signStatus', '=', SignStatus.submitted)
      .where('s.examine', '=', ExamineStatus.returned)
      .select(sql<Date>`coalesce(s."examineTime", s."updateTime")`.as('since')),
  choosing: db =>
    signups(db)
      .where('s.signStatus', '=', SignStatus.submitted)
      .where('s.reduceState', '=', ReduceState.choosing)
      .select(lastOf(db, 's.id', ['signup.mustChoose'], timeOf('s.createTime')).as('since')),
  unpaid: db =>
    db
      .selectFrom('payrecord as r')
      .innerJoin('signup as s', 's.id', 'r.signupId')
      .where('r.payState', '=', PayState.due)
      .where('s.signStatus', '=', SignStatus.submitted)
      .select(['r.id as subjectId', 'r.itemId as scopeId', 'r.amount'])
      .select(lastOf(db, 'r.id', ['payrecord.opened', 'payrecord.reopened'], timeOf('r.createTime')).as('since')),
  unconfirmed: (db, { now }) =>
    tickets(db)
      .where('e.ticketNeedSure', '=', 1)
      .where(({ exists }) => exists(unconfirmedNotice(db).where('notice.releaseTime', '<=', now))),
  lackingPictures: db =>
    tickets(db)
      .where(sql<boolean>`coalesce(e."ticketNeedPic", '') <> ''`)
      .where(eb =>
        eb.or([eb('n.picState', 'is', null), eb('n.picState', 'not in', [PicState.uploaded, PicState.verified])]),
      ),
  notDownloaded: db => tickets(db).where(sql<boolean>`coalesce(n."downNum", 0) = 0`),
  examinees: db =>
    tickets(db)
      .innerJoin('examinationitem as i', 'i.id', 'ticket.itemId')
      .innerJoin(withRemoved('school as c'), 'c.id', 'ticket.schoolId')
      .select([
        'i.itemName as item',
        sql<string>`to_char(coalesce(ticket."latestTime", ticket."startTime") AT TIME ZONE 'Asia/Shanghai', 'HH24:MI')`.as(
          'time',
        ),
        sql<string>`left(c."schoolName", 12)`.as('site'),
      ]),
  unseen: db =>
    db
      .selectFrom('result as r')
      .innerJoin('signup as s', 's.id', 'r.signupId')
      .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
      .where('r.resultStatus', '=', ReleaseStatus.released)
      .where('r.seenTime', 'is', null)
      .where('s.signStatus', '=', SignStatus.submitted)
      .select(['r.id as subjectId', 'r.itemId as scopeId', 'i.itemName as item'])
      .select(sql<Date>`coalesce(r."releaseTime", r."createTime")`.as('since')),
  toConfirm: (db, { now }) =>
    db
      .selectFrom('result as r')
      .innerJoin('signup as s', 's.id', 'r.signupId')
      .innerJoin('examinationitem as i', 'i.id', 'r.itemId')
      .where('r.resultStatus', '=', ReleaseStatus.released)
      .where('r.isNext', '=', 1)
      .where('r.confirmStatus', '=', ConfirmStatus.unanswered)
      .where('s.signStatus', '=', SignStatus.submitted)
      .leftJoin('promotion as m', 'm.id', 'r.promotionId')
      .where(confirmEnd, '>', now)
      .select(['s.id as subjectId', 'i.itemName as item'])
      .select(eb => eb.fn.coalesce('m.id', 'i.id').as('scopeId'))
      .select(sql<Date>`coalesce(m."confirmTime", r."releaseTime", r."createTime")`.as('since')),
  reviewing: (db, moment) => waiting(db, moment, 'first'),
  rechecking: (db, moment) => waiting(db, moment, 'second'),
  lateMoney: (db, moment) => {
    const before = (days: number) => workdaysBefore(moment.now, days, moment.calendar)
    const refunds = db
      .selectFrom('payrefund as f')
      .innerJoin(withRemoved('payrecord as r'), 'r.id', 'f.payRecordId')
      .where('r.examId', '=', sql<string>`u."examId"`)
      .where('f.refundStatus', '=', RefundStatus.requested)
      .where('f.createTime', '<', before(1))
      .select(eb => eb.fn.countAll().as('n'))
    const invoices = db
      .selectFrom('payrecord as r')
      .where('r.examId', '=', sql<string>`u."examId"`)
      .where('r.invoiceStatus', '=', InvoiceStatus.asked)
      .where('r.updateTime', '<', before(3))
      .select(eb => eb.fn.countAll().as('n'))
    const orders = db
      .selectFrom('payorder as o')
      .innerJoin(withRemoved('payrecord as r'), 'r.id', 'o.bizId')
      .where('o.bizType', '=', PayBizType.examFee)
      .where('r.examId', '=', sql<string>`u."examId"`)
      .where('o.orderStatus', '=', OrderStatus.exception)
      .select(eb => eb.fn.countAll().as('n'))
    return appointed(db, moment, [ExamRole.finance])
      .innerJoinLateral(
        sql<{
          refunds: number
          invoices: number
          orders: number
        }>`(SELECT ${count(refunds)} AS refunds, ${count(invoices)} AS invoices, ${count(orders)} AS orders)`.as('w'),
        join => join.onTrue(),
      )
      .where(sql<boolean>`w.refunds + w.invoices + w.orders > 0`)
      .select(['w.refunds', 'w.invoices', 'w.orders', sql<number>`w.refunds + w.invoices + w.orders`.as('num')])
  },
  differing: db =>
    whoMay(
      db,
      'reconciliation',
      count(
        db
          .selectFrom('reconciliation as d')
          .where('d.reconStatus', '=', ReconStatus.different)
          .select(eb => eb.fn.countAll().as('n')),
      ),
    ),
  lateAnswers: (db, moment) => {
    const { now, calendar } = moment
    const soon = workdaysAfter(now, 1, calendar)
    const appeals = db
      .selectFrom('resultappeal as a')
      .where('a.examId', '=', sql<string>`u."examId"`)
      .where('a.appealStatus', '=', AppealStatus.pending)
      .where('a.createTime', '<', workdaysBefore(now, 2, calendar))
      .select(eb => eb.fn.countAll().as('n'))
    const objections = db
      .selectFrom('objection as o')
      .where('o.examId', '=', sql<string>`u."examId"`)
      .where(eb =>
        eb.or([
          eb.and([eb('o.objectionStatus', '=', ObjectionStatus.pending), eb('o.acceptDue', '<=', soon)]),
          eb.and([
            eb('o.objectionStatus', 'in', [ObjectionStatus.accepted, ObjectionStatus.investigating]),
            eb('o.answerDue', '<=', soon),
          ]),
        ]),
      )
      .select(eb => eb.fn.countAll().as('n'))
    const num = sql<number>`(${count(appeals)} + ${count(objections)})`
    return appointed(db, moment, [ExamRole.manager]).where(sql<boolean>`${num} > 0`).select(num.as('num'))
  },
  overdueAnswers: (db, { now, calendar }) => {
    const appeals = db
      .selectFrom('resultappeal as a')
      .where('a.appealStatus', '=', AppealStatus.pending)
      .where('a.createTime', '<', workdaysBefore(now, 3, calendar))
      .select(eb => eb.fn.countAll().as('n'))
    const objections = db
      .selectFrom('objection as o')
      .where(eb =>
        eb.or([
          eb.and([eb('o.objectionStatus', '=', ObjectionStatus.pending), eb('o.acceptDue', '<', now)]),
          eb.and([
            eb('o.objectionStatus', 'in', [ObjectionStatus.accepted, ObjectionStatus.investigating]),
            eb('o.answerDue', '<', now),
          ]),
        ]),
      )
      .select(eb => eb.fn.countAll().as('n'))
    return waitingFor(db, administrators(db), sql<number>`(${count(appeals)} + ${count(objections)})`)
  },
  lateRequests: (db, { now, calendar }) =>
    whoMay(
      db,
      'datarequest',
      count(
        db
          .selectFrom('datarequest as d')
          .where('d.requestStatus', 'in', [RequestStatus.asked, RequestStatus.accepted])
          .where('d.dueDate', '<=', wireDay(workdaysAfter(now, 1, calendar)))
          .select(eb => eb.fn.countAll().as('n')),
      ),
    ),
  seatsOpen: db => undone.seatsOpen(db).select(stageMember),
  ticketsHeld: db => undone.ticketsHeld(db).select(stageMember),
  resultsHeld: (db, { now }) => undone.resultsHeld(db, now).select(stageMember),
  reductionOpen: db => undone.reductionOpen(db).select(examMember),
  listMissing: db => undone.listMissing(db).select(examMember),
}

/** The rows of a group, with the facts that are told of them. */
export const peopleOf = (db: Live, name: PopulationName, moment: Moment): People =>
  populations[name](db, moment) as People
