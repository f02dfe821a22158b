import type { BodyOf } from '#engine'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { completeTask } from '../contract.ts'
import type { Scalar } from '../rules/expression.ts'
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

const isScalar = (value: unknown): value is Scalar =>
  value === null ||
  typeof value === 'boolean' ||
  Number.isFinite(value) ||
  (typeof value === 'string' && value.length <= 500)

function variablesOf(given: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const found = Object.entries(given)
  const isRight =
    found.length <= 50 && found.every(([name, value]) => /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(name) && isScalar(value))
  if (!isRight || JSON.stringify(given).includes('\\u0000')) throw refuse('input.invalid', { 说明: '流程变量不正确' })
  return Object.fromEntries(found)
}

/**
 * Reads a decision in any of the ways clients word it.
 * @throws input.invalid when it does not say whether the task is agreed to, or variables are more than plain values
 */
export function readDecision(body: Body): Decision {
  const { taskId, processInstanceId, copyUsers = [] } = body
  const comment = (body.comment ?? '').trim()
  const variables = variablesOf(body.variables)
  return { taskId, processInstanceId, pass: passOf(body), comment, variables, copyUsers }
}
