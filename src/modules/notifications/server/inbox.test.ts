import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { DomainEvent, Facts, Field } from '#engine'
import { domainEvents } from '#resources/events'
import { datapurgeEvents, examinationEvents } from '#resources/exams/events'
import { signupEvents } from '#resources/sign-up/events'
import { userEvents } from '#resources/system/events'
import { EnableStatus, ExampayStatus, ExamRole, ItemRange, MsgStatus } from '#schemas/dictionaries'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examuser } from '#schemas/exams/examuser'
import { Eventchoice } from '#schemas/notifications/eventchoice'
import { Message } from '#schemas/notifications/message'
import { Exampay } from '#schemas/payment/exampay'
import { Payrecordmain } from '#schemas/payment/payrecordmain'
import { Mail } from '#schemas/resource/mail'
import { Contact } from '#schemas/system/contact'
import { Event } from '#schemas/system/event'
import { User } from '#schemas/system/user'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { give, makeTemplate, program, sendOut } from '../../../../tests/helper/send-bench.ts'
import {
  applicant,
  at,
  get,
  makeExam,
  post,
  reviewer,
  signApp,
  submit,
  times,
} from '../../../../tests/helper/sign-bench.ts'
import { emit } from '../../../crud/emit.ts'
import { mailHash } from '../../../platform/accounts/server/contacts.ts'
import { takeTurn, turnTaken } from '../../../platform/database/throttle.ts'
import { tellAppointed } from '../../exams/server/staff/told.ts'
import { balanceOf } from '../../messages/server/ledger.ts'
import { resend } from '../../messages/server/queue.ts'
import type { Receiver } from '../../messages/server/receivers.ts'
import { tellManyByText } from '../../messages/server/tell.ts'
import { textCodesOf } from '../../messages/server/text-codes.ts'
import type { EventChoices, InboxPage } from '../contract.ts'
import { tellDue } from './tell.ts'
import { sentenceOf, textValuesOf } from './words.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t?.close())

const review = '/api/blade-signup/examine'
const inbox = '/api/blade-desk/inbox'
const later = (seconds: number) => new Date(shanghai(times.inside).getTime() + seconds * 1000)

/** An exam with a reviewer and one sign-up that has been handed in. */
async function scene() {
  await at(t, times.inside)
  const { exam } = await makeExam(t)
  const first = await reviewer(t, exam.id, 2)
  const who = await applicant(t)
  const { id } = (await submit(t, who, exam.id)).data
  return { exam, first, who, id }
}

const decide = (who: Caller, signUpId: string, examineResult: number, examineResultRemark = '') =>
  post(t, who, `${review}/examine`, { signUpId, examineResult, examineResultRemark })
const undo = (who: Caller, signUpId: string) =>
  post(t, who, `${review}/revoke`, { signUpId, reason: '10 秒内撤销', undo: true })
const page = async (who: Caller, query = '') => (await get<InboxPage>(t, who, `${inbox}/page?${query}`)).data.records
const titles = async (who: Caller, query = '') =>
  (await page(who, query)).filter(one => one.kind === 'message').map(one => one.title)

describe('the inbox', () => {
  test('has what became of a sign-up, in words, with what else was said and where to act', async () => {
    const { exam, first, who, id } = await scene()
    await tellDue(t.app)
    expect(await titles(who)).toEqual([expect.stringContaining('已收到您在')])
    expect((await decide(first, id, 3, '请补证书')).code).toBe(200)
    await at(t, later(14))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
    await at(t, later(16))
    await tellDue(t.app)
    const [line, before] = await page(who)
    expect(line).toMatchObject({ read: false, done: false, opens: `/signup/form/${exam.id}` })
    expect(line?.title).toMatch(/被退回，请在.+月.+日.+前登录修改并重新提交/)
    expect(line?.facts).toEqual([{ label: '审核意见', value: '请补证书' }])
    expect(before).toMatchObject({ done: true })
    expect(await titles(who, 'tab=todo')).toHaveLength(1)
  })

  test('is read by its owner alone', async () => {
    const { who } = await scene()
    const other = await applicant(t)
    await tellDue(t.app)
    const [line] = await page(who)
    const id = line?.id ?? ''
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 1 } })
    expect((await get(t, other, `${inbox}/info?id=${id}`)).code).toBe(29001)
    expect((await post(t, other, `${inbox}/read`, { id })).code).toBe(29001)
    expect((await post(t, who, `${inbox}/read`, { id })).code).toBe(200)
    expect(await get(t, who, `${inbox}/unread`)).toMatchObject({ data: { messages: 0 } })
    expect(await titles(who, 'tab=unread')).toEqual([])
    expect(await titles(other)).toEqual([])
  })

  test('says how much is unread in few bytes while nothing has changed, to each person alone', async () => {
    const { who } = await scene()
    const other = await applicant(t)
    const ask = ({ headers }: Caller, etag?: string) =>
      t.app.inject({ url: `${inbox}/unread`, headers: { ...headers, ...(etag && { 'if-none-match': etag }) } })
    const { headers } = await ask(who)
    expect(headers['cache-control']).toBe('private, no-cache')
    const etag = String(headers.etag)
    const same = await ask(who, etag)
    expect([same.statusCode, same.body]).toEqual([304, ''])
    expect((await ask(other, String((await ask(other)).headers.etag))).statusCode).toBe(304)
    expect((await ask(other, etag)).statusCode).toBe(200)
    await tellDue(t.app)
    const changed = await ask(who, etag)
    expect([changed.statusCode, changed.json().data.messages]).toEqual([200, 1])
  })

  test('never has a decision that was undone, nor that it was', async () => {
    const { first, who, id } = await scene()
    await decide(first, id, 2, '专业不符')
    await at(t, later(5))
    expect((await undo(first, id)).code).toBe(200)
    await at(t, later(60))
    await tellDue(t.app)
    expect(await titles(who)).toHaveLength(1)
  })

  test('settles a return once it is answered', async () => {
    const { exam, first, who, id } = await scene()
    await decide(first, id, 3, '请补证书')
    await at(t, later(20))
    await tellDue(t.app)
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    await tellDue(t.app)
    expect(await titles(who, 'tab=todo')).toEqual([])
    const lines = await page(who)
    expect(lines.map(one => one.done)).toEqual([false, true, true])
  })

  test('has what only informs, and does not call it something to do', async () => {
    const { exam, who } = await scene()
    const subject = { id: '4711', examId: exam.id }
    const until = shanghai('2026-12-30 17:00:00')
    await program(t)
      .transaction()
      .execute(trx => emit(trx, datapurgeEvents.planned, [subject], { until }))
    await tellDue(t.app)
    expect(await titles(who)).toContainEqual(expect.stringContaining('12月30日 17:00清除'))
    expect(await titles(who, 'tab=todo')).toEqual([])
  })

  test('has nothing of an exam that its owner had left before anybody was told', async () => {
    const { exam, who, id } = await scene()
    const other = await applicant(t)
    await submit(t, other, exam.id)
    await tellDue(t.app)
    const row = await t.db.selectFrom('examination').selectAll().where('id', '=', exam.id).executeTakeFirstOrThrow()
    await program(t)
      .transaction()
      .execute(trx => emit(trx, examinationEvents.closed, [row]))
    expect((await post(t, who, '/api/blade-signup/signup/giveUp', { id, reason: '不考了' })).code).toBe(200)
    await tellDue(t.app)
    const isToldOf = async (one: Caller) => (await titles(one)).some(title => title.includes('已关闭'))
    expect([await isToldOf(who), await isToldOf(other)]).toEqual([false, true])
  })

  test('says whom to call in the office of what belongs to no exam', async () => {
    const who = await applicant(t)
    await t.pool.query(`UPDATE tenant SET "contactNumber" = '0591-87654321' WHERE "tenantId" = '000000'`)
    await program(t)
      .transaction()
      .execute(trx => emit(trx, userEvents.contactChanged, [{ id: who.userId }], { what: 'phone' }))
    await tellDue(t.app)
    expect(await titles(who)).toEqual(['您的手机号码已变更。如非本人操作，请立即联系管理员0591-87654321。'])
  })

  test('says what somebody is appointed for', async () => {
    const { exam } = await scene()
    const who = await signIn(t, { role: 'reviewer' })
    const made = { examId: exam.id, userId: who.userId, examRole: ExamRole.firstReviewer }
    const rows = [
      await insert(t.app, Examuser, { ...made, units: null, codes: 'A01,A02' }),
      await insert(t.app, Examuser, { ...made, units: null, codes: null }),
    ]
    await program(t)
      .transaction()
      .execute(trx => tellAppointed(trx, rows))
    await tellDue(t.app)
    const [all, some] = await titles(who)
    expect([some, all]).toEqual([
      expect.stringMatching(/^您被任命为《.+》初审.*，范围：A01、A02。$/),
      expect.stringMatching(/》初审.*，范围：全部岗位。$/),
    ])
  })

  test('has each message once, however many tell it at the same time', async () => {
    const { who } = await scene()
    await Promise.all([tellDue(t.app), tellDue(t.app), tellDue(t.app)])
    expect(await titles(who)).toHaveLength(1)
  })
})

describe('text messages of events', () => {
  beforeEach(() =>
    t.pool.query('TRUNCATE send, sendmessage, sendledger, sms, sms_outbox, work_item, eventchoice CASCADE'),
  )
  const returned = '{exam}的报名被退回，请在{until}前修改'
  const template = () => makeTemplate(t, { smsCode: 'signup.returned', templateContent: returned })
  const texts = async () =>
    (await t.pool.query<{ msgStatus: number; content: string }>('SELECT "msgStatus", content FROM sendmessage')).rows
  const orders = async () => await t.db.selectFrom('send').select(['sendStatus', 'planTime', 'title']).execute()

  /** A sign-up that was returned and of which the candidate is to be told. */
  async function returnedOne(time: Date) {
    const one = await scene()
    await t.db
      .updateTable('examination')
      .set({ examineEndTime: shanghai('2026-12-30 00:00:00') })
      .where('id', '=', one.exam.id)
      .execute()
    await at(t, time)
    expect((await decide(one.first, one.id, 3, '请补证书')).code).toBe(200)
    await at(t, new Date(time.getTime() + 20_000))
    await tellDue(t.app)
    return one
  }

  test('go out by the template that is called like the event, once, and are paid from the balance', async () => {
    await template()
    await give(t, 5)
    await returnedOne(later(0))
    await tellDue(t.app)
    expect(await sendOut(t)).toBe(0)
    await at(t, later(600))
    await sendOut(t)
    const [text, ...others] = await texts()
    expect(others).toEqual([])
    expect(text?.content).toMatch(/^【聚贤】.+的报名被退回，请在12月8日 17:00前修改$/)
    expect(await orders()).toMatchObject([{ sendStatus: 4, title: '退回修改' }])
  })

  test('wait to be paid where the balance does not reach; the inbox has it all the same', async () => {
    await template()
    const { who } = await returnedOne(later(0))
    expect(await titles(who, 'tab=todo')).toHaveLength(1)
    expect(await orders()).toMatchObject([{ sendStatus: 1 }])
    expect(await sendOut(t)).toBe(0)
  })

  test('wait for the morning, and are called off when the matter is settled before', async () => {
    await template()
    await give(t, 5)
    const { exam, who, id } = await returnedOne(shanghai('2026-12-02 22:30:00'))
    expect(await orders()).toMatchObject([{ sendStatus: 2, planTime: shanghai('2026-12-03 08:00:00') }])
    expect((await submit(t, who, exam.id, { id })).code).toBe(200)
    await tellDue(t.app)
    await at(t, '2026-12-03 09:00:00')
    await sendOut(t)
    expect(await texts()).toMatchObject([{ msgStatus: 4 }])
    expect(await balanceOf(program(t))).toBe(5)
    expect((await t.pool.query('SELECT 1 FROM sms_outbox')).rowCount).toBe(0)
  })

  test.each([
    ['later than that are not sent, and cost nothing', '2026-12-08 17:00:01', 4],
    ['in time are sent', '2026-12-08 16:59:59', 2],
  ] as const)('that ask for something by a time: %s', async (_, time, msgStatus) => {
    await template()
    await give(t, 5)
    await returnedOne(later(0))
    // The sending was held up until then.
    await at(t, time)
    await sendOut(t)
    expect(await texts()).toMatchObject([{ msgStatus }])
    expect(await balanceOf(program(t))).toBe(msgStatus === 2 ? 4 : 5)
    const [one] = await t.db.selectFrom('sendmessage').select('errMsg').execute()
    expect(one?.errMsg).toBe(msgStatus === 2 ? null : '已过截止时间，未发送')
  })

  describe('whatever an event says', () => {
    const isDropped = (one: DomainEvent, name: string) => {
      const field: Field | undefined = one.data[name]
      return field?.optional === true
    }
    const factOf = (one: DomainEvent, name: string): string | number => {
      const field = one.data[name] ?? (one.entity.properties as Readonly<Record<string, Field>>)[name]
      if (field?.kind === 'dateTime') return later(86_400).toISOString()
      return field?.kind === 'money' || field?.kind === 'integer' || field?.kind === 'dict' ? 1 : '某'
    }
    /** Facts of an event in each of its ways: a clause in turn, and what need not be there in and out. */
    const waysOf = (one: DomainEvent): Facts[] =>
      [true, false].flatMap(isWhole => {
        const names = [...one.fields, ...Object.keys(one.data)]
        const plain = Object.fromEntries(
          names.map(name => [name, !isWhole && isDropped(one, name) ? null : factOf(one, name)]),
        )
        const clauses = Object.entries(one.phrases ?? {})
        const most = Math.max(1, ...clauses.map(([, keys]) => Object.keys(keys).length))
        return Array.from({ length: most }, (_, i) => ({
          ...plain,
          ...Object.fromEntries(
            clauses.map(([name, keys]) => [name, Object.keys(keys)[i] ?? Object.keys(keys)[0] ?? '']),
          ),
        }))
      })
    const byText = [...domainEvents.values()].filter(({ by }) => by?.sms !== undefined)
    const exam = { examName: '冬季招聘', shortName: null, contactPhone: null }
    const receiver = (params: Record<string, string>): Receiver => ({
      ...{
        name: '张三',
        userId: null,
        phone: t.app.vault.seal('13812345678'),
        phoneHash: '1',
        phoneMask: '138****5678',
      },
      params,
    })
    const tell = (codes: readonly string[], params: Record<string, string>, messageId?: string) =>
      program(t)
        .transaction()
        .execute(trx => {
          const now = t.app.now()
          const to = { ...receiver(params), ...(messageId !== undefined && { messageId }) }
          const text = { codes, title: '文字', examId: null, receivers: [to], runAt: now }
          return tellManyByText(t.app, trx, { tenantId: '000000', now }, text)
        })

    test('is sent, in whole words', async () => {
      await at(t, times.inside)
      await give(t, 1000)
      const wrong: unknown[] = []
      for (const one of byText) {
        await makeTemplate(t, { smsCode: one.name, templateContent: one.text.zh })
        for (const facts of waysOf(one)) {
          const values = textValuesOf(one, facts, { ...exam, contactPhone: one.entity === User ? null : '0591-1' })
          const isTold = await tell(textCodesOf(one, facts), values)
          const text = await t.db
            .selectFrom('sendmessage')
            .selectAll()
            .orderBy('id', 'desc')
            .limit(1)
            .executeTakeFirst()
          const broken = /[，。；：、！？]{2}|[{}]|请于前|请在[前至]|截至[，。]|致电[，。]|，前/.test(
            text?.content ?? '',
          )
          const brokenEnglish = /(before|until|from|to) *[.;,]|from +to/.test(sentenceOf(one, facts, exam, 'en'))
          if (!isTold || text?.msgStatus !== 0 || broken || brokenEnglish) wrong.push([one.name, facts, text?.content])
          await t.pool.query('DELETE FROM sendmessage')
        }
      }
      expect(wrong).toEqual([])
      expect(byText.length).toBeGreaterThan(40)
    })

    test('a number has one text in a minute: the next waits for its turn, in the order of coming', async () => {
      await at(t, times.inside)
      const { who } = await scene()
      await give(t, 9)
      await makeTemplate(t, { smsCode: 'signup.restored', templateContent: '{n}' })
      const message = { userId: who.userId, code: 'signup.restored', until: null, readTime: null, doneTime: null }
      for (const n of ['1', '2', '3']) {
        const { id } = await insert(t.app, Message, { ...message, eventId: `77${n}` })
        await tell(['signup.restored'], { n }, id)
      }
      const sent = async () =>
        (
          await t.db
            .selectFrom('sendmessage')
            .select(['content', 'sendTime'])
            .where('msgStatus', '=', MsgStatus.sent)
            .orderBy('sendTime')
            .execute()
        ).map(({ content }) => content.slice(-1))
      await sendOut(t)
      expect(await sent()).toHaveLength(1)
      await at(t, later(59))
      await sendOut(t)
      expect(await sent()).toHaveLength(1)
      await at(t, later(60))
      await sendOut(t)
      expect(await sent()).toHaveLength(2)
      await at(t, later(120))
      await sendOut(t)
      expect(await sent()).toHaveLength(3)
    })

    test('turns are taken one by one, whoever asks at the same time, and so many in a day', async () => {
      const now = t.app.now()
      const of = { at: 'test:turns', seconds: 60, perDay: 10 }
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, i) => takeTurn(t.app, { ...of, owner: `${i}` }, now, false)),
      )
      const minutes = all.map(turn => (turn.getTime() - now.getTime()) / 60_000).toSorted((a, b) => a - b)
      expect(minutes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1440, 1440])
      // Whoever has had one and asks again waits for those before, and is not counted.
      expect(await turnTaken(t.app, { at: of.at, owner: '0' })).toEqual(all[0])
      expect(await takeTurn(t.app, { ...of, owner: '0' }, now, true)).toEqual(new Date(now.getTime() + 600_000))
    })

    test('a clause has the template that is made for it, and one that says nothing is left out of the other', async () => {
      const [passed, refused] = [signupEvents.passed, signupEvents.refused]
      await give(t, 9)
      await makeTemplate(t, { smsCode: refused.name, templateContent: refused.text.zh })
      await makeTemplate(t, { smsCode: `${passed.name}.pay`, templateContent: '{exam}已通过，请缴费' })
      const said = (one: DomainEvent, facts: Facts) => tell(textCodesOf(one, facts), textValuesOf(one, facts, exam))
      await said(refused, { again: 'no' })
      expect(await said(passed, { next: 'wait' })).toBe(false)
      await said(passed, { next: 'pay' })
      expect((await texts()).map(one => one.content)).toEqual([
        '【聚贤】您在冬季招聘的报名未通过审核，原因请登录查看。',
        '【聚贤】冬季招聘已通过，请缴费',
      ])
      await makeTemplate(t, { smsCode: `${refused.name}.no`, templateContent: '{exam}未通过' })
      await said(refused, { again: 'no' })
      expect((await texts()).at(-1)?.content).toBe('【聚贤】冬季招聘未通过')
    })

    test('a name that has no value leaves a message that failed, and says why', async () => {
      const one = signupEvents.choicePassed
      await give(t, 9)
      await makeTemplate(t, { smsCode: one.name, templateContent: one.text.zh })
      await tell([one.name], textValuesOf(one, { finalCode: null }, exam))
      await sendOut(t)
      const row = await t.db.selectFrom('sendmessage').selectAll().executeTakeFirstOrThrow()
      expect(row).toMatchObject({ msgStatus: 3, errMsg: '模板中的{finalCode}没有内容，未发送', segments: 0 })
      expect(row.sendTime).not.toBeNull()
      expect(await orders()).toMatchObject([{ sendStatus: 5 }])
      expect(await balanceOf(program(t))).toBe(9)
      // Tried again it still has none.
      const { userId } = await signIn(t, { role: 'admin' })
      await resend(t.app, { tenantId: '000000', userId }, [row.id], '再试')
      await sendOut(t)
      expect(await texts()).toMatchObject([{ msgStatus: 3 }])
      expect((await t.pool.query('SELECT 1 FROM sms_outbox')).rowCount).toBe(0)
    })
  })

  describe('of a review', () => {
    const undoneAt = async (seconds: number, textDelay: number | null, result: 2 | 3) => {
      await template()
      await makeTemplate(t, { smsCode: 'signup.refused', templateContent: '{exam}的报名未通过审核' })
      await makeTemplate(t, { smsCode: 'signup.reviewUndone', templateContent: '{exam}的审核结果已撤销' })
      await insert(t.app, Eventchoice, { examId: null, code: 'signup.reviewUndone', channel: 'sms', isOn: 1 })
      await give(t, 5)
      const { exam, first, who, id } = await scene()
      await t.db.updateTable('examination').set({ textDelay }).where('id', '=', exam.id).execute()
      expect((await decide(first, id, result, '专业不符')).code).toBe(200)
      for (const second of [16, 200, seconds]) {
        await at(t, later(second))
        await tellDue(t.app)
        await sendOut(t)
      }
      const revoker = seconds > 600 ? await reviewer(t, exam.id, 1) : first
      expect((await post(t, revoker, `${review}/revoke`, { signUpId: id, reason: '误判' })).code).toBe(200)
      await tellDue(t.app)
      for (const second of [seconds, 1300]) {
        await at(t, later(second))
        await sendOut(t)
      }
      const { rows } = await t.pool.query<{ content: string }>(
        'SELECT content FROM sendmessage WHERE "msgStatus" = 2 ORDER BY id',
      )
      return { who, sent: rows.map(one => one.content) }
    }

    test.each([2, 3] as const)(
      'that is undone after four minutes nothing is sent; the inbox has both (%i)',
      async result => {
        const { who, sent } = await undoneAt(240, null, result)
        expect(sent).toEqual([expect.stringContaining('已撤销')])
        expect(await titles(who)).toHaveLength(3)
      },
    )

    test.each([
      ['after eleven minutes', 660, null],
      ['after four in an exam that waits for three', 240, 3],
      ['after four in an exam that does not wait', 240, 0],
    ] as const)('that is undone %s both are sent, in their order', async (_, seconds, textDelay) => {
      const { sent } = await undoneAt(seconds, textDelay, 2)
      expect(sent).toEqual([expect.stringContaining('未通过审核'), expect.stringContaining('已撤销')])
    })
  })

  describe('of who has passed and is to pay', () => {
    const code = 'payrecord.opened'
    async function payable(hasTemplate: boolean) {
      await makeTemplate(t, { smsCode: 'signup.passed', templateContent: '{exam}审核通过' })
      if (hasTemplate) await makeTemplate(t, { smsCode: code, templateContent: '{exam}请在{until}前缴费{amount}元' })
      await give(t, 9)
      await at(t, times.inside)
      const { exam } = await makeExam(t)
      const first = await reviewer(t, exam.id, 2)
      const stage = { itemStatus: EnableStatus.enabled, needPay: 1, candidateRule: ItemRange.allValid } as const
      const item = await insert(t.app, Examinationitem, { examId: exam.id, ...stage })
      await t.db.updateTable('examitems').set({ itemIds: '' }).where('examId', '=', exam.id).execute()
      const open = { startTime: later(-3600), endTime: shanghai('2026-12-20 17:00:00') }
      const of = { examId: exam.id, itemId: item.id }
      const fee = await insert(t.app, Exampay, { ...of, ...open, amount: 8000, payStatus: ExampayStatus.released })
      await insert(t.app, Payrecordmain, { ...of, exampayId: fee.id })
      const people = await Promise.all([0, 1].map(() => applicant(t)))
      const ids = await Promise.all(people.map(async who => (await submit(t, who, exam.id)).data.id))
      await tellDue(t.app)
      for (const id of ids) expect((await decide(first, id, 1)).code).toBe(200)
      return { first, people, ids }
    }
    const sent = async () =>
      (
        await t.pool.query<{ content: string }>('SELECT content FROM sendmessage WHERE "msgStatus" = 2 ORDER BY id')
      ).rows.map(one => one.content)

    test('there is one text, of the fee, and both in the inbox', async () => {
      const { people } = await payable(true)
      await at(t, later(16))
      await tellDue(t.app)
      await sendOut(t)
      for (const who of people) expect(await titles(who)).toHaveLength(3)
      expect(await sent()).toEqual([])
      await at(t, later(601))
      await sendOut(t)
      expect(await sent()).toEqual([expect.stringContaining('缴费80.00元'), expect.stringContaining('缴费80.00元')])
      expect(await balanceOf(program(t))).toBe(7)
    })

    test('the text of the review is sent where there is none of the fee', async () => {
      await payable(false)
      await at(t, later(16))
      await tellDue(t.app)
      await at(t, later(601))
      await sendOut(t)
      expect(await sent()).toEqual([expect.stringContaining('审核通过'), expect.stringContaining('审核通过')])
    })

    test.each([
      ['at once', 5, 1],
      ['after four minutes', 240, 4],
    ] as const)('nothing is sent to whom it was undone %s', async (_, second, messages) => {
      const { first, people, ids } = await payable(true)
      if (second > 15) {
        await at(t, later(16))
        await tellDue(t.app)
      }
      await at(t, later(second))
      expect((await undo(first, ids[0] ?? '')).code).toBe(second > 15 ? 22038 : 200)
      if (second > 15)
        expect((await post(t, first, `${review}/revoke`, { signUpId: ids[0], reason: '误判' })).code).toBe(200)
      await at(t, later(second + 20))
      await tellDue(t.app)
      await at(t, later(700))
      await sendOut(t)
      expect(await sent()).toHaveLength(1)
      expect(await titles(people[0] as Caller)).toHaveLength(messages)
      expect(await titles(people[1] as Caller)).toHaveLength(3)
    })
  })

  test('call an exam by its short name, and are called off for whoever is out of the exam', async () => {
    const ticket = 'examinationitem.ticketsReleased'
    await makeTemplate(t, { smsCode: ticket, templateContent: '{exam}准考证已发布，请登录下载' })
    await give(t, 5)
    const { exam, who, id } = await scene()
    const examId = exam.id
    await t.db.updateTable('examination').set({ shortName: '冬季招聘' }).where('id', '=', examId).execute()
    const { id: itemId } = await insert(t.app, Examinationitem, { examId })
    await insert(t.app, Examinationticket, { examId, itemId, signupId: id, userId: who.userId, ticketStatus: 1 })
    await at(t, '2026-12-02 22:30:00')
    const facts = { itemName: '笔试', from: null, until: null }
    await insert(t.app, Event, {
      code: ticket,
      subjectId: itemId,
      examId,
      facts,
      once: null,
      toldTime: null,
      toldTo: null,
    })
    await tellDue(t.app)
    expect(await texts()).toMatchObject([{ msgStatus: 0 }])
    const struck = { code: 'signup.struck', subjectId: id, examId, facts: { cancelReason: '材料不实' } }
    await insert(t.app, Event, { ...struck, once: null, toldTime: null, toldTo: null })
    await tellDue(t.app)
    expect(await texts()).toMatchObject([{ msgStatus: 4 }])
    expect(await balanceOf(program(t))).toBe(5)
    const states = (await page(who)).map(({ title, done }) => [title.slice(0, 11), done])
    expect(states).toContainEqual(['冬季招聘准考证已发布，', true])
    expect(states).toContainEqual(['您在冬季招聘的资格已被', false])
  })

  test('spare a number that they do not reach, until they do; mail goes anyway', async () => {
    await template()
    await makeTemplate(t, { smsCode: 'signup.submitted', templateContent: '{exam}已收到报名{signNo}' })
    await insert(t.app, Eventchoice, { examId: null, code: 'signup.submitted', channel: 'sms', isOn: 1 })
    await insert(t.app, Mail, { mailStatus: EnableStatus.enabled, pausedTime: null })
    await give(t, 9)
    const { first, who, id } = await scene()
    const { userId } = who
    const email = 'anna@example.com'
    await t.db.updateTable('user').set({ email }).where('id', '=', userId).execute()
    const { phoneHash } = await t.db
      .selectFrom('user')
      .select('phoneHash')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow()
    const mine = { userId, isOff: 0 } as const
    await insert(t.app, Contact, {
      ...mine,
      channel: 'mail',
      addressHash: mailHash(t.app, '000000', email),
      problem: null,
    })
    await insert(t.app, Contact, { ...mine, channel: 'sms', addressHash: phoneHash, problem: '空号' })
    const texts = async () =>
      (await t.db.selectFrom('sendmessage').select('content').orderBy('id').execute()).map(one => one.content)
    const mails = async () =>
      (await t.db.selectFrom('delivery').select('id').where('userId', '=', userId).execute()).length
    await tellDue(t.app)
    expect([await texts(), await mails()]).toEqual([[], 1])
    await t.db.updateTable('contact').set({ problem: null }).where('userId', '=', userId).execute()
    expect((await decide(first, id, 3, '请补证书')).code).toBe(200)
    await at(t, later(20))
    await tellDue(t.app)
    expect([await texts(), await mails()]).toEqual([[expect.stringContaining('被退回')], 2])
  })

  test('are sent of what is no must only where somebody has chosen so', async () => {
    await makeTemplate(t, { smsCode: 'signup.submitted', templateContent: '{exam}已收到报名{signNo}' })
    await give(t, 5)
    await scene()
    await tellDue(t.app)
    expect(await texts()).toEqual([])
    await insert(t.app, Eventchoice, { examId: null, code: 'signup.submitted', channel: 'sms', isOn: 1 })
    await scene()
    await tellDue(t.app)
    expect(await texts()).toHaveLength(1)
  })
})

describe('what an exam tells', () => {
  beforeAll(() => t.pool.query('TRUNCATE eventchoice'))
  const base = '/api/blade-desk/inbox'
  async function manager() {
    const { exam, first } = await scene()
    const who = await signIn(t, { role: 'exam_admin' })
    await insert(t.app, Examuser, { examId: exam.id, userId: who.userId, examRole: ExamRole.manager, enable: 1 })
    return { exam, who, first }
  }

  test('can be chosen by its managers, but for what must be told', async () => {
    const { exam, who, first } = await manager()
    const choose = (code: string, isOn: boolean, by = who) =>
      post(t, by, `${base}/choose`, { examId: exam.id, code, isOn })
    const shown = async (code: string) =>
      (await get<EventChoices>(t, who, `${base}/choices?examId=${exam.id}`)).data.events.find(one => one.code === code)
    expect(await shown('signup.returned')).toMatchObject({ sms: 'must', isOn: true })
    expect(await shown('signup.submitted')).toMatchObject({ sms: 'off', isOn: false })
    expect((await choose('signup.returned', false)).code).toBe(29008)
    expect((await choose('signup.resubmitted', true)).code).toBe(29005)
    expect((await choose('signup.submitted', true)).code).toBe(200)
    expect((await choose('signup.submitted', true)).code).toBe(200)
    expect(await shown('signup.submitted')).toMatchObject({ isOn: true })
    expect((await choose('signup.submitted', false, first)).code).toBe(403)
    const stranger = await signIn(t, { role: 'exam_admin' })
    expect((await choose('signup.submitted', false, stranger)).code).toBe(21001)
    expect(await shown('signup.submitted')).toMatchObject({ isOn: true })
    // What it will cost is known before anybody has signed up: by the plan, and by the length of each text.
    await t.pool.query('UPDATE examitems SET "curPlanNum" = 3, "openRatio" = 2.5 WHERE "examId" = $1', [exam.id])
    const { rows } = await t.pool.query('SELECT count(*)::int AS n FROM examitems WHERE "examId" = $1', [exam.id])
    const all = (await get<EventChoices>(t, who, `${base}/choices?examId=${exam.id}`)).data
    expect(all.planned).toBe(rows[0].n * 8)
    expect(all.planned).toBeGreaterThan(0)
    const long = all.events.filter(one => one.text.length > 70)
    expect(all.events.every(one => one.segments >= 1)).toBe(true)
    expect(long.every(one => one.segments >= 2)).toBe(true)
  })
})
