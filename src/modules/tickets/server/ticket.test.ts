import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ReduceState, TicketStatus } from '#schemas/dictionaries'
import { Notice } from '#schemas/notices/notice'
import { Payrecord } from '#schemas/payment/payrecord'
import { Attach } from '#schemas/resource/attach'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, windows } from '../../../../tests/helper/exam-bench.ts'
import { stayLoggedIn } from '../../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import {
  candidateOf,
  drawing,
  makeStage,
  seatStaff,
  ticketStates,
  ticketsOf,
} from '../../../../tests/helper/seat-bench.ts'
import { soon } from '../../../../tests/helper/soon.ts'

let t: TestApp
let staff: Awaited<ReturnType<typeof seatStaff>>
let other: Caller
const base = '/blade-exam/examination'
const register = '/blade-ticketNotice/ticketnotice'
const opened = windows.ticketStartTime

beforeAll(async () => {
  t = await testApp({ now: drawing })
  staff = await seatStaff(t)
  other = await signIn(t, { role: 'candidate' })
})
beforeEach(() => at(opened))
afterAll(() => t.close())

async function at(time: Date | string) {
  t.setNow(time)
  await stayLoggedIn(t)
}

/** An exam with one candidate whose seat is locked; released unless told otherwise. */
async function seated(more: Parameters<typeof makeStage>[2] & { payState?: 1 | 2; keep?: boolean } = {}) {
  const made = await makeStage(t, 1, more)
  const { examId, itemId } = made
  const { caller, signup } = await candidateOf(t, examId)
  if (more.payState) await insert(t.app, Payrecord, { examId, itemId, signupId: signup.id, payState: more.payState })
  for (const name of ['allotSeat', 'lockAllot', ...(more.keep ? [] : ['releaseTicket'])]) {
    const answer = await staff.act(name, itemId)
    if (answer.code !== 200) throw new Error(JSON.stringify(answer))
  }
  const [ticket] = await ticketsOf(t, itemId)
  const own = asCaller(t, caller)
  const info = () => own.get(`${base}/getTicketInfo?id=${ticket!.id}`)
  const pdf = (who = caller) =>
    t.app.inject({ url: `/api/blade-signup/signup/exportTicket?id=${ticket!.id}`, headers: who.headers })
  const down = (type = 1) => own.post<{ downNum: number }>(`${register}/saveTicketDownInfo`, { itemId, type })
  const steps = () => own.get(`${register}/getTicketNoticeIsUpload?itemId=${itemId}`)
  return { ...made, ticket: ticket!, caller, signup, own, info, pdf, down, steps }
}

/** Waits until so many statements wait for a lock. */
const waitingFor = (n: number) =>
  soon(async () => {
    const { rows } = await t.pool.query(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    )
    expect(rows[0].n).toBe(n)
  })

type Seated = Awaited<ReturnType<typeof seated>>

/** The code by which all three ways to a ticket answer. */
async function codeOf({ info, pdf, down, steps }: Seated) {
  const codes = [(await info()).code, (await pdf()).statusCode === 200 ? 200 : (await pdf()).json().code]
  codes.push((await down()).code)
  expect(new Set(codes).size).toBe(1)
  const shown = (await steps()).data
  expect([shown.stepCode, shown.canDownload]).toEqual(codes[0] === 200 ? [0, true] : [codes[0], false])
  return codes[0]
}

describe('what stands before a ticket', () => {
  test('not released, and recalled: 25002', async () => {
    const one = await seated({ keep: true })
    expect(await codeOf(one)).toBe(25002)
    expect((await staff.act('releaseTicket', one.itemId)).data).toEqual({ num: 1 })
    expect(await codeOf(one)).toBe(200)
    expect((await staff.act('recallTicket', one.itemId)).code).toBe(29005)
    expect(await codeOf(one)).toBe(200)
    expect((await staff.act('recallTicket', one.itemId, { reason: '考点有变' })).data).toEqual({ num: 1 })
    expect(await codeOf(one)).toBe(25002)
    expect((await staff.act('recallTicket', one.itemId, { reason: '考点有变' })).data).toEqual({ num: 0 })
    expect((await staff.act('recallTicket', one.itemId, { reason: 'x' })).code).toBe(29009)
    expect((await staff.act('releaseTicket', one.itemId)).data).toEqual({ num: 1 })
    expect((await staff.act('releaseTicket', one.itemId)).data).toEqual({ num: 0 })
    expect(await codeOf(one)).toBe(200)
  })

  test('of two who release at once one does; a recall is told once and kept with its reason', async () => {
    const { itemId, signup } = await seated({ keep: true })
    const second = asCaller(t, await signIn(t, { role: 'administrator' }))
    // Both wait for the row, then one finds what the other has done.
    const client = await t.pool.connect()
    await client.query('BEGIN')
    await client.query('SELECT 1 FROM examinationitem WHERE id = $1 FOR NO KEY UPDATE', [itemId])
    const both = Promise.all([
      staff.act('releaseTicket', itemId),
      second.post(`${base}/releaseTicket`, { itemId, id: itemId }),
    ])
    await waitingFor(2)
    await client.query('COMMIT')
    client.release()
    expect((await both).map(one => one.code).toSorted()).toEqual([200, 29009])
    for (let i = 0; i < 2; i++) await staff.act('recallTicket', itemId, { reason: '考点有变' })
    const { rows } = await t.pool.query(
      `SELECT act, reason, changes FROM history WHERE "rowId" = $1 AND act LIKE '%Ticket' ORDER BY id`,
      [itemId],
    )
    expect(rows).toEqual([
      { act: 'releaseTicket', reason: null, changes: { ticketRelease: [0, 1] } },
      { act: 'recallTicket', reason: '考点有变', changes: { ticketRelease: [1, 2] } },
    ])
    const told = await t.pool.query('SELECT 1 FROM event WHERE code = $1 AND "subjectId" = $2', [
      'examinationitem.ticketsRecalled',
      itemId,
    ])
    expect([told.rowCount, await ticketStates(staff, signup.examId)]).toEqual([1, [TicketStatus.draft]])
  })

  test('voided, with the reason: 25006, even when it is recalled', async () => {
    const one = await seated()
    const void_ = (reason = '') => staff.post(`${base}/voidTicket`, { ids: one.ticket.id, reason })
    expect((await void_()).code).toBe(29005)
    expect((await void_('冒名')).data).toEqual({ num: 1 })
    expect(await codeOf(one)).toBe(25006)
    expect((await one.info()).msg).toBe('准考证已作废：冒名')
    expect((await void_('x')).code).toBe(29009)
    await staff.act('recallTicket', one.itemId, { reason: 'x' })
    await staff.act('releaseTicket', one.itemId)
    expect(await codeOf(one)).toBe(25006)
    expect(await ticketStates(staff, one.examId)).toEqual([TicketStatus.voided])
  })

  test('its state stands with the sign-up: lists are filtered and sorted by it, and its owner reads it', async () => {
    const { examId, itemId } = await makeStage(t, 1)
    const [first, second] = [await candidateOf(t, examId), await candidateOf(t, examId)]
    await candidateOf(t, examId, { reduceState: ReduceState.givenUp })
    for (const act of ['allotSeat', 'lockAllot', 'releaseTicket']) expect((await staff.act(act, itemId)).code).toBe(200)
    const ticket = (await ticketsOf(t, itemId)).find(one => one.signupId === first.signup.id)
    expect((await staff.post(`${base}/voidTicket`, { ids: ticket!.id, reason: '冒名' })).code).toBe(200)

    const { draft, released, voided } = TicketStatus
    expect(await ticketStates(staff, examId)).toEqual([draft, released, voided])
    expect(await ticketStates(staff, examId, `&ticketState=${released}`)).toEqual([released])
    expect(await ticketStates(staff, examId, `&ticketState_notequal=${released}`)).toEqual([draft, voided])
    expect((await staff.get(`/blade-signup/signup/page?examId=${examId}&ticketState=x`)).code).toBe(29005)
    for (const [{ caller, signup }, ticketState] of [
      [first, voided],
      [second, released],
    ] as const) {
      const own = asCaller(t, caller)
      const { data: mine } = await own.get<{ records: object[] }>('/blade-signup/signup/myExamList')
      const { data: detail } = await own.get(`/blade-signup/signup/detail?id=${signup.id}`)
      expect([mine.records, detail]).toMatchObject([[{ ticketState }], { ticketState }])
    }
  })

  test('a fee given back or a sign-up struck off: 25003', async () => {
    const fee = { exam: { needPay: 1 as const }, stage: { needPay: 1 as const, fee: 8000 } }
    const paid = await seated({ ...fee, payState: 1 })
    expect(await codeOf(paid)).toBe(200)
    for (const state of [0, 3, 4, 5]) {
      await t.pool.query('UPDATE payrecord SET "payState" = $2 WHERE "itemId" = $1', [paid.itemId, state])
      expect([state, await codeOf(paid)]).toEqual([state, 25003])
    }
    expect(await codeOf(await seated({ ...fee, payState: 2 }))).toBe(200)
    const free = await seated()
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [free.signup.id])
    expect(await codeOf(free)).toBe(25003)
  })

  test('outside the window, to the millisecond: 25001', async () => {
    const one = await seated()
    const [start, end] = [windows.ticketStartTime.getTime(), windows.ticketEndTime.getTime()]
    for (const [time, code] of [
      [start - 1, 25001],
      [start, 200],
      [end - 1, 200],
      [end, 25001],
    ] as const) {
      await at(new Date(time))
      expect([time - start, await codeOf(one)]).toEqual([time - start, code])
    }
    expect((await one.info()).msg).toBe('准考证下载已于2027-01-09 09:00:00结束')
    await at(new Date(start - 1))
    expect((await one.info()).msg).toBe('准考证2027-01-04 09:00:00开始下载')
  })

  test('the stage’s own window goes before the exam’s; a closed or archived exam is outside any', async () => {
    const later = { ticketStartTime: shanghai('2027-01-05 09:00:00'), ticketEndTime: shanghai('2027-01-06 09:00:00') }
    const one = await seated({ stage: later })
    expect(await codeOf(one)).toBe(25001)
    await at(later.ticketStartTime)
    expect(await codeOf(one)).toBe(200)
    for (const status of [2, 3]) {
      await t.pool.query('UPDATE examination SET "examStatus" = $2 WHERE id = $1', [one.examId, status])
      expect([status, await codeOf(one)]).toEqual([status, 25001])
    }
  })

  test('a notice that must be confirmed: 25004', async () => {
    const one = await seated({ exam: { ticketNeedSure: 1 } })
    expect(await codeOf(one)).toBe(200)
    const notice = await insert(t.app, Notice, {
      title: '考场须知',
      noticeStatus: 1,
      needSure: 1,
      scope1: 2,
      scope2: one.examId,
      examId: null,
      noticeType: 2,
      category: 2,
      releaseTime: shanghai(drawing),
      endTime: null,
    })
    expect(await codeOf(one)).toBe(25004)
    expect((await one.steps()).data).toMatchObject({ needSure: true, sured: false, notice: '考场须知' })
    const foreign = await asCaller(t, other).post(`${base}/sureNotify?id=${notice.id}`)
    expect(foreign.code).not.toBe(500)
    expect(await codeOf(one)).toBe(25004)
    expect((await one.own.post(`${base}/sureNotify?id=${notice.id}`)).code).toBe(200)
    expect(await codeOf(one)).toBe(200)
  })

  test('pictures that were asked for: 25005, again when they were found bad', async () => {
    const one = await seated({ exam: { ticketNeedPic: 'jkm,xcm', picLabels: { xcm: '身份核验照' } } })
    expect(await codeOf(one)).toBe(25005)
    expect((await one.info()).msg).toBe('请先上传：健康码、身份核验照')
    expect((await one.steps()).data).toMatchObject({
      picState: 1,
      uploaded: false,
      needPics: [
        { slot: 'jkm', label: '健康码' },
        { slot: 'xcm', label: '身份核验照' },
      ],
    })
    const picture = (who: Caller, ownerType = 'ticketpic') =>
      insert(t.app, Attach, {
        name: `x/${Math.random()}`,
        originalName: 'a.jpg',
        extension: 'jpg',
        attachSize: 9,
        contentType: 'image/jpeg',
        ownerType: ownerType as 'ticketpic',
        ownerId: null,
        createUser: who.userId,
        visible: 3,
        scanState: 1,
      })
    const [jkm, xcm] = [await picture(one.caller), await picture(one.caller)]
    const [photo, foreign] = [await picture(one.caller, 'photo'), await picture(other)]
    const save = (values: object) =>
      one.own.post(`${register}/savePicAndDownInfo`, { itemId: one.itemId, consent: 1, ...values })
    expect((await save({ jkm: jkm.id, xcm: xcm.id, consent: 0 })).code).toBe(22011)
    expect((await save({ jkm: jkm.id })).msg).toBe('请先上传：身份核验照')
    expect((await save({ hsjcbg: jkm.id })).code).toBe(25005)
    expect((await save({ jkm: jkm.id, xcm: foreign.id })).code).toBe(28009)
    expect((await save({ jkm: jkm.id, xcm: photo.id })).code).toBe(28009)
    expect((await save({ jkm: jkm.id, xcm: '1' })).code).toBe(28009)
    expect((await save({ jkm: jkm.id, xcm: "x'" })).code).toBe(29005)
    expect(await codeOf(one)).toBe(25005)
    expect((await save({ jkm: jkm.id, xcm: xcm.id })).data).toEqual({ picState: 2 })
    expect(await codeOf(one)).toBe(200)
    const { rows } = await t.pool.query('SELECT * FROM ticketnotice WHERE "itemId" = $1', [one.itemId])
    expect(rows).toMatchObject([{ jkm: jkm.id, xcm: xcm.id, hsjcbg: null, picState: 2 }])
    const kept = await t.pool.query('SELECT "ownerId" FROM attach WHERE id = $1', [jkm.id])
    expect(kept.rows[0].ownerId).toBe(rows[0].id)
    await t.pool.query(`UPDATE ticketnotice SET "picState" = 4, "picRemark" = '不清晰' WHERE id = $1`, [rows[0].id])
    expect(await codeOf(one)).toBe(25005)
    expect((await one.steps()).data).toMatchObject({ picState: 4, picRemark: '不清晰' })
    expect((await save({ jkm: jkm.id, xcm: xcm.id })).code).toBe(200)
    await t.pool.query('UPDATE ticketnotice SET "picState" = 3 WHERE id = $1', [rows[0].id])
    expect((await save({ jkm: jkm.id, xcm: xcm.id })).code).toBe(29009)
    expect(await codeOf(one)).toBe(200)
  })

  test('the first of several answers, in the order of the rules', async () => {
    const one = await seated({
      exam: { needPay: 1, ticketNeedSure: 1, ticketNeedPic: 'jkm' },
      stage: { needPay: 1, fee: 1 },
      payState: 1,
    })
    const { itemId, examId } = one
    await insert(t.app, Notice, {
      title: '须知',
      noticeStatus: 1,
      needSure: 1,
      scope1: 3,
      scope2: itemId,
      examId: null,
      releaseTime: opened,
    })
    await t.pool.query('UPDATE payrecord SET "payState" = 3 WHERE "itemId" = $1', [itemId])
    await t.pool.query(`UPDATE examinationticket SET "ticketStatus" = 2 WHERE "itemId" = $1`, [itemId])
    await at(new Date(opened.getTime() - 1))
    expect(await codeOf(one)).toBe(25006)
    await t.pool.query('UPDATE examinationticket SET "ticketStatus" = 0 WHERE "itemId" = $1', [itemId])
    expect(await codeOf(one)).toBe(25002)
    await t.pool.query('UPDATE examinationticket SET "ticketStatus" = 1 WHERE "itemId" = $1', [itemId])
    expect(await codeOf(one)).toBe(25003)
    await t.pool.query('UPDATE payrecord SET "payState" = 1 WHERE "itemId" = $1', [itemId])
    expect(await codeOf(one)).toBe(25001)
    await at(opened)
    expect(await codeOf(one)).toBe(25004)
    await t.pool.query('UPDATE notice SET "noticeStatus" = 2')
    expect(await codeOf(one)).toBe(25005)
    await t.pool.query(`UPDATE examination SET "ticketNeedPic" = '' WHERE id = $1`, [examId])
    expect(await codeOf(one)).toBe(200)
  })
})

describe('a ticket', () => {
  test('of somebody else is answered like one that does not exist', async () => {
    const { ticket, itemId, examId } = await seated()
    const stranger = asCaller(t, other)
    const twin = async (path: string) => {
      const [theirs, none] = [await stranger.get(path + ticket.id), await stranger.get(`${path}1`)]
      expect(theirs).toEqual(none)
      return theirs.code
    }
    expect(await twin(`${base}/getTicketInfo?id=`)).toBe(25002)
    expect(await twin('/blade-signup/signup/exportTicket?id=')).toBe(25002)
    expect((await stranger.post(`${register}/saveTicketDownInfo`, { itemId })).code).toBe(25002)
    expect((await stranger.post(`${register}/saveTicketDownInfo`, { eid: examId })).code).toBe(25002)
    expect((await stranger.post(`${register}/savePicAndDownInfo`, { itemId, jkm: '1' })).code).toBe(25002)
    expect((await stranger.get(`${register}/getTicketNoticeIsUpload?itemId=${itemId}`)).data).toMatchObject({
      canDownload: false,
      stepCode: 25002,
      needPics: [],
    })
    const { data } = await stranger.get<{ records: unknown[] }>(`${base}/getExamTicketList`)
    expect(data.records).toEqual([])
    const { rows } = await t.pool.query('SELECT 1 FROM ticketnotice WHERE "itemId" = $1', [itemId])
    expect(rows).toEqual([])
  })

  test('is a PDF of at most 300 KB with a name, and each download is counted once in ten seconds', async () => {
    const one = await seated()
    const answer = await one.pdf()
    expect(answer.headers['content-type']).toBe('application/pdf')
    expect(decodeURIComponent(String(answer.headers['content-disposition']))).toContain(one.ticket.ticketNo)
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(answer.rawPayload.subarray(0, 4).toString()).toBe('%PDF')
    expect(answer.rawPayload.length).toBeLessThanOrEqual(300 * 1024)
    const row = async () => {
      const { rows } = await t.pool.query('SELECT * FROM ticketnotice WHERE "itemId" = $1', [one.itemId])
      expect(rows).toHaveLength(1)
      return rows[0]
    }
    expect(await row()).toMatchObject({
      downNum: 1,
      type: 1,
      firstDownTime: opened,
      lastDownTime: opened,
      ticketNo: one.ticket.ticketNo,
      userId: one.caller.userId,
      signupId: one.signup.id,
      ticketId: one.ticket.id,
      lastDownIp: '127.0.0.1',
    })
    expect((await Promise.all([one.down(), one.down(), one.down()])).map(each => each.data.downNum)).toEqual([1, 1, 1])
    expect((await one.down(2)).data.downNum).toBe(2)
    const later = new Date(opened.getTime() + 10_000)
    await at(later)
    expect((await one.down(2)).data.downNum).toBe(3)
    expect(await row()).toMatchObject({ downNum: 3, type: 2, firstDownTime: opened, lastDownTime: later })
    expect((await one.own.post(`${register}/saveTicketDownInfo`, { itemId: one.itemId, type: 9 })).code).toBe(29005)
    expect((await one.own.post(`${register}/saveTicketDownInfo`, { eid: one.examId, type: 3 })).data).toEqual({
      downNum: 4,
    })
  })

  test('says the subject of the position, at a written stage', async () => {
    const one = await seated()
    const subject = async () =>
      (await one.own.get<{ subject: string }>(`${base}/getTicketInfo?id=${one.ticket.id}`)).data.subject
    const set = (table: string, column: string, value: string) =>
      t.pool.query(`UPDATE ${table} SET "${column}" = $2 WHERE ${table === 'examitems' ? '"examId"' : 'id'} = $1`, [
        table === 'examitems' ? one.examId : one.itemId,
        value,
      ])
    await set('examinationitem', 'itemType', '1')
    await set('examinationitem', 'subject', '01')
    await set('examitems', 'examSubject', '02')
    const [stage, position] = await Promise.all(
      ['01', '02'].map(async key => {
        const { rows } = await t.pool.query(
          `SELECT "dictValue" FROM dict_biz WHERE code = 'exam_subject' AND "dictKey" = $1`,
          [key],
        )
        return rows[0]?.dictValue ?? key
      }),
    )
    expect(stage).not.toBe(position)
    expect(await subject()).toBe(position)
    await set('examinationitem', 'itemType', '2')
    expect(await subject()).toBe(stage)
  })

  test('is in its owner’s list with the next step, voided ones too, those that are not out without their seats', async () => {
    const one = await seated()
    type Line = Record<string, unknown>
    const list = async () => (await one.own.get<{ records: Line[]; total: number }>(`${base}/getExamTicketList`)).data
    expect(await list()).toMatchObject({ total: 1 })
    expect((await list()).records[0]).toMatchObject({
      ticketId: one.ticket.id,
      examId: one.examId,
      itemId: one.itemId,
      stepCode: 0,
      stepMsg: '',
      itemName: '笔试',
      seatNo: '01',
      roomNo: '001',
      address: '学府路 18 号',
      startTime: '2027-01-09 09:00:00',
    })
    await at(new Date(opened.getTime() - 1))
    expect((await list()).records[0]).toMatchObject({ stepCode: 25001 })
    await staff.post(`${base}/voidTicket`, { ids: one.ticket.id, reason: '重复' })
    expect((await list()).records[0]).toMatchObject({ ticketStatus: 2, stepMsg: '准考证已作废：重复' })
    await t.pool.query('UPDATE examinationticket SET "ticketStatus" = 0 WHERE id = $1', [one.ticket.id])
    // Locked and not out: a step that says so, and nothing of the seat.
    const hidden = { ticketNo: '', address: '', roomNo: '', seatNo: '', stepCode: 25002 }
    expect((await list()).records).toMatchObject([{ ...hidden, ticketId: one.ticket.id }])
    const told = async (start: string | null, release: number) => {
      await t.pool.query('UPDATE examinationitem SET "ticketStartTime" = $2, "ticketRelease" = $3 WHERE id = $1', [
        one.itemId,
        start,
        release,
      ])
      return (await list()).records[0]?.msg
    }
    expect(await told('2099-01-04T09:00:00+08:00', 0)).toBe('座位已排定，准考证将于 2099-01-04 09:00 发布')
    expect(await told('2000-01-01T00:00:00+08:00', 0)).toBe('座位已排定，准考证即将发布')
    expect(await told('2099-01-04T09:00:00+08:00', 2)).toBe('准考证已撤回，重新发布后可在这里下载')
    const stages = (await staff.get<{ records: Line[] }>(`${base}/getExamTicketList?size=200`)).data.records
    expect(stages.find(stage => stage.itemId === one.itemId)).toMatchObject({ ticketNum: 1, waitNum: 1, voidNum: 0 })
    const clerk = asCaller(t, await signIn(t, { permissions: ['examination'] }))
    expect((await clerk.get(`${base}/getExamTicketList`)).status).toBe(403)
  })

  test('shows its owner the whole ID number, and staff of the exam a masked one, with the permission only', async () => {
    const one = await seated({ keep: true })
    const who = await signIn(t, { role: 'ticket_viewer', permissions: ['examinationticket', 'examinationticket_view'] })
    const viewer = asCaller(t, who)
    const path = `${base}/getTicketInfo?id=${one.ticket.id}`
    expect((await viewer.get(path)).code).toBe(25002)
    await appoint(t, one.examId, who)
    expect((await viewer.get(path)).data).toMatchObject({
      ticketNo: one.ticket.ticketNo,
      siteName: '清源一中',
      idCard: expect.stringContaining('****'),
    })
    expect((await one.pdf(who)).statusCode).toBe(200)
    const { rows } = await t.pool.query('SELECT 1 FROM ticketnotice WHERE "itemId" = $1', [one.itemId])
    expect(rows).toEqual([])
    const blind = await signIn(t, { role: 'ticket_blind', permissions: ['examinationticket'] })
    await appoint(t, one.examId, blind)
    expect(await asCaller(t, blind).get(path)).toMatchObject({ status: 403, code: 403 })
    await staff.act('releaseTicket', one.itemId)
    expect((await one.info()).data).toMatchObject({ idCard: t.app.vault.open(one.ticket.idCard), seatNo: '01' })
  })
})

describe('the code on a ticket', () => {
  const verify = (code: string) =>
    t.call<{ valid: boolean; reason?: string }>(`/api/public/verify?code=${encodeURIComponent(code)}`)

  test('is valid for anyone, without giving the name away', async () => {
    const one = await seated()
    await t.pool.query(`UPDATE examinationticket SET name = '欧阳若彤' WHERE id = $1`, [one.ticket.id])
    const { ticketNo, qrPayload } = one.ticket
    expect((await verify(qrPayload)).data).toEqual({
      valid: true,
      name: '欧**彤',
      roomNo: '001',
      seatNo: '01',
      ticketNo,
    })
  })

  test('altered, foreign, recalled, voided or replaced, it is not', async () => {
    const one = await seated()
    const code = one.ticket.qrPayload
    const bad = { valid: false, reason: '无效' }
    for (const wrong of ['', 'x', code.slice(0, -1), code.replace(/.$/, last => (last === 'A' ? 'B' : 'A'))])
      expect([wrong, (await verify(wrong)).data]).toEqual([wrong, bad])
    for (let i = 0; i < code.length; i += 17) {
      const wrong = `${code.slice(0, i)}${code[i] === 'C' ? 'D' : 'C'}${code.slice(i + 1)}`
      expect([i, (await verify(wrong)).data.valid]).toEqual([i, false])
    }
    await staff.act('recallTicket', one.itemId, { reason: 'x' })
    expect((await verify(code)).data).toEqual(bad)
    await staff.act('unlockAllot', one.itemId)
    const next = await candidateOf(t, one.examId)
    await t.pool.query('UPDATE signup SET "signStatus" = 9 WHERE id = $1', [one.signup.id])
    for (const name of ['allotSeat', 'lockAllot', 'releaseTicket']) await staff.act(name, one.itemId)
    const [again] = await ticketsOf(t, one.itemId)
    expect(again).toMatchObject({ ticketNo: one.ticket.ticketNo, signupId: next.signup.id })
    expect((await verify(code)).data).toEqual(bad)
    expect((await verify(again!.qrPayload)).data.valid).toBe(true)
    await staff.post(`${base}/voidTicket`, { ids: again!.id, reason: 'x' })
    expect((await verify(again!.qrPayload)).data).toEqual({ valid: false, reason: '已作废' })
  })
})

test('tickets of another exam are not voided by whoever is appointed to one', async () => {
  const [mine, theirs] = [await seated(), await seated()]
  const officer = await signIn(t, { role: 'exam_admin' })
  await appoint(t, mine.examId, officer)
  const { post } = asCaller(t, officer)
  expect((await post(`${base}/voidTicket`, { ids: theirs.ticket.id, reason: 'x' })).code).toBe(29001)
  expect(
    (await post(`${base}/voidTicket`, { ids: `${theirs.ticket.id},${mine.ticket.id}`, reason: 'x' })).data,
  ).toEqual({
    num: 1,
  })
  expect((await ticketsOf(t, theirs.itemId))[0]?.ticketStatus).toBe(1)
  expect((await post(`${base}/voidTicket`, { ids: '', reason: 'x' })).code).toBe(29005)
})
