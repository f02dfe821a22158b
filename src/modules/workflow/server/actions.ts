import type { ActionCall } from '../rules/flow-graph.ts'
import { FlowProblem } from '../rules/problem.ts'
import { templateValue } from '../rules/template.ts'
import type { Value, Variables } from '../rules/value.ts'
import type { FlowAction } from './action.ts'
import { businessActions } from './business-actions.ts'
import { copyAction } from './copies.ts'
import { httpAction } from './http-action.ts'
import { noticeAction } from './notice-action.ts'
import { variableAction } from './variable-action.ts'

/** Every action that models may name. */
export const flowActions: readonly FlowAction[] = [
  noticeAction,
  copyAction,
  variableAction,
  httpAction,
  ...businessActions,
]

/** An action by its name. @throws FlowProblem for one that is not there any more */
export function actionOf(name: string): FlowAction {
  const found = flowActions.find(one => one.name === name)
  if (!found) throw new FlowProblem(`没有名为${name}的动作`)
  return found
}

/** What an action is given. */
export const filledFields = (call: ActionCall, variables: Variables): Readonly<Record<string, Value>> =>
  actionOf(call.name).fill?.(call, variables) ??
  Object.fromEntries(Object.entries(call.fields).map(([name, template]) => [name, templateValue(template, variables)]))
