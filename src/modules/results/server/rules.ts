import { examinationitem } from '#resources/exams/examinationitem'
import { result } from '#resources/results/result'
import { resultappeal } from '#resources/results/resultappeal'
import { guard, rules } from '../../../crud/rules.ts'
import { stageHooks } from '../../exams/server/hooks.ts'
import { checkUnused } from '../../exams/server/stage-use.ts'
import { resultHooks } from './hooks.ts'
import { stageActs } from './stage-acts.ts'
import { deriveMoves } from './stage-moves.ts'

/** Rules of stages, whose fees, tickets and results are released here, and of results. */
export const resultRules = [
  rules(examinationitem, {
    hooks: { ...stageHooks, derive: deriveMoves },
    handlers: stageActs,
  }),
  guard(examinationitem, 'disable', async ({ trx, rows }) => {
    for (const stage of rows) await checkUnused(trx, stage)
  }),
  rules(result, { routed: ['releaseResult', 'recallResult', 'deleteResult'], hooks: resultHooks }),
  rules(resultappeal, { routed: ['uphold', 'correct'] }),
]
