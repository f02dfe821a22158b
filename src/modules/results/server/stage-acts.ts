import type { HandledBy } from '#engine'
import type { examinationitem } from '#resources/exams/examinationitem'
import type { ActionContext, HandlerOf } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from '../../payment/server/context.ts'
import { deletePay, releasePay, settingOf } from '../../payment/server/release.ts'
import { recallResult, releaseResult } from './release.ts'

/** The stage of a call, if the caller's duty in its exam counts for what is moved. @throws row.notFound */
async function stageId({ app, person, ids }: ActionContext, table: 'exampay' | 'result') {
  const found = await scoped(app, person, 'examinationitem')
    .select('id')
    .where('id', 'in', [...ids])
    .where(hasDuty(app, person, table, 'examinationitem.examId', 'change'))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return found.id
}

const feeId = async (ctx: ActionContext) => (await settingOf(ctx.app.db, await stageId(ctx, 'exampay'))).id
const reason = ({ values }: ActionContext<{ reason?: string | null | undefined }>): string =>
  (values.reason ?? '').trim()
const mover = ({ person, now }: ActionContext) => ({ userId: person.userId, now })

/** Moves of a stage from its list; each does what the page of its side does. */
export const stageActs = {
  releasePay: async ctx => releasePay(payContext(ctx.app), ctx.person, await feeId(ctx)),
  recallPay: async ctx => deletePay(payContext(ctx.app), ctx.person, await feeId(ctx)),
  releaseResult: async ctx => releaseResult(ctx.app.db, await stageId(ctx, 'result'), mover(ctx), reason(ctx)),
  recallResult: async ctx => ({
    num: await recallResult(ctx.app.db, await stageId(ctx, 'result'), mover(ctx), reason(ctx)),
  }),
} satisfies { [K in HandledBy<typeof examinationitem>]?: HandlerOf<typeof examinationitem, K> }
