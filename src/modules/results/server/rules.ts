import { result } from '#resources/results/result'
import { resultappeal } from '#resources/results/resultappeal'
import { rules } from '../../../crud/rules.ts'
import { resultHooks } from './hooks.ts'

/** Rules of results beyond their definitions. */
export const resultRules = [
  rules(result, { routed: ['releaseResult', 'recallResult', 'deleteResult'], hooks: resultHooks }),
  rules(resultappeal, { routed: ['uphold', 'correct'] }),
]
