import { examinationitem } from '#resources/exams/examinationitem'
import { result } from '#resources/results/result'
import { resultappeal } from '#resources/results/resultappeal'
import { rules } from '../../../crud/rules.ts'
import { stageHooks } from '../../exams/server/hooks.ts'
import { disableStage } from '../../exams/server/stage-use.ts'
import { resultHooks } from './hooks.ts'
import { stageActs } from './stage-acts.ts'
import { deriveMoves } from './stage-moves.ts'

/** Rules of stages, whose fees, tickets and results are released here, and of results. */
export const resultRules = [
  rules(examinationitem, {
    hooks: { ...stageHooks, derive: deriveMoves },
    handlers: { ...stageActs, disable: disableStage },
  }),
  rules(result, { routed: ['releaseResult', 'recallResult', 'deleteResult'], hooks: resultHooks }),
  rules(resultappeal, { routed: ['uphold', 'correct'] }),
]
