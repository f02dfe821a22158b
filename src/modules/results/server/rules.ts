import { result } from '#resources/results/result'
import { rules } from '../../../crud/rules.ts'
import { appealRules } from './appeal.ts'
import { resultHooks } from './hooks.ts'
import { promotionRules } from './promote.ts'
import { shortlistRules } from './shortlist.ts'
import { stageRules } from './stage-acts.ts'

/** Rules of results, appeals against them, and what stages have from them. */
export const resultRules = [
  ...stageRules,
  ...appealRules,
  ...shortlistRules,
  ...promotionRules,
  rules(result, { routed: ['releaseResult', 'recallResult', 'deleteResult'], hooks: resultHooks }),
]
