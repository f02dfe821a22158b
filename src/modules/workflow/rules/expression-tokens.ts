import { FlowProblem } from './problem.ts'

/** A sign, a value, or a word: a name with the prefix of a function where it has one, `vars:get`. */
export type Token =
  | { readonly sign: string }
  | { readonly literal: string | number }
  | { readonly word: string; readonly prefix?: string }

/** What cannot be understood. */
export const wrongExpression = (): FlowProblem => new FlowProblem('表达式不正确')

const letters = String.raw`[\p{L}_][\p{L}\p{N}_]*`
const token = new RegExp(
  [
    String.raw`\s*(?:(?<sign>&&|\|\||[=!]=|[<>]=?|[-+*/%!?:()[\].,])`,
    String.raw`(?<digits>\d{1,15}(?:\.\d{1,6})?)(?![\p{L}\p{N}_])`,
    String.raw`'(?<single>(?:[^'\\]|\\['"\\])*)'`,
    String.raw`"(?<double>(?:[^"\\]|\\['"\\])*)"`,
    // A prefix belongs to a call only, or the second half of `a ? b : c` would be one.
    `(?:(?<prefix>${letters}):(?=${letters}\\())?(?<word>${letters}))`,
  ].join('|'),
  'uy',
)

/**
 * Cuts the inside of an expression into its tokens.
 * @throws FlowProblem for what is none
 */
export function tokensOf(text: string): Token[] {
  const found: Token[] = []
  const source = text.trimEnd()
  token.lastIndex = 0
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const { sign, digits, single, double, prefix, word } = token.exec(source)?.groups ?? {}
    const quoted = single ?? double
    if (sign) found.push({ sign })
    else if (digits) found.push({ literal: Number(digits) })
    else if (quoted !== undefined) found.push({ literal: quoted.replace(/\\(.)/g, '$1') })
    else if (word) found.push({ word, ...(prefix && { prefix }) })
    else throw wrongExpression()
  }
  return found
}
