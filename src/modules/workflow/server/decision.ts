import type { BodyOf } from '#engine'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { completeTask } from '../contract.ts'
import type { Decision } from './tasks.ts'

type Body = BodyOf<typeof completeTask>

const yes = ['true', '1', 'ok']
const no = ['false', '0', 'no']

function passOf({ pass, flag }: Body): boolean {
  const word = String(pass ?? flag ?? '').toLowerCase()
  if (yes.includes(word)) return true
  if (no.includes(word)) return false
  throw refuse('input.invalid', { 说明: '请选择是否同意' })
}

/**
 * Reads a decision in any of the ways clients word it.
 * @throws input.invalid when it does not say whether the task is agreed to
 */
export function readDecision(body: Body): Decision {
  const { taskId, processInstanceId, copyUsers = [] } = body
  const comment = (body.comment ?? '').trim()
  const { variables = {} } = body
  return { taskId, processInstanceId, pass: passOf(body), comment, variables, copyUsers }
}
