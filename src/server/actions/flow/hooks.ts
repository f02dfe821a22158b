import { wrongInput } from '../../crud/input.ts'
import { BpmnProblem, readBpmn } from '../../domain/bpmn.ts'
import type { Hooks } from '../types.ts'

const wrong = (field: string, msg: string) => wrongInput([{ field, msg }])

/** Reads a model as the server accepts it. @throws 29005 in the words of the problem */
export function checkModel(xml: string, field = 'xml') {
  try {
    return readBpmn(xml)
  } catch (error) {
    throw error instanceof BpmnProblem ? wrong(field, error.message) : error
  }
}

/** Rules of workflow models: safe XML, called as it calls itself, one version more at each save. */
export const flowDeploymentHooks: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    const row = { ...before, ...values }
    const { processId } = checkModel(String(row.xml ?? ''))
    if (row.modelKey !== processId) throw wrong('modelKey', `模型标识应与流程定义中的编号一致：${processId}`)
    return { ...values, version: before ? Number(before.version) + 1 : 1 }
  },
}
