import type { Copy, Definition, Run } from '../contract.ts'

/** One line of a list of processes, runs or tasks: each list has some of these values. */
export type FlowRow = Pick<Run & Definition, 'processDefinitionName' | 'category'> &
  Partial<Run & Definition & Pick<Copy, 'copyId' | 'readTime'>>
