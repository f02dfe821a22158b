import type { Step } from '../contract.ts'

/** A step of a drawing with where it stands: over, under way, or one that may come. */
export interface FlowStep {
  readonly id: string
  readonly state: 'done' | 'now' | 'ahead'
  readonly isLine: boolean
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
  flow: readonly Pick<Step, 'historyActivityId' | 'historyActivityType' | 'endTime'>[],
): FlowStep[] =>
  flow.map(one => ({
    id: one.historyActivityId,
    state: stateOf(one),
    isLine: one.historyActivityType === 'sequenceFlow',
  }))

/** Each step once, as it stands last: what was sent back and is under way again is not over. */
export const lastOf = (steps: readonly FlowStep[]): FlowStep[] => [...new Map(steps.map(one => [one.id, one])).values()]

/** Steps that nobody takes: lines, forks, and what may come. */
const between = new Set(['sequenceFlow', 'exclusiveGateway', 'candidate'])

/** The steps that somebody took or has to take, as a reader wants them. */
export const taken = (flow: readonly Step[]): Step[] => flow.filter(one => !between.has(one.historyActivityType))
