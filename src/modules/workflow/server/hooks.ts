import type { FlowDeployment } from '#schemas/workflow/flow-deployment'
import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rules.ts'
import { readBpmn } from '../rules/bpmn.ts'
import { aboutModel } from './deploy.ts'

/**
 * Rules of workflow models: safe XML, called as it calls itself, one version more at each save. Whether it can be carried out is asked when it is deployed, so that it may be drawn in several sittings.
 */
export const flowDeploymentHooks: Hooks<typeof FlowDeployment> = {
  async beforeSubmit({ set }, given, before) {
    const row = { ...before, ...given }
    const { processId } = await aboutModel('xml', () => readBpmn(row.xml ?? ''))
    if (row.modelKey !== processId)
      throw wrongInput([{ field: 'modelKey', msg: `模型标识应与流程定义中的编号一致：${processId}` }])
    set({ version: (before?.version ?? 0) + 1 })
  },
}
