import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Examinationitem } from '#schemas/exams/examinationitem'
import { Examuser } from '#schemas/exams/examuser'
import { Attach } from '#schemas/resource/attach'
import { Examinationticket } from '#schemas/tickets/examinationticket'
import { shanghai, type TestApp } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { cutAll, makeCutExam, makePassed, plan, reduceTimes } from '../../../../tests/helper/reduction-bench.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { at, get, post, put, signApp, times } from '../../../../tests/helper/sign-bench.ts'

let t: TestApp
beforeAll(async () => {
  t = await signApp()
})
afterAll(() => t.close())

/** An exam at the hour of computing: A01 has two of the six it needs, B01 three of two, B02 one of two. */
async function scene(more: Parameters<typeof makeCutExam>[1] = {}) {
  await at(t, reduceTimes.computing)
  const made = await makeCutExam(t, more)
  const people = [
    await makePassed(t, made.exam.id, 'A01'),
    await makePassed(t, made.exam.id, 'A01'),
    await makePassed(t, made.exam.id, 'B01'),
    await makePassed(t, made.exam.id, 'B01'),
    await makePassed(t, made.exam.id, 'B01'),
    await makePassed(t, made.exam.id, 'B02'),
  ]
  return { ...made, people, examId: made.exam.id }
}

const positions = (examId: string) =>
  t.db
    .selectFrom('examitems')
    .select(['code', 'postStatus', 'curPlanNum'])
    .where('examId', '=', examId)
    .orderBy('code')
    .execute()
const states = async (examId: string) =>
  (await t.db.selectFrom('signup').select(['id', 'reduceState']).where('examId', '=', examId).execute()).map(
    row => row.reduceState,
  )
const decide = (code: string, decision: number, more: object = {}) => ({
  code,
  decision,
  ...(decision === 3 && { basis: '报名人数未达开考比例' }),
  ...more,
})

/** Computes and decides: A01 is cancelled. */
async function decideAll(examId: string, staff: Parameters<typeof plan>[1]): Promise<void> {
  await plan(t, staff, examId, 'compute')
  const list = [decide('A01', 3, { basis: '未达开考比例' }), decide('B01', 1), decide('B02', 2)]
  expect((await plan(t, staff, examId, 'save', { list })).code).toBe(200)
}

describe('computing (P1)', () => {
  it('counts who has passed, proposes, and may be done again', async () => {
    const { examId, staff } = await scene()
    await makePassed(t, examId, 'A01', { examine: 2 })
    await makePassed(t, examId, 'A01', { signStatus: 2 })
    for (const _ of [1, 2]) {
      const { code, data } = await plan(t, staff, examId, 'compute')
      expect(code).toBe(200)
      expect(data).toMatchObject({
        affected: 2,
        positions: [
          { code: 'A01', beforeNum: 2, effectNum: 2, ratio: '3.0000', afterNum: 0, decision: 0 },
          { code: 'B01', effectNum: 3, afterNum: 2, decision: 0 },
          { code: 'B02', effectNum: 1, afterNum: 1, decision: 0 },
        ],
      })
    }
    expect(await states(examId)).not.toContain(1)
  })

  it('counts who has paid or owes nothing where payment is the base', async () => {
    const { examId, staff, people } = await scene({ reduceBase: 2 })
    const stage = await insert(t.app, Examinationitem, { examId, needPay: 1, itemStatus: 1, candidateRule: 1 })
    await t.db.updateTable('examitems').set({ itemIds: stage.id }).where('examId', '=', examId).execute()
    await t.db
      .updateTable('examitems')
      .set({ itemIds: '1' })
      .where('examId', '=', examId)
      .where('code', '=', 'B02')
      .execute()
    await put(t, people[0]!.id, { payState: 1 })
    await put(t, people[2]!.id, { payState: 2 })
    const { data } = await plan(t, staff, examId, 'compute')
    expect(data.positions.map(one => [one.code, one.effectNum])).toEqual([
      ['A01', 1],
      ['B01', 1],
      ['B02', 1],
    ])
  })

  it.each([
    ['before sign-up has ended', times.inside, {}, 29009],
    ['before payment has ended where it is the base', reduceTimes.computing, { reduceBase: 2 as const }, 29009],
    ['in a closed exam', reduceTimes.computing, { examStatus: 2 as const }, 21002],
    ['in an archived exam', reduceTimes.computing, { examStatus: 3 as const }, 21011],
  ])('is refused %s', async (_, time, more, code) => {
    const { examId, staff } = await scene({ payEndTime: new Date('2026-12-30T00:00:00+08:00'), ...more })
    await at(t, time)
    expect((await plan(t, staff, examId, 'compute')).code).toBe(code)
  })

  it('waits for reviews, unless a reason is given', async () => {
    const { examId, staff, people } = await scene()
    await put(t, people[0]!.id, { examine: 0 })
    await put(t, people[1]!.id, { examine: 3 })
    const waiting = await plan(t, staff, examId, 'compute')
    expect([waiting.code, (waiting.data as never as object[]).length]).toEqual([25010, 2])
    const done = await plan(t, staff, examId, 'compute', { reason: '审核系统故障' })
    expect(done.data.positions[0]).toMatchObject({ code: 'A01', effectNum: 0 })
  })

  it('is not for people of other exams', async () => {
    const { examId } = await scene()
    const other = await signIn(t, { role: 'exam_admin' })
    expect((await plan(t, other, examId, 'compute')).code).toBe(21001)
    expect((await plan(t, await signIn(t, { role: 'reviewer' }), examId, 'compute')).status).toBe(403)
    expect((await get(t, other, `getPostReduction?examId=${examId}`)).code).toBe(21001)
  })
})

describe('deciding (P2)', () => {
  it.each([
    ['cancels', decide('A01', 3), 200],
    ['cancels without a basis', decide('A01', 3, { basis: ' ' }), 29005],
    ['leaves it open', decide('A01', 0), 200],
    ['keeps what has too few', decide('A01', 1), 29005],
    ['cuts to more than the plan', decide('A01', 2, { afterNum: 3 }), 29005],
    ['keeps by permission without a paper', decide('A01', 4, { basis: '批文' }), 29005],
    ['cuts what has its people', decide('B01', 2, { afterNum: 1 }), 23001],
    ['names a position that is not there', decide('Z99', 3), 21007],
    ['brings a file nobody uploaded', decide('A01', 4, { basis: '批文', file: '123' }), 28009],
  ])('%s', async (_, one, code) => {
    const { examId, staff } = await scene()
    await plan(t, staff, examId, 'compute')
    expect((await plan(t, staff, examId, 'save', { list: [one] })).code).toBe(code)
  })

  it('keeps by permission with basis and paper', async () => {
    const { examId, staff } = await scene()
    await plan(t, staff, examId, 'compute')
    const file = (await insert(t.app, Attach, { ownerType: 'approval', name: 'aa/bb.pdf', ownerId: null })).id
    const list = [decide('A01', 4, { basis: '榕卫〔2026〕1号', file })]
    const { data } = await plan(t, staff, examId, 'save', { list })
    expect(data.positions[0]).toMatchObject({ code: 'A01', decision: 4, afterNum: 2 })
  })

  it('comes after computing', async () => {
    const { examId, staff } = await scene()
    expect((await plan(t, staff, examId, 'save', { list: [decide('A01', 3)] })).code).toBe(29009)
  })
})

describe('confirming (P3)', () => {
  it('moves positions and people, drafts the announcement, and locks', async () => {
    const { examId, staff, admin } = await scene()
    const done = await cutAll(t, examId, staff, admin)
    expect([done.code, done.data.affected]).toEqual([200, 2])
    expect(await positions(examId)).toEqual([
      { code: 'A01', postStatus: 3, curPlanNum: 0 },
      { code: 'B01', postStatus: 1, curPlanNum: 2 },
      { code: 'B02', postStatus: 2, curPlanNum: 1 },
    ])
    expect((await states(examId)).sort()).toEqual([0, 0, 0, 0, 1, 1])
    const kept = await t.pool.query(
      `SELECT p.code, h.reason, h."userId", h.changes FROM history h JOIN examitems p ON p.id = h."rowId"
       WHERE h.entity = 'examitems' AND p."examId" = $1 ORDER BY p.code`,
      [examId],
    )
    expect(kept.rows).toMatchObject([
      { code: 'A01', reason: '岗位核减', userId: admin.userId, changes: { postStatus: [1, 3] } },
      { code: 'B02', reason: '岗位核减', userId: admin.userId, changes: { postStatus: [1, 2] } },
    ])
    const draft = await t.db.selectFrom('notice').selectAll().where('examId', '=', examId).execute()
    expect(draft).toMatchObject([{ noticeStatus: 0, content: expect.stringContaining('A01') }])
    for (const action of ['compute', 'save', 'confirm'])
      expect((await plan(t, staff, examId, action, { list: [] })).code).toBe(action === 'confirm' ? 403 : 23008)
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(200)
    expect((await plan(t, await signIn(t, { role: 'admin' }), examId, 'confirm')).code).toBe(23008)
    const names = await get<{ total: number }>(t, staff, `postReductionNamePage?examId=${examId}&code=A01&nameState=1`)
    expect(names.data.total).toBe(2)
  })

  it('needs everything decided, and a second person', async () => {
    const { examId, staff, admin } = await scene()
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(29009)
    await plan(t, staff, examId, 'compute')
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(29005)
    const list = [decide('A01', 3, { basis: '未达开考比例' }), decide('B01', 1), decide('B02', 2)]
    await plan(t, admin, examId, 'save', { list })
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(24018)
    expect((await plan(t, staff, examId, 'confirm')).status).toBe(403)
    expect((await plan(t, await signIn(t, { role: 'admin' }), examId, 'confirm')).code).toBe(200)
  })

  it('needs a time for choosing where people lose their position', async () => {
    const { examId, staff, admin } = await scene()
    await decideAll(examId, staff)
    const none = { reduceStartTime: null, reduceEndTime: null }
    await t.db.updateTable('examination').set(none).where('id', '=', examId).execute()
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(21006)
    expect(await positions(examId)).toMatchObject([{ postStatus: 1 }, { postStatus: 1 }, { postStatus: 1 }])
  })

  it('is refused while somebody at a cancelled position holds a ticket', async () => {
    const { examId, staff, admin, people } = await scene()
    await decideAll(examId, staff)
    await insert(t.app, Examinationticket, { examId, signupId: people[0]!.id, ticketStatus: 0, itemId: '5' })
    expect((await plan(t, admin, examId, 'confirm')).code).toBe(23006)
    expect((await states(examId)).every(state => state === 0)).toBe(true)
    expect(await positions(examId)).toMatchObject([{ postStatus: 1 }, { postStatus: 1 }, { postStatus: 1 }])
  })

  it('sends those who had moved to a cancelled position on', async () => {
    const { examId, staff, admin, people } = await scene()
    await put(t, people[0]!.id, { examine: 2 })
    const moved = await makePassed(t, examId, 'B01', { reduceState: 3, finalCode: 'A01', finalUnit: 'u1' })
    expect((await cutAll(t, examId, staff, admin)).data.affected).toBe(2)
    const name = await t.db.selectFrom('postreductionname').selectAll().where('signupId', '=', moved.id).execute()
    expect(name).toMatchObject([{ oldCode: 'A01', nameState: 1 }])
  })

  it('lets one of two who confirm win', async () => {
    const { examId, staff, admin } = await scene()
    await plan(t, staff, examId, 'compute')
    await plan(t, staff, examId, 'save', { list: [decide('A01', 3), decide('B01', 1), decide('B02', 2)] })
    const rival = await signIn(t, { role: 'admin' })
    const answers = await Promise.all([plan(t, admin, examId, 'confirm'), plan(t, rival, examId, 'confirm')])
    expect(answers.map(one => one.code).sort()).toEqual([200, 23008])
    expect(await t.db.selectFrom('notice').selectAll().where('examId', '=', examId).execute()).toHaveLength(1)
  })
})

describe('out of time', () => {
  interface Line {
    examId: string
    block: string
  }
  const lines = async (who: Parameters<typeof get>[1]) => (await get<Line[]>(t, who, 'getReductionExams')).data
  const blockOf = async (who: Parameters<typeof get>[1], examId: string) =>
    (await get<{ block: string }>(t, who, `getPostReduction?examId=${examId}`)).data.block

  it('says at the first step that tickets are out, before anything is computed or decided', async () => {
    const { examId, staff, admin, people } = await scene()
    await plan(t, staff, examId, 'compute')
    const list = [decide('A01', 3, { basis: '未达开考比例' }), decide('B01', 1), decide('B02', 2)]
    const ticket = { examId, itemId: '77', signupId: people[2]!.id, ticketNo: `T${examId}`, ticketStatus: 0 } as const
    const { id } = await insert(t.app, Examinationticket, ticket)
    for (const [who, action] of [
      [staff, 'compute'],
      [staff, 'save'],
      [admin, 'confirm'],
    ] as const) {
      const answer = await plan(t, who, examId, action, action === 'save' ? { list } : {})
      expect([action, answer.code]).toEqual([action, 23006])
    }
    expect(await blockOf(staff, examId)).toBe('已编排准考证，不能调整岗位')
    await t.db.updateTable('examinationticket').set({ ticketStatus: 2 }).where('id', '=', id).execute()
    expect(await blockOf(staff, examId)).toBe('')
  })

  it('puts exams that can be reduced first, and says why the others cannot', async () => {
    const { examId, staff, exam } = await scene()
    const early = await makeCutExam(t, { signEndTime: shanghai('2026-12-30 09:00:00') })
    const closed = await makeCutExam(t, { examStatus: 2 })
    for (const one of [early, closed])
      await insert(t.app, Examuser, { examId: one.exam.id, userId: staff.userId, examRole: 1, enable: 1 })
    const found = await lines(staff)
    expect(found[0]).toEqual({ examId, examName: exam.examName, block: '' })
    expect(new Map(found.slice(1).map(one => [one.examId, one.block]))).toEqual(
      new Map([
        [early.exam.id, '报名2026-12-30 09:00:00截止，截止后才能处理岗位核减'],
        [closed.exam.id, '考试未发布或已关闭'],
      ]),
    )
    const english = { ...staff, headers: { ...staff.headers, 'accept-language': 'en' } }
    expect((await lines(english)).map(one => one.block)).toContain(
      'Sign-up ends at 2026-12-30 09:00:00; positions are reduced after that',
    )
  })

  it('refuses to cancel without a time for choosing when it is decided, not when it is confirmed', async () => {
    const { examId, staff } = await scene()
    await plan(t, staff, examId, 'compute')
    await at(t, reduceTimes.end)
    expect((await plan(t, staff, examId, 'save', { list: [decide('A01', 3)] })).code).toBe(21006)
    expect((await plan(t, staff, examId, 'save', { list: [decide('A01', 2, { afterNum: 1 })] })).code).not.toBe(21006)
  })
})

describe('the name list (P4)', () => {
  it('takes effective candidates on and off', async () => {
    const { examId, staff, admin, people } = await scene()
    const signupIds = people.slice(0, 3).map(one => one.id)
    await put(t, signupIds[2]!, { examine: 2 })
    const joined = await post<object>(t, staff, 'joinPostReductionNameList', { examId, signupIds })
    expect(joined.data).toMatchObject({ added: 2, skipped: [{ id: signupIds[2], reason: '当前状态不能执行该操作' }] })
    const again = await post(t, staff, 'joinPostReductionNameList', { signupId: signupIds[0] })
    expect(again).toMatchObject({ code: 200, data: { added: 0 } })
    expect((await post(t, admin, 'joinPostReductionNameList', { signupId: signupIds[0] })).code).toBe(23004)
    expect((await post(t, staff, 'removeNameList', { signupId: signupIds[0] })).code).toBe(200)
    expect((await post(t, staff, 'removeNameList', { signupId: signupIds[0] })).code).toBe(200)
    expect((await post(t, admin, 'removeNameList', { signupId: signupIds[0] })).code).toBe(23002)
    await put(t, signupIds[1]!, { reduceState: 2 })
    expect((await post(t, staff, 'removeNameList', { signupId: signupIds[1] })).code).toBe(23004)
    expect((await post(t, staff, 'joinPostReductionNameList', { signupId: signupIds[0] })).data).toMatchObject({
      added: 1,
    })
  })

  it('takes everybody of a position, and nobody who holds a ticket', async () => {
    const { examId, staff, people } = await scene()
    await insert(t.app, Examinationticket, { examId, signupId: people[2]!.id, ticketStatus: 0, itemId: '5' })
    expect((await post(t, staff, 'joinPostReductionNameList', { signupId: people[2]!.id })).code).toBe(23006)
    const joined = await post<object>(t, staff, 'joinPostReductionNameList', { examId, codes: ['B01'] })
    expect(joined.data).toMatchObject({ added: 2, skipped: [{ reason: '已编排准考证，不能调整岗位' }] })
    const byButton = `/api/blade-signup/signup/joinPostReductionNameList?ids=${people[0]!.id},${people[1]!.id}`
    const pressed = await t.call({ method: 'POST', url: byButton, headers: staff.headers })
    expect(pressed.data).toMatchObject({ added: 2, skipped: [] })
    await at(t, reduceTimes.end)
    expect((await post(t, staff, 'joinPostReductionNameList', { signupId: people[5]!.id })).code).toBe(23003)
  })
})

describe('several at once', () => {
  it('are taken off the list together or not at all, by whoever may', async () => {
    const { examId, staff, people } = await scene()
    const signupIds = people.slice(0, 3).map(one => one.id)
    await post(t, staff, 'joinPostReductionNameList', { examId, signupIds })
    const off = (who: typeof staff) =>
      t.call({
        method: 'POST',
        url: `/api/blade-signup/signup/removeNameList?ids=${signupIds.join()}`,
        headers: who.headers,
      })
    const stateOf = async () => (await states(examId)).filter(one => one !== 0).toSorted()
    await put(t, signupIds[2]!, { reduceState: 2 })
    expect((await off(staff)).code).toBe(23004)
    expect(await stateOf()).toEqual([1, 1, 2])
    await put(t, signupIds[2]!, { reduceState: 1 })
    const reader = await signIn(t, { permissions: ['signup', 'signup_view'] })
    expect((await off(reader)).code).toBe(403)
    expect((await off(await signIn(t, { permissions: ['signup_unlist'] }))).code).toBe(22010)
    expect((await off(staff)).code).toBe(200)
    expect(await stateOf()).toEqual([])
  })

  it('are reminded to choose: each once in ten minutes, and only who has not chosen', async () => {
    const { examId, staff, people } = await scene()
    const signupIds = people.slice(0, 3).map(one => one.id)
    await post(t, staff, 'joinPostReductionNameList', { examId, signupIds })
    const lines = await t.db
      .selectFrom('postreductionname')
      .select(['id', 'signupId'])
      .where('examId', '=', examId)
      .execute()
    const idOf = (signupId: string) => lines.find(one => one.signupId === signupId)!.id
    const remind = (of: readonly string[], who = staff) =>
      t.call({
        method: 'POST',
        url: `/api/blade-signup/postreductionname/remind?ids=${of.map(idOf).join()}`,
        headers: who.headers,
      })
    const noticesOf = async (userId: string) =>
      (
        await t.pool.query<{ content: string }>(
          `SELECT m.content FROM sendmessage m JOIN notice n ON n."sendId" = m."sendId" AND n."noticeStatus" = 1
            WHERE m."userId" = $1 AND m."msgStatus" = 2`,
          [userId],
        )
      ).rows.map(row => row.content)
    const userOf = async (id: string) =>
      (await t.db.selectFrom('signup').select('userId').where('id', '=', id).executeTakeFirstOrThrow()).userId

    const chosen = idOf(signupIds[2]!)
    await t.pool.query('UPDATE postreductionname SET "nameState" = 2 WHERE id = $1', [chosen])
    const both = await Promise.all([remind(signupIds), remind(signupIds)])
    expect(both.map(one => one.code).toSorted()).toEqual([200, 29006])
    expect(both.find(one => one.code === 200)?.data).toEqual({ changed: 2, total: 3 })
    for (const [at, id] of signupIds.entries()) {
      const told = await noticesOf(await userOf(id))
      expect(told).toHaveLength(at < 2 ? 1 : 0)
      if (at < 2) expect(told[0]).toMatch(/岗位须重新选择，您还没有选择。请在 2026-\d\d-\d\d \d\d:\d\d:\d\d 前/)
    }
    expect((await remind([signupIds[2]!])).code).toBe(23004)
    const stranger = await signIn(t, { permissions: ['postreductionname', 'postreductionname_remind'] })
    expect((await remind(signupIds, stranger)).code).toBe(29001)
    expect((await remind(signupIds, await signIn(t, { permissions: ['postreductionname'] }))).code).toBe(403)
    await at(t, reduceTimes.end)
    expect((await remind(signupIds)).code).toBe(23003)
  })
})
