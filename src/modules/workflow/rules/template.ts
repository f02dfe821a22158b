import { type Expression, evaluate, readExpression, type Value, type Variables, variablesOf } from './expression.ts'
import { wrongExpression } from './expression-tokens.ts'
import { textOf } from './value.ts'

/** A text with expressions inside, in the order in which they stand. */
export type Template = readonly (string | Expression)[]

/** An expression inside a text; braces in its quoted texts belong to it. */
const inside = /[$#]\{(?:[^{}'"]|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*")*\}/g
const begins = /[$#]\{/

/**
 * Reads a text that has expressions inside, `申请人：${name}`.
 * @throws FlowProblem for an expression that is not well-formed
 */
export function readTemplate(text: string): Template {
  const found: (string | Expression)[] = []
  let at = 0
  const addText = (part: string) => {
    if (begins.test(part)) throw wrongExpression()
    if (part !== '') found.push(part)
  }
  for (const match of text.matchAll(inside)) {
    addText(text.slice(at, match.index))
    found.push(readExpression(match[0]))
    at = match.index + match[0].length
  }
  addText(text.slice(at))
  return found
}

/**
 * Fills in the expressions of a text.
 * @param write how a value is written; without it as `textOf` does
 * @throws FlowProblem as `evaluate`
 */
export const fillTemplate = (
  template: Template,
  variables: Variables,
  write: (value: Value) => string = textOf,
): string => template.map(part => (typeof part === 'string' ? part : write(evaluate(part, variables)))).join('')

/**
 * The value of a text: that of its expression where it is nothing else, else the text filled in.
 * @throws FlowProblem as `evaluate`
 */
export function templateValue(template: Template, variables: Variables): Value {
  const [only, ...more] = template
  return only !== undefined && typeof only !== 'string' && more.length === 0
    ? evaluate(only, variables)
    : fillTemplate(template, variables)
}

/** A text without expressions as it is; null where it has any. */
export function literalOf(template: Template): string | null {
  const texts = template.filter(part => typeof part === 'string')
  return texts.length === template.length ? texts.join('') : null
}

/** Names of the variables that a text reads, each once. */
export const templateVariables = (template: Template): string[] => [
  ...new Set(template.flatMap(part => (typeof part === 'string' ? [] : variablesOf(part)))),
]
