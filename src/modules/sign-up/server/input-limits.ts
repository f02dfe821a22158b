import { refuse } from '../../../platform/http/server/refusal.ts'

/** Levels of objects and lists in what is sent, at most. */
const deepest = 20

/**
 * Refuses (input.invalid) what no form sends and no database keeps: NUL, half characters, objects nested without end.
 */
export function checkInputLimits(value: unknown, level = 0): void {
  if (level > deepest) throw refuse('input.invalid', { 说明: '内容层级过深' })
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw refuse('input.invalid', { 说明: '含有无法识别的字符' })
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, one] of Object.entries(value)) {
    checkInputLimits(name, level + 1)
    checkInputLimits(one, level + 1)
  }
}
