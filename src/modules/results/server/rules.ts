import { result } from '#resources/results/result'
import { resultappeal } from '#resources/results/resultappeal'
import { rules } from '../../../crud/rules.ts'
import { resultHooks } from './hooks.ts'
import { stageRules } from './stage-acts.ts'

/** Rules of results, and what stages have from them. */
export const resultRules = [
  ...stageRules,
  rules(result, { routed: ['releaseResult', 'recallResult', 'deleteResult'], hooks: resultHooks }),
  rules(resultappeal, { routed: ['uphold', 'correct'] }),
]
