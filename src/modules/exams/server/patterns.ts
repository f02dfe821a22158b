import type { Hooks, Values } from '../../../crud/rule-types.ts'
import { patternProblem } from '../../../engine/pattern.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** A pattern that cannot be run would let everything through, so it is refused where it is written. @throws 29005 */
function checkPattern(field: string, pattern: unknown): void {
  const msg = typeof pattern === 'string' && pattern !== '' ? patternProblem(pattern) : null
  if (msg) throw refuse(29005, { 说明: msg }, [{ field, msg }])
}

const ruleOf = (rules: unknown): unknown =>
  typeof rules === 'object' && rules !== null ? (rules as Values).regex : undefined

/** Fields of the library: their pattern stands in a column of its own, or among their rules. */
export const libraryHooks: Hooks = {
  async beforeSubmit(_ctx, values) {
    checkPattern('regex', values.regex)
    checkPattern('rules', ruleOf(values.rules))
    return values
  },
}

/** Rules of an exam's field, after those about its pattern. */
export const withPattern = (hooks: Hooks): Hooks => ({
  ...hooks,
  async beforeSubmit(ctx, values, before) {
    checkPattern('rules', ruleOf(values.rules))
    return hooks.beforeSubmit ? hooks.beforeSubmit(ctx, values, before) : values
  },
})
