import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Condition, type Entity, type Resource, readCall, tableOf } from '#engine'
import { resources, views } from '#resources'
import { workspaces } from '#resources/workspaces'
import { ExamStatus } from '#schemas/dictionaries'
import { Exampay } from '#schemas/payment/exampay'
import { Attach } from '#schemas/resource/attach'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { appoint, asCaller, makeDraft } from '../../../../tests/helper/exam-bench.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { passed } from '../../../../tests/helper/seat-bench.ts'

const screens = [...resources, ...views] as readonly Resource[]
const place = workspaces.find(one => one.name === 'examination')!

interface AnyAct {
  readonly call: `POST ${string}`
  readonly when?: Condition
  readonly still?: boolean
}

/** What the lists of an exam's workspace offer to do, by their names. */
const acts = place.pages
  .flatMap(page => ('list' in page ? screens.filter(one => one.name === page.list && !one.view) : []))
  .flatMap(list =>
    Object.entries(list.actions as unknown as Record<string, AnyAct>)
      // Taking a review back is of a duty, which the administrator has not.
      .filter(([name, { call }]) => call.startsWith('POST') && name !== 'revoke')
      .map(([name, act]) => [`${list.name}.${name}`, list, act] as const),
  )

let t: TestApp
let admin: Caller
let examId: string
let itemId: string
let signupId: string
let otherId: string
let fileId: string
beforeAll(async () => {
  t = await testApp({ now: '2027-03-01 09:00:00' })
  admin = await signIn(t, {
    role: 'administrator',
    permissions: ['signup_strike', 'signup_restore'],
  })
  const made = await makeDraft(t, { exam: { examStatus: ExamStatus.archived } })
  examId = made.exam.id
  itemId = made.stage.id
  signupId = (await passed(t, examId)).id
  otherId = (await makeDraft(t)).exam.id
  fileId = (await insert(t.app, Attach, { createUser: admin.userId })).id
  for (const one of [examId, otherId]) await appoint(t, one, admin)
  await insert(t.app, Exampay, { examId, itemId, payStatus: 1 })
})
afterAll(() => t.close())

/** A value that meets the condition of a field. */
function meeting(wanted: unknown): unknown {
  if (Array.isArray(wanted)) return wanted[0]
  if (!wanted || typeof wanted !== 'object') return wanted
  const { not } = wanted as { not?: unknown }
  return not === null ? 4 : not === 1 ? 0 : 1
}

const rows = new Map<string, string>()

/** The row of a list in the archived exam, which meets the condition of an act. */
async function rowFor({ entity: of }: Resource, { when = {} }: AnyAct): Promise<string> {
  const entity = of as Entity
  const known: Record<string, unknown> = { examId, itemId, signupId }
  const own = Object.fromEntries(Object.entries(known).filter(([name]) => name in entity.properties))
  if (!rows.has(entity.name)) {
    const there = { examinationitem: itemId, signup: signupId }[entity.name as string]
    const found =
      entity.name === 'exampay'
        ? (await t.pool.query(`SELECT id FROM exampay WHERE "examId" = $1`, [examId])).rows[0].id
        : undefined
    rows.set(entity.name, there ?? found ?? String(((await insert(t.app, entity, own as never)) as { id: string }).id))
  }
  const id = rows.get(entity.name)!
  for (const [field, wanted] of Object.entries(when))
    await t.pool.query(`UPDATE "${tableOf(entity.name)}" SET "${field}" = $2 WHERE id = $1`, [id, meeting(wanted)])
  return id
}

/** What some acts are sent besides the rows. */
const bodyOf = (name: string): object => {
  const stage = { itemId }
  const reason = { reason: '归档之后' }
  const bodies: Readonly<Record<string, object>> = {
    'examinationitem.recallTicket': reason,
    'examinationitem.beginWritten': { examId },
    'examinationitem.beginBoth': { examId },
    'examinationitem.recallResult': reason,
    'examsignfiles.beginUsual': { examId },
    'examuser.copy': { fromExamId: otherId, examId },
    'signup.strike': reason,
    'signup.restore': reason,
    'payrecord.exempt': { exemptReason: '退役军人', exemptFile: fileId },
    'payrecord.exemptMany': { exemptReason: '退役军人', exemptFile: fileId },
    'payrecord.offlinePay': { remark: '现金' },
    'examinationticket.void': reason,
    'examinationticket.reissue': reason,
    'ticketnotice.picFail': { picRemark: '不清晰' },
    'ticketnotice.remind': { examId, ...stage },
    'result.releaseResult': { ...stage, ...reason },
    'result.recallResult': { ...stage, ...reason },
    'result.deleteResult': { ...stage, ...reason },
    'resultappeal.uphold': { reply: '维持原成绩' },
    'resultappeal.correct': { reply: '更正', newScore: '60' },
    'publicity.back': reason,
    'publicity.withdraw': reason,
    'objection.refuse': reason,
    'objection.propose': { outcome: 4, answer: '属实' },
    'objection.revise': reason,
  }
  return bodies[name] ?? {}
}

/** What is refused before anybody looks whether the exam is archived, for a reason that an archived exam always has, or a file that is missing. */
const otherwise: Readonly<Record<string, number>> = {
  'examinationitem.releasePay': 29009,
  'exampay.releasePay': 21002,
  'signup.strike': 29009,
  'signup.restore': 21002,
  'signup.reduce': 23003,
  'signup.unlist': 23002,
  'postreductionname.remind': 23004,
  'payrecord.importExempt': 29005,
}

test.each(acts)('%s is offered in an archived exam (%#) only where the server takes it', async (name, list, act) => {
  const { path, fixed = {}, params } = readCall(act.call)
  const id = await rowFor(list, act)
  const ids = Object.fromEntries(params.filter(one => /^ids?$/.test(one)).map(one => [one, id]))
  const query = new URLSearchParams({ ...fixed, ...ids })
  const answer = await asCaller(t, admin).post(`${list.path}/${path}?${query}`, bodyOf(name))
  if (act.still) expect([403, 21011]).not.toContain(answer.code)
  else expect([answer.code, answer.msg]).toEqual([otherwise[name] ?? 21011, expect.anything()])
})
