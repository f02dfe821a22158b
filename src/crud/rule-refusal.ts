import { type Entity, fieldOf, missingMessage } from '#engine'
import { entities } from '#schemas'
import { type Refusal, refuse } from '../platform/http/server/refusal.ts'
import type { FieldProblem } from '../platform/http/server/validation.ts'
import { rulesOf } from './constraints.ts'
import { wrongInput } from './input.ts'
import { entityOfTable } from './lookup.ts'

/** What PostgreSQL says about a statement that a rule has stopped. */
interface RuleError {
  code?: string
  table?: string
  column?: string
  constraint?: string
  detail?: string
}

function problemOf(entity: Entity, { code, column, constraint }: RuleError): FieldProblem | undefined {
  const rule = rulesOf(entity, entities)[constraint ?? '']
  const name = code === '23502' ? column : rule?.column
  const field = name === undefined ? undefined : fieldOf(entity, name)
  if (!name || !field) return undefined
  const says: Readonly<Record<string, string>> = {
    '23502': missingMessage(field),
    '23503': `${field.title}不存在，请重新选择`,
    '23514':
      rule?.kind === 'asked'
        ? missingMessage(field)
        : field.enum
          ? `${field.title}取值不正确，请重新选择`
          : `${field.title}超出范围`,
  }
  return { field: name, msg: says[code ?? ''] ?? '' }
}

/**
 * The refusal of a write that a rule of a table has stopped: a value that is missing, not among the choices or out of its
 * limits, or a reference to a row that is not there. Undefined for any other error.
 */
export function ruleRefusal(error: unknown): Refusal | undefined {
  const told = (error ?? {}) as RuleError
  if (!told.table || !['23502', '23503', '23514'].includes(told.code ?? '')) return undefined
  const entity = entityOfTable(told.table)
  const problem = entity && problemOf(entity, told)
  if (!problem) return undefined
  // The same error stands for removing what others refer to.
  if (told.code === '23503' && told.detail?.includes('still referenced')) return refuse('row.inUse')
  return wrongInput([problem])
}
