import { braced } from './braced.ts'

/** Signs by which a variable is compared with a value. */
export const signs = ['==', '!=', '>', '>=', '<', '<='] as const
type Sign = (typeof signs)[number]

/** When a line is taken, as the panel asks for it. */
export type Condition =
  | { readonly by: 'always' }
  | { readonly by: 'pass'; readonly pass: boolean }
  | { readonly by: 'compare'; readonly variable: string; readonly sign: Sign; readonly value: string }
  | { readonly by: 'empty'; readonly variable: string; readonly isEmpty: boolean }
  | { readonly by: 'text'; readonly text: string }

const inside = /^\s*[$#]\{([\s\S]*)\}\s*$/
const name = '[A-Za-z_]\\w{0,63}'
const compared = new RegExp(
  `^(${name})\\s*(==|!=|>=|<=|>|<)\\s*(-?\\d+(?:\\.\\d+)?|true|false|'[^'"\\\\]*'|"[^'"\\\\]*")$`,
)
const emptiness = new RegExp(`^(!|not\\s)?\\s*\\(?\\s*empty\\s+(${name})\\s*\\)?$`)

const bare = (value: string): string => value.replace(/^(['"])(.*)\1$/s, '$2')

/** The condition that stands at a line. */
export function readCondition(text: string | undefined): Condition {
  if (!text?.trim()) return { by: 'always' }
  const body = inside.exec(text)?.[1]?.trim() ?? ''
  if (body === 'pass') return { by: 'pass', pass: true }
  if (/^(?:!\s*pass|not\s+pass|pass\s*==\s*false)$/.test(body)) return { by: 'pass', pass: false }
  const [, variable, sign, value] = compared.exec(body) ?? []
  if (variable && sign && value !== undefined && isSimple(value))
    return { by: 'compare', variable, sign: sign as Sign, value: bare(value) }
  const [whole, not, of] = emptiness.exec(body) ?? []
  if (whole && of) return { by: 'empty', variable: of, isEmpty: !not }
  return { by: 'text', text }
}

/** Whether a value would be written again as it was read: the text '5' is none, it would become the number. */
const isSimple = (value: string): boolean => literal(bare(value)).replaceAll('"', "'") === value.replaceAll('"', "'")

/** A value as an expression: numbers and truth stand bare, everything else is a text. */
function literal(value: string): string {
  if (/^-?\d+(?:\.\d+)?$/.test(value) || value === 'true' || value === 'false') return value
  return `'${value.replace(/['"\\]/g, '')}'`
}

/** The text for a condition; undefined where a line is always taken. */
export function writeCondition(condition: Condition): string | undefined {
  switch (condition.by) {
    case 'always':
      return undefined
    case 'pass':
      return condition.pass ? braced('pass') : braced('!pass')
    case 'compare':
      return braced(`${condition.variable} ${condition.sign} ${literal(condition.value)}`)
    case 'empty':
      return condition.isEmpty ? braced(`empty ${condition.variable}`) : braced(`!(empty ${condition.variable})`)
    case 'text':
      return condition.text.trim() || undefined
  }
}
