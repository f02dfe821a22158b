import type { AnswerOf } from '#engine'
import type { copies, Definition, Run } from '../contract.ts'

type Copy = AnswerOf<typeof copies>['records'][number]

/** One line of a list of processes, runs or tasks: each list has some of these values. */
export type FlowRow = Pick<Run & Definition, 'processDefinitionName' | 'category'> &
  Partial<Run & Definition & Pick<Copy, 'readTime'>>
