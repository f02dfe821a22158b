import type { FlowDeployment } from '#schemas/workflow/flow-deployment'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readBpmn } from '../rules/bpmn.ts'
import { aboutModel } from './deploy.ts'

/**
 * Rules of workflow models: safe XML, called as it calls itself, one version more at each save. Whether it can be carried out is
 * asked when it is deployed, so that it may be drawn in several sittings. Whoever says which version was changed overwrites no other.
 */
export const flowDeploymentHooks: Hooks<typeof FlowDeployment> = {
  async beforeSubmit({ set, request }, given, before) {
    const { version } = (request.body ?? {}) as { version?: number | string }
    const isGiven = version !== undefined && version !== ''
    // The row is locked by now.
    if (before && isGiven && Number(version) !== (before.version ?? 0)) throw refuse('row.changed')
    const row = { ...before, ...given }
    const { processId } = await aboutModel('xml', () => readBpmn(row.xml ?? ''))
    if (row.modelKey !== processId)
      throw wrongInput([{ field: 'modelKey', msg: `模型标识应与流程定义中的编号一致：${processId}` }])
    set({ version: (before?.version ?? 0) + 1 })
  },
}
