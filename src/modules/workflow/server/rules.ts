import { flowDeployment } from '#resources/workflow/flow-deployment'
import { rules } from '../../../crud/rules.ts'
import { flowDeploymentHooks } from './hooks.ts'

/** Rules of workflow models beyond their definition. */
export const workflowRules = [rules(flowDeployment, { hooks: flowDeploymentHooks })]
