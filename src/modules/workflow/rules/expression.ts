import { FlowProblem } from './problem.ts'

/** What a variable of a process can be. */
export type Scalar = string | number | boolean | null
/** Variables by name. */
export type Variables = Readonly<Record<string, Scalar>>

const signs = ['==', '!=', '<', '<=', '>', '>='] as const
type Sign = (typeof signs)[number]

/** A condition as data, so that it can be kept beside the model and calculated without reading it again. */
export type Expression =
  | { readonly value: Scalar }
  | { readonly name: string }
  | { readonly not: Expression }
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly sign: Sign; readonly left: Expression; readonly right: Expression }

const longest = 500
const words: Readonly<Record<string, Scalar>> = { true: true, false: false, null: null }
const token = /\s*(?:(&&|\|\||[=!]=|[<>]=?|[!()])|(\d{1,15}(?:\.\d{1,6})?)|'([^']*)'|"([^"]*)"|([A-Za-z_]\w*))/y

interface Token {
  sign?: string | undefined
  value?: Scalar
  name?: string | undefined
}

const wrong = () => new FlowProblem('条件不正确')

function tokensOf(text: string): Token[] {
  const found: Token[] = []
  const source = text.trimEnd()
  token.lastIndex = 0
  for (let at = 0; at < source.length; at = token.lastIndex) {
    const [, sign, digits, single, double, name] = token.exec(source) ?? []
    const quoted = single ?? double
    if (sign) found.push({ sign })
    else if (digits) found.push({ value: Number(digits) })
    else if (quoted !== undefined) found.push({ value: quoted })
    else if (name) found.push(Object.hasOwn(words, name) ? { value: words[name] ?? null } : { name })
    else throw wrong()
  }
  return found
}

/** Reads tokens from left to right; what binds closer is read deeper. */
class Reader {
  private at = 0
  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const found = this.any()
    if (this.at < this.tokens.length) throw wrong()
    return found
  }

  private take(...wanted: readonly string[]): string | undefined {
    const sign = this.tokens[this.at]?.sign
    if (sign === undefined || !wanted.includes(sign)) return undefined
    this.at += 1
    return sign
  }

  private any(): Expression {
    const of = [this.all()]
    while (this.take('||')) of.push(this.all())
    return of.length === 1 ? (of[0] as Expression) : { any: of }
  }

  private all(): Expression {
    const of = [this.comparison()]
    while (this.take('&&')) of.push(this.comparison())
    return of.length === 1 ? (of[0] as Expression) : { all: of }
  }

  private comparison(): Expression {
    const left = this.one()
    const sign = this.take(...signs) as Sign | undefined
    return sign ? { sign, left, right: this.one() } : left
  }

  private one(): Expression {
    if (this.take('!')) return { not: this.one() }
    if (this.take('(')) {
      const inside = this.any()
      if (!this.take(')')) throw wrong()
      return inside
    }
    const next = this.tokens[this.at++]
    if (next?.name !== undefined) return { name: next.name }
    if (next?.value !== undefined) return { value: next.value }
    throw wrong()
  }
}

/**
 * Reads a condition such as `${pass && days > 3}`: names of variables, numbers, quoted texts, `true`, `false`, `null`, compared
 * with `== != < <= > >=` and joined with `&& || !` and brackets. Nothing can be called, so nothing can run.
 * @throws FlowProblem
 */
export function readExpression(text: string): Expression {
  const inside = /^\s*[$#]\{([^{}]*)\}\s*$/.exec(text)?.[1]
  if (inside === undefined || inside.length > longest) throw wrong()
  return new Reader(tokensOf(inside)).whole()
}

const numberOf = (value: Scalar): number =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '') ? Number(value) : Number.NaN

/** Less than, equal or greater as a number below, at or above 0; NaN for what cannot be put into order. */
function order(left: Scalar, right: Scalar): number {
  const [one, other] = [numberOf(left), numberOf(right)]
  if (!Number.isNaN(one) && !Number.isNaN(other)) return one - other
  if (typeof left !== 'string' || typeof right !== 'string') return Number.NaN
  return Number(left > right) - Number(left < right)
}

const isSame = (left: Scalar, right: Scalar): boolean => left === right || order(left, right) === 0

const compare: Readonly<Record<Sign, (left: Scalar, right: Scalar) => boolean>> = {
  '==': isSame,
  '!=': (left, right) => !isSame(left, right),
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
}

function resultOf(one: Expression, variables: Variables): Scalar {
  if ('value' in one) return one.value
  if ('not' in one) return !holds(one.not, variables)
  if ('all' in one) return one.all.every(part => holds(part, variables))
  if ('any' in one) return one.any.some(part => holds(part, variables))
  if ('sign' in one) return compare[one.sign](resultOf(one.left, variables), resultOf(one.right, variables))
  const found = Object.hasOwn(variables, one.name) ? variables[one.name] : undefined
  // A way must not be taken because something was forgotten.
  if (found === undefined) throw new FlowProblem(`缺少流程变量：${one.name}`)
  return found
}

/**
 * Whether a condition holds.
 * @throws FlowProblem when a variable is missing
 */
export const holds = (condition: Expression, variables: Variables): boolean => resultOf(condition, variables) === true
