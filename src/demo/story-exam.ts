import type { FastifyInstance } from 'fastify'
import { ReduceDecision, SureState } from '#schemas/dictionaries'
import { firstTenant } from '../platform/database/first-tenant.ts'
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
