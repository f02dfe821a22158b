import { examinationitem } from '#resources/exams/examinationitem'
import { type ActionContext, derived, handler } from '../../../crud/rules.ts'
import { stageForDuty } from '../../exams/server/stage-use.ts'
import { recallResult, releaseResult } from './release.ts'
import { deriveMoves } from './stage-moves.ts'

const reason = ({ values }: ActionContext<{ reason?: string | null | undefined }>): string =>
  (values.reason ?? '').trim()
const actorOf = ({ person, now }: Pick<ActionContext, 'person' | 'now'>) => ({ userId: person.userId, now })

/** What the list of stages has from results: their release and recall, and what can be done next with each side of a stage. */
export const stageRules = [
  handler(examinationitem, 'releaseResult', async ctx =>
    releaseResult(ctx.db, await stageForDuty(ctx, 'result'), actorOf(ctx), reason(ctx)),
  ),
  handler(examinationitem, 'recallResult', async ctx => ({
    num: await recallResult(ctx.db, await stageForDuty(ctx, 'result'), actorOf(ctx), reason(ctx)),
  })),
  derived(examinationitem, { derive: deriveMoves }),
]
