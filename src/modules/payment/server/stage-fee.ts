import { examinationitem } from '#resources/exams/examinationitem'
import { type ActionContext, handler } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { stageForDuty } from '../../exams/server/stage-use.ts'
import { payContext } from './context.ts'
import { deletePay, releasePay, settingOf } from './fee.ts'

const feeId = async (ctx: ActionContext): Promise<string> =>
  (await settingOf(liveAs(ctx.app, ctx.person), await stageForDuty(ctx, 'exampay'))).id

/** The release of a fee from the list of stages: each action does what the page of fees does. */
export const stageFeeRules = [
  handler(examinationitem, 'releasePay', async ctx => releasePay(payContext(ctx.app), ctx.person, await feeId(ctx))),
  handler(examinationitem, 'recallPay', async ctx => deletePay(payContext(ctx.app), ctx.person, await feeId(ctx))),
]
