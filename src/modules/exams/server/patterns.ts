import type { Items } from '#schemas/exams/items'
import type { Hooks } from '../../../crud/rules.ts'
import { patternProblem } from '../../../engine/pattern.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/**
 * A pattern that cannot be run would let everything through, so it is refused where it is written.
 * @throws input.invalid
 */
export function checkPattern(field: string, pattern: unknown): void {
  const msg = typeof pattern === 'string' && pattern !== '' ? patternProblem(pattern) : null
  if (msg) throw refuse('input.invalid', { 说明: msg }, [{ field, msg }])
}

/** The pattern among the rules of a field. */
export const ruleOf = (rules: unknown): unknown =>
  typeof rules === 'object' && rules !== null && 'regex' in rules ? rules.regex : undefined

/** Fields of the library: their pattern stands in a column of its own, or among their rules. */
export const libraryHooks: Hooks<typeof Items> = {
  async beforeSubmit(_ctx, given) {
    checkPattern('regex', given.regex)
    checkPattern('rules', ruleOf(given.rules))
  },
}
