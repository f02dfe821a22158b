import { expense } from '#resources/workflow/expense'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { leave } from '#resources/workflow/leave'
import { rules } from '../../../crud/rules.ts'
import { expenseHooks } from './expense.ts'
import { flowDeploymentHooks } from './hooks.ts'
import { leaveHooks } from './leave-form.ts'

/** Rules of workflow models beyond their definition. */
export const workflowRules = [
  rules(flowDeployment, { hooks: flowDeploymentHooks }),
  rules(expense, { hooks: expenseHooks }),
  rules(leave, { hooks: leaveHooks }),
]
