import { wrongInput } from '../../../crud/input.ts'
import type { Hooks } from '../../../crud/rule-types.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readBpmn } from '../rules/bpmn.ts'
import { aboutModel } from './deploy.ts'

/**
 * Rules of workflow models: safe XML, called as it calls itself, one version more at each save; one that is deployed is not
 * removed. Whether it can be carried out is asked when it is deployed, so that it may be drawn in several sittings.
 */
export const flowDeploymentHooks: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    const row = { ...before, ...values }
    const { processId } = await aboutModel('xml', () => readBpmn(String(row.xml ?? '')))
    if (row.modelKey !== processId)
      throw wrongInput([{ field: 'modelKey', msg: `模型标识应与流程定义中的编号一致：${processId}` }])
    return { ...values, version: before ? Number(before.version) + 1 : 1 }
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.deployTime)) throw refuse(29003)
  },
}
