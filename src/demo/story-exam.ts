import type { FastifyInstance } from 'fastify'
import { ReduceDecision, SureState } from '#schemas/dictionaries'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveIn } from '../platform/http/server/live.ts'
import { wireTime } from '../platform/http/server/wire.ts'
import { actAs } from './caller.ts'

/** What the plan of a reduction says of a position. */
interface Proposed {
  code: string
  beforeNum: number
  afterNum: number
}

const decisionOf = ({ beforeNum, afterNum }: Proposed): number => {
  if (afterNum >= beforeNum) return ReduceDecision.keep
  return afterNum > 0 ? ReduceDecision.reduce : ReduceDecision.cancel
}

const planCall = '/blade-signup/signup/savePostReductionInfoByExamId'

/** Exams of the demonstration whose positions are reduced, by the beginning of their codes. */
const examsOf = async (app: FastifyInstance, code: string): Promise<string> => {
  const { id } = await app.db
    .selectFrom('examination')
    .select('id')
    .where('tenantId', '=', firstTenant)
    .where('examCode', 'like', `${code}%`)
    .executeTakeFirstOrThrow()
  return id
}

/** Computes and decides as the rule proposes, by the exam administrator. */
async function decide(app: FastifyInstance, examId: string): Promise<void> {
  await actAs(app, 'kaowu', async ({ post }) => {
    const { positions } = await post<{ positions: Proposed[] }>(planCall, { examId, action: 'compute' })
    const list = positions.map(one => ({
      code: one.code,
      decision: decisionOf(one),
      afterNum: one.afterNum,
      basis: '报名人数未达开考比例，公告第五条',
    }))
    await post(planCall, { examId, action: 'save', list })
  })
}

/** One exam whose reduction was confirmed, so that its people choose again, and one that waits for the second person. */
export async function playReductions(app: FastifyInstance): Promise<void> {
  const [chosen, waiting] = [await examsOf(app, 'JC'), await examsOf(app, 'JK')]
  await decide(app, chosen)
  await actAs(app, 'jigou', ({ post }) => post(planCall, { examId: chosen, action: 'confirm' }))
  await decide(app, waiting)
}

/** Some candidates who have confirmed the notice have fetched their ticket. */
export async function playTickets(app: FastifyInstance): Promise<void> {
  const tickets = await app.db
    .selectFrom('examinationticket as t')
    .innerJoin('user as u', 'u.id', 't.userId')
    .innerJoin('notifyread as n', 'n.userId', 't.userId')
    .select(['t.itemId', 'u.account'])
    .where('t.tenantId', '=', firstTenant)
    .where('u.account', '<>', 'kaosheng')
    .where('n.sureState', '=', SureState.confirmed)
    .orderBy('t.id')
    .limit(3)
    .execute()
  for (const { itemId, account } of tickets)
    await actAs(app, account, ({ post }) => post('/blade-ticketNotice/ticketnotice/saveTicketDownInfo', { itemId }))
}

/** Days within which the shortlist is confirmed. */
const confirmDays = 14

/** Positions of the published shortlist that somebody equals or follows, each with the last on it. */
const lastOfPositions = (app: FastifyInstance) =>
  liveIn(app, firstTenant)
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('user as u', 'u.id', 's.userId')
    .distinctOn('r.code')
    .select(['r.itemId', 'r.code', 'u.account'])
    .where('r.isNext', '=', 1)
    .where('u.account', '<>', 'kaosheng')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('result as w')
          .select('w.id')
          .whereRef('w.itemId', '=', 'r.itemId')
          .whereRef('w.code', '=', 'r.code')
          .where('w.isNext', '=', 0)
          .where('w.isPass', '=', 1),
      ),
    )
    .orderBy('r.code')
    .orderBy('r.rankNo', 'desc')
    .execute()

interface Next {
  next: { signupId: string }[]
  until: string
}

/** Whether somebody is on the shortlist of a stage. */
const isListed = async (app: FastifyInstance, itemId: string, account: string): Promise<boolean> => {
  const row = await liveIn(app, firstTenant)
    .selectFrom('result as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .innerJoin('user as u', 'u.id', 's.userId')
    .select('r.id')
    .where('r.itemId', '=', itemId)
    .where('r.isNext', '=', 1)
    .where('u.account', '=', account)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Two candidates decline their places on the shortlist: for one place the next is asked for and waits for a second person, one is free.
 * The candidate of the demonstration has confirmed where there was something to confirm.
 */
export async function playShortlist(app: FastifyInstance): Promise<void> {
  const [first, second] = await lastOfPositions(app)
  if (!first) return
  const { itemId } = first
  const confirmEndTime = wireTime(new Date(app.now().getTime() + confirmDays * 86_400_000))
  await actAs(app, 'kaowu', ({ post }) => post('/blade-item/examinationitem/submit', { id: itemId, confirmEndTime }))
  for (const { account } of second ? [first, second] : [first])
    await actAs(app, account, ({ post }) => post('/blade-signup/signup/confirm', { itemId, yes: false }))
  if (await isListed(app, itemId, 'kaosheng'))
    await actAs(app, 'kaosheng', ({ post }) => post('/blade-signup/signup/confirm', { itemId, yes: true }))
  await actAs(app, 'kaowu', async ({ get, post }) => {
    const { records } = await get<{ records: { code: string }[] }>('/blade-result/promotion/vacancies?size=1')
    const code = records[0]?.code
    // Nobody is next where the one who declined equalled another.
    if (!code) return
    const { next, until } = await get<Next>(`/blade-result/promotion/preview?itemId=${itemId}&code=${code}`)
    const signupIds = next.map(one => one.signupId)
    await post('/blade-result/promotion/ask', {
      itemId,
      code,
      signupIds,
      until,
      reason: '入围人员放弃，按成绩依次递补',
    })
  })
}
