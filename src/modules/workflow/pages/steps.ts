import type { Step } from '../contract.ts'

/** A step of a drawing with where it stands: over, under way, or one that may come. */
export interface FlowStep {
  readonly id: string
  readonly state: 'done' | 'now' | 'ahead'
  readonly isLine: boolean
  /** The process that a step has called. */
  readonly child?: string | undefined
}

/** Where a step stands: `candidate` may come, without an end it is under way. */
export function stateOf({
  historyActivityType,
  endTime,
}: Pick<Step, 'historyActivityType' | 'endTime'>): FlowStep['state'] {
  if (historyActivityType === 'candidate') return 'ahead'
  return historyActivityType === 'sequenceFlow' || endTime ? 'done' : 'now'
}

/** The steps of a drawing. */
export const stepsOf = (
  flow: readonly Pick<Step, 'historyActivityId' | 'historyActivityType' | 'endTime' | 'calledProcessInstanceId'>[],
): FlowStep[] =>
  flow.map(one => ({
    id: one.historyActivityId,
    state: stateOf(one),
    isLine: one.historyActivityType === 'sequenceFlow',
    child: one.calledProcessInstanceId,
  }))

/** How much a state of a step counts beside others of the same step: somebody may have decided while others have not. */
const weight = { now: 2, done: 1, ahead: 0 } as const

/** Each step once: under way while any of its tasks is, what was sent back and is under way again is not over. */
export function lastOf(steps: readonly FlowStep[]): FlowStep[] {
  const found = new Map<string, FlowStep>()
  for (const step of steps) {
    const known = found.get(step.id)
    const isMore = !known || weight[step.state] >= weight[known.state]
    if (isMore) found.set(step.id, { ...step, child: step.child ?? known?.child })
  }
  return [...found.values()]
}

/** Steps that nobody takes: lines, forks, and what may come. */
const between = new Set(['sequenceFlow', 'exclusiveGateway', 'parallelGateway', 'inclusiveGateway', 'candidate'])

/** The steps that somebody took or has to take, as a reader wants them. */
export const taken = (flow: readonly Step[]): Step[] => flow.filter(one => !between.has(one.historyActivityType))
