import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { stageEvents } from '#resources/exams/events'
import { reminderRules } from '#resources/reminders'
import {
  AppealStatus,
  ConfirmStatus,
  DeliveryState,
  EnableStatus,
  ExamineMode,
  ExamineStatus,
  ExampayStatus,
  ExamRole,
  ExamStatus,
  InvoiceStatus,
  NoticeScope,
  NoticeStatus,
  ObjectionStatus,
  PayState,
  PicState,
  PublicityKind,
  PublicityStatus,
  ReconStatus,
  ReduceDecision,
  ReduceState,
  ReleaseStatus,
  RequestStatus,
  ReviewStatus,
  SeatStatus,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examuser } from '#schemas/exams/examuser'
import { School } from '#schemas/exams/school'
import { Notice } from '#schemas/notices/notice'
import { Delivery } from '#schemas/notifications/delivery'
import { Reminderplan } from '#schemas/notifications/reminderplan'
import { Exampay } from '#schemas/payment/exampay'
import { Payrecord } from '#schemas/payment/payrecord'
import { Reconciliation } from '#schemas/payment/reconciliation'
import { Objection } from '#schemas/publicity/objection'
import { Publicity } from '#schemas/publicity/publicity'
import { Postreduction } from '#schemas/reduction/postreduction'
import { Result } from '#schemas/results/result'
import { Resultappeal } from '#schemas/results/resultappeal'
import { Signup } from '#schemas/sign-up/signup'
import { Datarequest } from '#schemas/system/datarequest'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { Ticketnotice } from '#schemas/tickets/ticketnotice'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert, type Overrides, samplePhone } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import { emit } from '../../../crud/emit.ts'
import { balanceOf } from '../../messages/server/ledger.ts'
import type { ReminderPlan } from '../contract.ts'
import { deliverDue } from './deliveries.ts'
import { remindDue } from './remind.ts'
import { tellDue } from './tell.ts'

/** A Saturday; the day before is a work day. */
const end = '2026-12-05 17:00:00'
/** Between the first step and the second. */
const dayBefore = '2026-12-04 17:30:00'

let t: TestApp
beforeAll(async () => {
  t = await testApp({ now: dayBefore })
})
afterAll(() => t?.close())

/** Rows of tests are made by the clock of the machine: they are taken to be old. */
async function old(...tables: string[]): Promise<void> {
  for (const table of tables)
    await t.pool.query(`UPDATE "${table}" SET "createTime" = '2026-11-20', "updateTime" = '2026-11-20'`)
}

const exam = (more: Overrides<typeof Examination> = {}) =>
  insert(t.app, Examination, {
    examName: '2026年招聘',
    examStatus: ExamStatus.released,
    examineMode: ExamineMode.firstAndSecond,
    signStartTime: shanghai('2026-11-01 09:00:00'),
    signEndTime: shanghai('2026-11-10 17:00:00'),
    modifyEndTime: shanghai('2026-11-12 17:00:00'),
    examineEndTime: shanghai('2026-11-14 17:00:00'),
    ...more,
  })

let serial = 60_000

const signUp = (examId: string, more: Overrides<typeof Signup> = {}) =>
  insert(t.app, Signup, {
    examId,
    userId: String(++serial),
    code: 'A01',
    unit: 'u1',
    signStatus: SignStatus.submitted,
    examine: ExamineStatus.approved,
    reviewStatus: ReviewStatus.approved,
    reduceState: ReduceState.none,
    content: { major: '临床' },
    files: [],
    examineTime: shanghai('2026-12-01 09:00:00'),
    submitTime: shanghai('2026-12-01 09:00:00'),
    examineUser: null,
    finalUnit: null,
    finalCode: null,
    ...more,
  })

const stage = (examId: string, more: Overrides<typeof Examinationitem> = {}) =>
  insert(t.app, Examinationitem, {
    examId,
    itemName: '笔试',
    itemStatus: EnableStatus.enabled,
    needTicket: 1,
    startTime: shanghai('2026-12-20 09:00:00'),
    endTime: shanghai('2026-12-20 11:00:00'),
    ...more,
  })

const made = async (code: string, examId?: string) =>
  (
    await t.db
      .selectFrom('event')
      .select(['subjectId', 'facts', 'once'])
      .where('code', '=', code)
      .$if(examId !== undefined, query => query.where('examId', '=', examId ?? ''))
      .orderBy('id')
      .execute()
  ).map(one => ({ ...one, facts: one.facts as unknown as Record<string, unknown> }))

/** A fee of a stage that can be paid until `end`, with records of sign-ups. */
async function fee(examId: string) {
  const { id: itemId } = await stage(examId, { needPay: 1 })
  await insert(t.app, Exampay, {
    examId,
    itemId,
    payStatus: ExampayStatus.released,
    startTime: shanghai('2026-12-01 09:00:00'),
    endTime: shanghai(end),
  })
  const record = (signupId: string, payState: Payrecord['payState'], userId = '77') =>
    insert(t.app, Payrecord, { examId, itemId, signupId, userId, payState, amount: 8000 })
  return { itemId, record }
}

/** A stage whose tickets can be downloaded until `end`, with tickets of two candidates. */
async function ticketed(more: Overrides<typeof Examination> = {}, stageMore: Overrides<typeof Examinationitem> = {}) {
  const { id: examId } = await exam(more)
  const { id: itemId } = await stage(examId, {
    ticketStartTime: shanghai('2026-12-01 09:00:00'),
    ticketEndTime: shanghai(end),
    ticketRelease: ReleaseStatus.released,
    ...stageMore,
  })
  const { id: schoolId } = await insert(t.app, School, { schoolName: '清源第一中学', enable: 1 })
  const ticket = async () => {
    const { id: signupId, userId } = await signUp(examId)
    return insert(t.app, Examinationticket, {
      examId,
      itemId,
      signupId,
      schoolId,
      userId,
      ticketStatus: TicketStatus.released,
      startTime: shanghai('2026-12-05 09:00:00'),
      latestTime: shanghai('2026-12-05 08:45:00'),
    })
  }
  const register = (of: { id: string; signupId: string }, values: Overrides<typeof Ticketnotice>) =>
    insert(t.app, Ticketnotice, { examId, itemId, signupId: of.signupId, ticketId: of.id, userId: '77', ...values })
  return { examId, itemId, first: await ticket(), second: await ticket(), register }
}

/** An appointment to an exam. */
const appoint = (examId: string, examRole: Examuser['examRole'], more: Overrides<typeof Examuser> = {}) =>
  insert(t.app, Examuser, { examId, userId: '78', examRole, enable: 1, ...more })

interface Scene {
  /** Whom a rule is to remind. */
  readonly who: string
  readonly examId?: string
  /** When it does, where that is another time. */
  readonly now?: string
  readonly facts?: object
}

/** One who is to be reminded by each rule, and others who are not. */
const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  'signup.draftEnds': async () => {
    const { id: examId } = await exam({ signEndTime: shanghai(end) })
    const { id: who } = await signUp(examId, { signStatus: SignStatus.draft })
    await signUp(examId, { signStatus: SignStatus.draft, content: {} })
    await signUp(examId)
    return { who, examId, facts: { until: shanghai(end).toISOString() } }
  },
  'signup.correctionEnds': async () => {
    const { id: examId } = await exam({ modifyEndTime: shanghai(end) })
    const { id: who } = await signUp(examId, { examine: ExamineStatus.returned })
    await signUp(examId, { examine: ExamineStatus.returned, signStatus: SignStatus.withdrawn })
    await signUp(examId)
    return { who, examId }
  },
  'signup.choiceEnds': async () => {
    const { id: examId } = await exam({ reduceEndTime: shanghai(end) })
    const { id: who } = await signUp(examId, { reduceState: ReduceState.choosing })
    await signUp(examId, { reduceState: ReduceState.pending })
    return { who, examId }
  },
  'payrecord.paymentEnds': async () => {
    const { id: examId } = await exam()
    const { record } = await fee(examId)
    const { id: who } = await record((await signUp(examId)).id, PayState.due)
    await record((await signUp(examId)).id, PayState.paid)
    await record((await signUp(examId, { signStatus: SignStatus.withdrawn })).id, PayState.due)
    return { who, examId, facts: { amount: 8000, until: shanghai(end).toISOString() } }
  },
  'examinationticket.noticeUnconfirmed': async () => {
    const { examId, first, second } = await ticketed({ ticketNeedSure: 1 })
    const other = await ticketed({ ticketNeedSure: 1 })
    await insert(t.app, Notice, {
      examId,
      scope1: NoticeScope.examCandidates,
      scope2: examId,
      needSure: 1,
      noticeStatus: NoticeStatus.released,
      releaseTime: shanghai('2026-12-01 09:00:00'),
    })
    await t.db
      .updateTable('examinationticket')
      .set({ ticketStatus: TicketStatus.voided })
      .where('id', '=', second.id)
      .execute()
    expect(await made('examinationticket.noticeUnconfirmed', other.examId)).toEqual([])
    return { who: first.id, examId }
  },
  'examinationticket.picturesMissing': async () => {
    const { examId, first, second, register } = await ticketed({ ticketNeedPic: 'jkm' })
    await register(first, { picState: PicState.rejected, downNum: 0 })
    await register(second, { picState: PicState.uploaded, downNum: 0 })
    return { who: first.id, examId }
  },
  'examinationticket.notDownloaded': async () => {
    const { examId, first, second, register } = await ticketed()
    await register(second, { downNum: 1, picState: PicState.notNeeded })
    return { who: first.id, examId }
  },
  'examinationticket.examTomorrow': async () => {
    const { examId, first, second } = await ticketed({}, { startTime: shanghai('2026-12-05 09:00:00') })
    await t.db
      .updateTable('signup')
      .set({ signStatus: SignStatus.disqualified })
      .where('id', '=', second.signupId)
      .execute()
    return { who: first.id, examId, facts: { item: '笔试', time: '08:45', site: '清源第一中学' } }
  },
  'result.notLookedAt': async () => {
    const { id: examId } = await exam({
      resultTime: shanghai('2026-12-01 09:00:00'),
      appealEndTime: shanghai(end),
    })
    const { id: itemId } = await stage(examId, { resultRelease: ReleaseStatus.released })
    const result = async (seenTime: Date | null) =>
      insert(t.app, Result, {
        examId,
        itemId,
        signupId: (await signUp(examId)).id,
        resultStatus: ReleaseStatus.released,
        releaseTime: shanghai('2026-12-01 10:00:00'),
        seenTime,
      })
    const { id: who } = await result(null)
    await result(shanghai('2026-12-02 09:00:00'))
    return { who, examId, facts: { item: '笔试', until: shanghai(end).toISOString() } }
  },
  'signup.confirmationEnds': async () => {
    const { id: examId } = await exam()
    const { id: itemId } = await stage(examId, {
      resultRelease: ReleaseStatus.released,
      confirmEndTime: shanghai(end),
    })
    const result = async (more: Overrides<typeof Result>) => {
      const { id: signupId } = await signUp(examId)
      const stored = {
        resultStatus: ReleaseStatus.released,
        releaseTime: shanghai('2026-12-01 10:00:00'),
        seenTime: shanghai(end),
      }
      await insert(t.app, Result, { examId, itemId, signupId, promotionId: null, isNext: 1, ...stored, ...more })
      return signupId
    }
    const who = await result({ confirmStatus: ConfirmStatus.unanswered })
    await result({ confirmStatus: ConfirmStatus.confirmed })
    await result({ confirmStatus: ConfirmStatus.unanswered, isNext: 0 })
    return { who, examId, facts: { item: '笔试', until: shanghai(end).toISOString() } }
  },
  'examuser.reviewWaits': async () => {
    const { id: examId } = await exam()
    const { id: who } = await appoint(examId, ExamRole.firstReviewer, { units: 'u1' })
    await appoint(examId, ExamRole.firstReviewer, { units: 'u2' })
    await appoint(examId, ExamRole.secondReviewer)
    await signUp(examId, { examine: ExamineStatus.pending, reviewStatus: ReviewStatus.pending })
    return { who, examId, now: '2026-12-04 09:01:00', facts: { num: 1, hours: 72 } }
  },
  'examuser.reviewEnds': async () => {
    const { id: examId } = await exam({ examineEndTime: shanghai(end) })
    const { id: who } = await appoint(examId, ExamRole.firstReviewer)
    await appoint(examId, ExamRole.firstReviewer, { enable: 0 })
    await signUp(examId, { examine: ExamineStatus.pending, reviewStatus: ReviewStatus.pending })
    return { who, examId }
  },
  'examuser.recheckWaits': async () => {
    const { id: examId } = await exam()
    const { id: who } = await appoint(examId, ExamRole.secondReviewer)
    const own = await appoint(examId, ExamRole.secondReviewer, { userId: '79' })
    await signUp(examId, { reviewStatus: ReviewStatus.pending, examineUser: own.userId })
    return { who, examId, now: '2026-12-04 09:01:00' }
  },
  'examuser.recheckEnds': async () => {
    const { id: examId } = await exam({ examineEndTime: shanghai(end) })
    const { id: who } = await appoint(examId, ExamRole.secondReviewer)
    await appoint(examId, ExamRole.firstReviewer)
    await signUp(examId, { reviewStatus: ReviewStatus.pending })
    return { who, examId }
  },
  'examuser.moneyWaits': async () => {
    const [{ id: examId }, { id: other }] = [await exam(), await exam()]
    const { id: who } = await appoint(examId, ExamRole.finance)
    await appoint(examId, ExamRole.manager)
    await appoint(other, ExamRole.finance)
    const { record } = await fee(examId)
    const { id } = await record((await signUp(examId)).id, PayState.paid)
    await t.db.updateTable('payrecord').set({ invoiceStatus: InvoiceStatus.asked }).where('id', '=', id).execute()
    return { who, examId, now: '2026-12-04 09:01:00', facts: { num: 1, refunds: 0, invoices: 1, orders: 0 } }
  },
  'examuser.answersDue': async () => {
    const [{ id: examId }, { id: other }] = [await exam(), await exam()]
    const { id: who } = await appoint(examId, ExamRole.manager)
    await appoint(other, ExamRole.manager)
    const { id: itemId } = await stage(examId)
    const result = await insert(t.app, Result, { examId, itemId, signupId: (await signUp(examId)).id })
    const appeal = { examId, itemId, resultId: result.id, signupId: result.signupId }
    await insert(t.app, Resultappeal, { ...appeal, appealStatus: AppealStatus.pending })
    return { who, examId, now: '2026-12-04 09:01:00', facts: { num: 1 } }
  },
  'examinationitem.seatsNotLocked': async () => {
    const { id: examId } = await exam()
    const begins = { needSeat: 1, ticketStartTime: shanghai(end) } as const
    const { id: who } = await stage(examId, { ...begins, seatStatus: SeatStatus.draft })
    await stage(examId, { ...begins, seatStatus: SeatStatus.locked })
    return { who, examId, facts: { itemName: '笔试', until: shanghai(end).toISOString() } }
  },
  'examinationitem.ticketsNotReleased': async () => {
    const { id: examId } = await exam()
    const begins = { ticketStartTime: shanghai(end) }
    const { id: who } = await stage(examId, { ...begins, ticketRelease: ReleaseStatus.draft })
    await stage(examId, { ...begins, ticketRelease: ReleaseStatus.released })
    return { who, examId }
  },
  'examinationitem.resultsNotReleased': async () => {
    const { id: examId } = await exam({ resultTime: shanghai(end) })
    const over = { endTime: shanghai('2026-12-01 11:00:00') }
    const { id: who } = await stage(examId, { ...over, resultRelease: ReleaseStatus.draft })
    await stage(examId, { ...over, resultRelease: ReleaseStatus.released })
    return { who, examId, now: '2026-12-05 15:30:00' }
  },
  'examination.reductionNotConfirmed': async () => {
    const { id: who } = await exam({ reduceStartTime: shanghai(end) })
    const { id: other } = await exam({ reduceStartTime: shanghai(end) })
    await insert(t.app, Postreduction, { examId: who, decision: ReduceDecision.pending, confirmTime: null })
    await insert(t.app, Postreduction, {
      examId: other,
      decision: ReduceDecision.keep,
      confirmTime: shanghai('2026-12-01 09:00:00'),
    })
    return { who }
  },
  'examination.listNotReady': async () => {
    const { id: who } = await exam({ publicityStart: shanghai(end) })
    const { id: examId } = await exam({ publicityStart: shanghai(end) })
    const [before, after] = [shanghai('2026-11-01 09:00:00'), shanghai('2026-12-30 09:00:00')]
    const list = { publicityStatus: PublicityStatus.released, itemId: null, startTime: before, endTime: after }
    const hiring = { ...list, publicityKind: PublicityKind.hiring } as const
    // One of before the exam, one that is over by then, and one that was taken back are not what belongs there.
    await insert(t.app, Publicity, { ...list, examId: who, publicityKind: PublicityKind.reduction })
    await insert(t.app, Publicity, { ...hiring, examId: who, endTime: shanghai('2026-11-20 09:00:00') })
    await insert(t.app, Publicity, { ...hiring, examId: who, publicityStatus: PublicityStatus.withdrawn })
    await insert(t.app, Publicity, { ...hiring, examId })
    return { who }
  },
  'user.booksDiffer': async () => {
    const { userId } = await signIn(t, { role: 'books', permissions: ['reconciliation'] })
    await insert(t.app, Reconciliation, { reconStatus: ReconStatus.different })
    return { who: userId, now: '2026-12-04 09:01:00', facts: { num: 1 } }
  },
  'user.answersOverdue': async () => {
    const { userId } = await signIn(t, { role: 'admin' })
    const { id: examId } = await exam()
    const late = { acceptDue: shanghai('2026-12-01 17:00:00'), answerDue: shanghai('2026-12-09 17:00:00') }
    await insert(t.app, Objection, { examId, objectionStatus: ObjectionStatus.pending, ...late })
    await insert(t.app, Objection, { examId, objectionStatus: ObjectionStatus.investigating, ...late })
    return { who: userId, now: '2026-12-04 09:01:00', facts: { num: 1 } }
  },
  'user.requestsDue': async () => {
    const { userId } = await signIn(t, { role: 'privacy', permissions: ['datarequest'] })
    await insert(t.app, Datarequest, { userId: '77', requestStatus: RequestStatus.asked, dueDate: '2026-12-04' })
    return { who: userId, now: '2026-12-04 09:01:00', facts: { num: 1 } }
  },
}

const emptied = [
  'event',
  'message',
  'examination',
  'payrecord',
  'exampay',
  'reminderplan',
  'notice',
  'reconciliation',
  'datarequest',
  'objection',
  'resultappeal',
  'work_item',
  'send',
  'sendmessage',
  'sendledger',
  'sms',
  'sms_outbox',
]
beforeEach(async () => {
  t.setNow(dayBefore)
  await t.pool.query(`TRUNCATE ${emptied.join(', ')} CASCADE`)
})

/** Tables whose times matter. */
const timed = ['signup', 'payrecord', 'examinationticket', 'result', 'resultappeal', 'examuser', 'user', 'examination']

describe('who is reminded', () => {
  test('each rule has a test', () => {
    expect(Object.keys(scenes).toSorted()).toEqual([...reminderRules.keys()].toSorted())
  })

  test.each(Object.keys(scenes))('%s: those about whom something is to be done, and nobody else', async code => {
    const { who, examId, now = dayBefore, facts = {} } = await scenes[code]!()
    await old(...timed, 'examinationitem')
    t.setNow(now)
    await remindDue(t.app)
    const found = await made(code, examId)
    const [first] = found
    expect(found.map(one => one.subjectId)).toContain(who)
    // Of the tenant's own reminders everybody with the right is reminded.
    if (examId !== undefined || code.startsWith('examination.')) expect(found).toHaveLength(1)
    expect(first?.facts).toMatchObject(facts)
    expect(Object.values(first?.facts ?? {}).filter(value => value === null)).toEqual([])
    await remindDue(t.app)
    expect(await made(code, examId)).toHaveLength(found.length)
  })
})

/** A candidate who owes a fee until `end`, with an account. */
async function owing() {
  const who = await signIn(t, { role: 'candidate' })
  const { id: examId } = await exam()
  const { itemId, record } = await fee(examId)
  const { id: signupId } = await signUp(examId, { userId: who.userId })
  const { id } = await record(signupId, PayState.due, who.userId)
  await old(...timed)
  return { who, examId, itemId, id }
}

const inbox = async ({ headers }: Caller) =>
  (
    await t.call<{ records: { title: string; done: boolean }[] }>({
      method: 'GET',
      url: '/api/blade-desk/inbox/page',
      headers,
    })
  ).data.records

const payTemplate = () =>
  makeTemplate(t, { smsCode: 'payrecord.paymentEnds', templateContent: '{exam}缴费{until}截止，请缴{amount}元' })
const texts = async () =>
  (await t.pool.query<{ msgStatus: number }>('SELECT "msgStatus" FROM sendmessage ORDER BY id')).rows.map(
    one => one.msgStatus,
  )
const sent = 2
const cancelled = 4

describe('reminders', () => {
  test('say what ends when, in the inbox and by text message', async () => {
    await payTemplate()
    await give(t, 5)
    const { who } = await owing()
    await remindDue(t.app)
    await tellDue(t.app)
    await sendOut(t)
    expect((await inbox(who)).map(one => one.title)).toEqual([
      '2026年招聘缴费将于12月5日 17:00截止，请登录缴费80.00元，逾期视为放弃。',
    ])
    expect(await texts()).toEqual([sent])
  })

  test('of one exam and round are one sending, from which whoever has paid is left out', async () => {
    await payTemplate()
    await give(t, 10)
    const { id: examId } = await exam()
    const { record } = await fee(examId)
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const who = await signIn(t, { role: 'candidate' })
      const phone = samplePhone(700 + n)
      const sealed = { phone: t.app.vault.seal(phone), phoneHash: t.app.vault.hash('000000', phone) }
      await t.db.updateTable('user').set(sealed).where('id', '=', who.userId).execute()
      const { id: signupId } = await signUp(examId, { userId: who.userId })
      ids.push((await record(signupId, PayState.due, who.userId)).id)
    }
    await old(...timed)
    const other = await owing()
    await remindDue(t.app)
    await tellDue(t.app)
    const orders = await t.db.selectFrom('send').select(['examId', 'num', 'segNum']).orderBy('num').execute()
    expect(orders.filter(one => one.examId === other.examId)).toMatchObject([{ num: 1 }])
    const own = orders.filter(one => one.examId === examId)
    expect(own).toMatchObject([{ num: 3, segNum: 3 }])
    await t.db
      .updateTable('payrecord')
      .set({ payState: PayState.paid })
      .where('id', '=', ids[0] ?? '')
      .execute()
    await sendOut(t)
    expect((await texts()).toSorted()).toEqual([sent, sent, sent, cancelled])
    expect(await balanceOf(program(t))).toBe(7)
  })

  test('that say the same to two accounts of one number are one text, and each has it in the inbox', async () => {
    await payTemplate()
    await give(t, 5)
    const phone = samplePhone(790)
    const sealed = { phone: t.app.vault.seal(phone), phoneHash: t.app.vault.hash('000000', phone) }
    const { id: examId } = await exam()
    const { record } = await fee(examId)
    const family: Caller[] = []
    // Of candidates a number is one's own; somebody of the staff may have it, too.
    for (const role of ['candidate', 'reviewer'] as const) {
      const who = await signIn(t, { role })
      await t.db.updateTable('user').set(sealed).where('id', '=', who.userId).execute()
      const { id: signupId } = await signUp(examId, { userId: who.userId })
      await record(signupId, PayState.due, who.userId)
      family.push(who)
    }
    await old(...timed)
    await remindDue(t.app)
    await tellDue(t.app)
    await sendOut(t)
    expect(await texts()).toEqual([sent])
    expect(await balanceOf(program(t))).toBe(4)
    for (const who of family) expect(await inbox(who)).toHaveLength(1)
  })

  test('are not sent to whoever has paid a second before they go out', async () => {
    await payTemplate()
    await give(t, 5)
    const { id, who } = await owing()
    await remindDue(t.app)
    await tellDue(t.app)
    expect(await texts()).toEqual([0])
    await t.db.updateTable('payrecord').set({ payState: PayState.paid }).where('id', '=', id).execute()
    await sendOut(t)
    expect(await texts()).toEqual([cancelled])
    expect((await t.pool.query('SELECT 1 FROM sms_outbox')).rowCount).toBe(0)
    expect((await inbox(who)).map(one => one.done)).toEqual([true])
  })

  test('are not sent by e-mail either to whoever has paid a second before', async () => {
    const { id, who } = await owing()
    await remindDue(t.app)
    await tellDue(t.app)
    const message = await t.db
      .selectFrom('message')
      .select('id')
      .where('userId', '=', who.userId)
      .executeTakeFirstOrThrow()
    const waiting = {
      messageId: message.id,
      userId: who.userId,
      channel: 'mail' as const,
      deliveryState: DeliveryState.waiting,
    }
    const goAt = new Date(t.app.now().getTime() - 1000)
    await insert(t.app, Delivery, {
      ...waiting,
      goAt,
      until: null,
      tryNum: 0,
      address: t.app.vault.seal('a@example.com'),
    })
    await t.db.updateTable('payrecord').set({ payState: PayState.paid }).where('id', '=', id).execute()
    await deliverDue(t.app)
    expect(await t.db.selectFrom('delivery').select('deliveryState').execute()).toEqual([
      { deliveryState: DeliveryState.cancelled },
    ])
    expect((await inbox(who)).map(one => one.done)).toEqual([true])
  })

  test('are told to nobody who has paid before anybody was told', async () => {
    const { id, who } = await owing()
    await remindDue(t.app)
    await t.db.updateTable('payrecord').set({ payState: PayState.paid }).where('id', '=', id).execute()
    await tellDue(t.app)
    expect(await inbox(who)).toEqual([])
  })

  test('are settled within a minute of what they ask for', async () => {
    const { id, who } = await owing()
    await remindDue(t.app)
    await tellDue(t.app)
    await t.db.updateTable('payrecord').set({ payState: PayState.exempt }).where('id', '=', id).execute()
    await remindDue(t.app)
    expect((await inbox(who)).map(one => one.done)).toEqual([true])
  })

  test('for an end that has moved are called off and made anew, once more than at most', async () => {
    await payTemplate()
    await give(t, 9)
    const { itemId, id } = await owing()
    const endsAt = (time: string) =>
      t.db
        .updateTable('exampay')
        .set({ endTime: shanghai(time) })
        .where('itemId', '=', itemId)
        .execute()
    const at = async (time: string) => {
      t.setNow(time)
      await remindDue(t.app)
      await tellDue(t.app)
    }
    await at(dayBefore)
    expect(await texts()).toEqual([0])
    await endsAt('2026-12-10 17:00:00')
    await at('2026-12-04 17:31:00')
    expect(await texts()).toEqual([cancelled])
    await at('2026-12-09 17:00:00')
    await at('2026-12-10 14:00:00')
    await sendOut(t)
    // A number has one in a minute.
    t.setNow('2026-12-10 14:01:00')
    await sendOut(t)
    expect(await texts()).toEqual([cancelled, sent, sent])
    await endsAt('2026-12-12 17:00:00')
    await at('2026-12-11 17:00:00')
    await at('2026-12-12 14:00:00')
    expect((await made('payrecord.paymentEnds')).map(one => one.subjectId)).toEqual([id, id, id])
  })

  test('that were missed while the server was away are left out but for the nearest', async () => {
    const { id } = await owing()
    t.setNow('2026-12-05 14:30:00')
    await remindDue(t.app)
    expect((await made('payrecord.paymentEnds')).map(one => one.once)).toEqual([
      `remind:payrecord.paymentEnds:${id}:3:${shanghai(end).getTime()}`,
    ])
  })

  test('wait for half an hour after what they remind of has begun', async () => {
    const { id } = await owing()
    await t.db
      .updateTable('payrecord')
      .set({ createTime: shanghai('2026-12-04 17:10:00') })
      .where('id', '=', id)
      .execute()
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toEqual([])
    t.setNow('2026-12-04 17:40:00')
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toHaveLength(1)
  })

  test('are of the steps that the exam has chosen, or of none', async () => {
    const { examId } = await owing()
    const chosen = { rule: 'payrecord.paymentEnds', most: null }
    await insert(t.app, Reminderplan, { ...chosen, examId: null, isOn: 0, steps: '24' })
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toEqual([])
    await insert(t.app, Reminderplan, { ...chosen, examId, isOn: 1, steps: '48,2' })
    await remindDue(t.app)
    expect((await made('payrecord.paymentEnds')).map(one => one.once?.split(':')[3])).toEqual(['48'])
  })

  test('that would be due at night go out the evening before; what changes on the day itself goes out at once', async () => {
    await payTemplate()
    await makeTemplate(t, { smsCode: 'examinationitem.placeChanged', templateContent: '{exam}{itemName}地点有变更' })
    await give(t, 5)
    const { itemId, examId, who } = await owing()
    await t.db
      .updateTable('exampay')
      .set({ endTime: shanghai('2026-12-05 08:30:00') })
      .where('itemId', '=', itemId)
      .execute()
    await insert(t.app, Reminderplan, { examId, rule: 'payrecord.paymentEnds', isOn: 1, steps: '3', most: null })
    t.setNow('2026-12-04 21:29:00')
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toEqual([])
    t.setNow('2026-12-04 21:30:00')
    await remindDue(t.app)
    await tellDue(t.app)
    await sendOut(t)
    expect(await texts()).toEqual([sent])
    t.setNow('2026-12-04 23:10:00')
    await insert(t.app, Examinationticket, { examId, itemId, userId: who.userId, ticketStatus: TicketStatus.released })
    const moved = { id: itemId, examId, itemName: '笔试', startTime: shanghai('2026-12-05 08:00:00'), place: null }
    await program(t)
      .transaction()
      .execute(trx => emit(trx, stageEvents.placeChanged, [moved]))
    await tellDue(t.app)
    await sendOut(t)
    expect(await texts()).toEqual([sent, sent])
  })
})

describe('quiet hours', () => {
  const save = async (paramKey: string, paramValue: string) => {
    const { headers } = await signIn(t, { role: 'administrator' })
    const { id } = await t.db
      .selectFrom('param')
      .select('id')
      .where('paramKey', '=', paramKey)
      .executeTakeFirstOrThrow()
    return t.call({ method: 'POST', url: '/api/blade-system/param/submit', headers, payload: { id, paramValue } })
  }
  const set = async (from: string, until: string) => {
    expect((await save('notify.quietFrom', from)).code).toBe(200)
    expect((await save('notify.quietUntil', until)).code).toBe(200)
  }
  afterEach(async () => {
    t.setNow(dayBefore)
    await set('22:00', '08:00')
  })

  test.each(['8:00', '24:00', '08:60', '', '0800', '08:00-09:00'])(
    'are times of a day: «%s» is refused',
    async value => {
      for (const key of ['notify.quietFrom', 'notify.quietUntil'])
        expect(await save(key, value)).toMatchObject({ code: 29005, data: [{ field: 'paramValue' }] })
    },
  )

  test('are those of the parameters for reminders, what is told, what staff are shown and what they send', async () => {
    await payTemplate()
    await give(t, 5)
    await set('20:30', '07:15')
    const { itemId, examId } = await owing()
    await t.db
      .updateTable('exampay')
      .set({ endTime: shanghai('2026-12-05 08:00:00') })
      .where('itemId', '=', itemId)
      .execute()
    await insert(t.app, Reminderplan, { examId, rule: 'payrecord.paymentEnds', isOn: 1, steps: '3', most: null })
    const { headers } = await signIn(t, { role: 'administrator' })
    const { data } = await t.call<{ reminders: ReminderPlan[]; quiet: object }>({
      method: 'GET',
      url: `/api/blade-desk/inbox/reminders?examId=${examId}`,
      headers,
    })
    expect(data.quiet).toEqual({ from: '20:30', until: '07:15' })
    expect(data.reminders.find(one => one.code === 'payrecord.paymentEnds')?.next).toBe('2026-12-04 20:00:00')
    t.setNow('2026-12-04 19:59:00')
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toEqual([])
    t.setNow('2026-12-04 20:00:00')
    await remindDue(t.app)
    expect(await made('payrecord.paymentEnds')).toHaveLength(1)
    // Told after the quiet hours have begun, with enough time left in the morning.
    t.setNow('2026-12-04 20:31:00')
    await t.pool.query(`UPDATE event SET facts = facts || '{"until":"2026-12-05T04:00:00Z"}' WHERE "toldTime" IS NULL`)
    await tellDue(t.app)
    const planned = await t.db.selectFrom('send').select('planTime').execute()
    expect(planned).toEqual([{ planTime: shanghai('2026-12-05 07:15:00') }])
  })
})

describe('the reminders of an exam', () => {
  const base = '/api/blade-desk/inbox'
  const code = 'payrecord.paymentEnds'
  async function manager() {
    const made = await owing()
    const who = await signIn(t, { role: 'exam_admin' })
    await appoint(made.examId, ExamRole.manager, { userId: who.userId })
    return { ...made, manager: who }
  }
  const plans = (who: Caller, examId?: string) =>
    t.call<{ reminders: ReminderPlan[]; mayPreset: boolean }>({
      method: 'GET',
      url: `${base}/reminders${examId ? `?examId=${examId}` : ''}`,
      headers: who.headers,
    })
  const plan = (who: Caller, payload: object) =>
    t.call({ method: 'POST', url: `${base}/plan`, headers: who.headers, payload })

  test('are shown with when they go next and of how many, and changed by its managers', async () => {
    const { examId, manager: who } = await manager()
    const shown = async () => (await plans(who, examId)).data.reminders.find(one => one.code === code)
    expect(await shown()).toMatchObject({
      steps: [24, 3],
      most: 2,
      isOn: true,
      isChanged: false,
      people: 1,
      next: '2026-12-05 14:00:00',
      text: '2026年招聘缴费将于{缴费截止}截止，请登录缴费{金额}元，逾期视为放弃。',
    })
    expect((await plan(who, { examId, code, isOn: true, steps: [2, 12, 2], most: 1 })).code).toBe(200)
    expect(await shown()).toMatchObject({ steps: [12, 2], most: 1, isChanged: true, next: '2026-12-05 08:00:00' })
    expect((await plan(who, { examId, code, isOn: false, steps: [12, 2], most: 1 })).code).toBe(200)
    expect(await shown()).toMatchObject({ isOn: false, next: '' })
    await remindDue(t.app)
    expect(await made(code)).toEqual([])
    expect((await plan(who, { examId, code, isOn: true, steps: [] })).code).toBe(200)
    expect(await shown()).toMatchObject({ steps: [24, 3], most: 2, isOn: true, isChanged: false })
    expect(await shown()).toMatchObject({ wechat: 'on', isWechat: true, hasWechat: false })
    const off = { examId, code, channel: 'wechat', isOn: false }
    const url = '/api/blade-desk/inbox/choose'
    expect((await t.call({ method: 'POST', url, headers: who.headers, payload: off })).code).toBe(200)
    expect(await shown()).toMatchObject({ isWechat: false, isSms: true })
  })

  test('are refused where they cannot be, with what is wrong', async () => {
    const { examId, manager: who } = await manager()
    const must = await plan(who, { examId, code: 'signup.choiceEnds', isOn: false, steps: [24] })
    expect(must.code).toBe(29008)
    expect((await plan(who, { examId, code: 'signup.passed', isOn: true, steps: [24] })).code).toBe(29005)
    expect((await plan(who, { examId, code, isOn: true, steps: [7, 6, 5, 4, 3, 2, 1] })).code).toBe(29005)
    expect((await plan(who, { examId, code, isOn: true, steps: [721] })).code).toBe(29005)
    const stranger = await signIn(t, { role: 'exam_admin' })
    expect((await plan(stranger, { examId, code, isOn: false, steps: [24] })).code).toBe(21001)
    expect((await plans(stranger, examId)).code).toBe(21001)
  })

  test('follow those of the tenant, which administrators change', async () => {
    const { examId, manager: who } = await manager()
    expect((await plan(who, { code, isOn: false, steps: [24] })).code).toBe(403)
    expect((await plans(who)).code).toBe(403)
    const head = await signIn(t, { role: 'administrator' })
    expect((await plan(head, { code, isOn: true, steps: [48] })).code).toBe(200)
    const of = async (asked?: string) => (await plans(head, asked)).data.reminders.find(one => one.code === code)
    expect(await of()).toMatchObject({ steps: [48], isChanged: true })
    expect(await of(examId)).toMatchObject({ steps: [48], isChanged: false })
  })
})

describe('several processes', () => {
  const people = 5000
  let others: TestApp[] = []
  beforeAll(async () => {
    others = [await testApp({ url: t.url, now: dayBefore }), await testApp({ url: t.url, now: dayBefore })]
  })
  afterAll(() => Promise.all(others.map(one => one.close())))

  /** Copies a draft for many people. */
  async function drafts(): Promise<void> {
    const { id: examId } = await exam({ signEndTime: shanghai(end) })
    const { id } = await signUp(examId, { signStatus: SignStatus.draft })
    const { rows } = await t.pool.query<{ name: string }>(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'signup' AND table_schema = 'public'
       AND is_generated = 'NEVER' AND column_name NOT IN ('id', 'signNo', 'idCardHash', 'userId')`,
    )
    const names = rows.map(one => `"${one.name}"`).join(', ')
    const client = await t.pool.connect()
    // People whom nobody tells need no accounts.
    await client.query('BEGIN; SET LOCAL session_replication_role = replica')
    await client.query(
      `INSERT INTO signup (${names}, "signNo", "idCardHash", "userId") SELECT ${names}, 'N' || n, md5(n::text), n
       FROM signup, generate_series(2, ${people}) n WHERE id = $1`,
      [id],
    )
    await client.query('COMMIT')
    client.release()
    await old('signup')
  }

  test('remind each of many people once at each step', async () => {
    await drafts()
    const count = async () => Number((await t.pool.query<{ n: string }>('SELECT count(*) AS n FROM event')).rows[0]?.n)
    const all = [t, ...others]
    const atOnce = async (time: string) => {
      for (const one of all) one.setNow(time)
      return Promise.all(all.map(one => remindDue(one.app)))
    }
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0)
    expect(sum(await atOnce(dayBefore))).toBe(people)
    expect(sum(await atOnce('2026-12-05 14:10:00'))).toBe(people)
    expect(await count()).toBe(2 * people)
    expect(sum(await atOnce('2026-12-05 14:11:00'))).toBe(0)
    expect(await count()).toBe(2 * people)
  })
})
