import { RE2JS } from 're2js'

const compiled = new Map<string, RE2JS>()

function compile(pattern: string): RE2JS {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= 500) compiled.clear()
  const expression = RE2JS.compile(pattern)
  compiled.set(pattern, expression)
  return expression
}

/**
 * True when a pattern that a person wrote matches the whole text. RE2 takes time in proportion to the text, whatever
 * the pattern. Throws for a pattern {@link patternProblem} refuses.
 */
export const matches = (pattern: string, text: string): boolean => compile(pattern).matcher(text).matches()

/** Why a pattern cannot be used, or null: to be asked before it is stored. */
export function patternProblem(pattern: string): string | null {
  if (pattern.length > 255) return '校验正则不能超过255个字'
  try {
    compile(pattern)
    return null
  } catch {
    return '校验正则不正确（不支持回溯引用和环视）'
  }
}
