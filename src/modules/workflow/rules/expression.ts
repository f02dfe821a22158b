import { type Token, tokensOf, wrongExpression } from './expression-tokens.ts'
import { FlowProblem } from './problem.ts'
import {
  calculate,
  isEmpty,
  isList,
  isSame,
  type Operation,
  order,
  type Scalar,
  type Value,
  type Variables,
} from './value.ts'

export type { Scalar, Value, Variables } from './value.ts'

type Sign = '==' | '!=' | '<' | '<=' | '>' | '>='
/** Calls on a value. Nothing else can be called. */
type Call = 'contains' | 'size' | 'length' | 'equals'

/**
 * An expression as data, so that it can be kept beside the model and calculated without reading it again. Graphs that are
 * stored hold it: what is there keeps its meaning.
 */
export type Expression =
  | { readonly value: Scalar }
  | { readonly name: string }
  /** A variable that may be missing, which is null then. */
  | { readonly get: string }
  | { readonly not: Expression }
  | { readonly empty: Expression }
  | { readonly minus: Expression }
  | { readonly all: readonly Expression[] }
  | { readonly any: readonly Expression[] }
  | { readonly sign: Sign; readonly left: Expression; readonly right: Expression }
  | { readonly calc: Operation; readonly left: Expression; readonly right: Expression }
  | { readonly when: Expression; readonly then: Expression; readonly otherwise: Expression }
  /** A property of an object or an item of a list. */
  | { readonly of: Expression; readonly at: Expression }
  | { readonly call: Call; readonly on: Expression; readonly given: readonly Expression[] }

const longest = 500
const deepest = 32

const words: Readonly<Record<string, Scalar>> = { true: true, false: false, null: null }
/** Words that stand for signs. */
const spelled: Readonly<Record<string, string>> = {
  and: '&&',
  or: '||',
  not: '!',
  eq: '==',
  ne: '!=',
  lt: '<',
  le: '<=',
  gt: '>',
  ge: '>=',
  div: '/',
  mod: '%',
}
const equalities: readonly Sign[] = ['==', '!=']
const comparisons: readonly Sign[] = ['<', '<=', '>', '>=']
const sums: readonly Operation[] = ['+', '-']
const products: readonly Operation[] = ['*', '/', '%']

/** Words of the language that no variable can have: its signs, and the engine that other servers give to expressions. */
const reserved = new Set([...Object.keys(spelled), 'empty', 'instanceof', 'execution'])
/** How programs get from a value to what made it. */
const inherited = new Set(['__proto__', 'constructor', 'prototype'])

const calls: Readonly<Record<Call, number>> = { contains: 1, size: 0, length: 0, equals: 1 }
const isCall = (name: string): name is Call => Object.hasOwn(calls, name)
/** Functions that read a variable which may be missing. */
const getters = new Set(['vars:get', 'variables:get'])

const unknownCall = (name: string) => new FlowProblem(`表达式中的${name}()不支持`)

/** Reads tokens from left to right; what binds closer is read deeper. */
class Reader {
  private at = 0
  private depth = 0
  constructor(private readonly tokens: readonly Token[]) {}

  whole(): Expression {
    const found = this.choice()
    if (this.at < this.tokens.length) throw wrongExpression()
    return found
  }

  private get next(): Token | undefined {
    return this.tokens[this.at]
  }

  private isNext(...wanted: readonly string[]): boolean {
    return this.signHere(wanted) !== undefined
  }

  private signHere<S extends string>(wanted: readonly S[]): S | undefined {
    const { next } = this
    if (!next || 'literal' in next) return undefined
    const sign =
      'sign' in next
        ? next.sign
        : next.prefix === undefined && Object.hasOwn(spelled, next.word)
          ? spelled[next.word]
          : undefined
    return wanted.find(one => one === sign)
  }

  private take<S extends string>(...wanted: readonly S[]): S | undefined {
    const sign = this.signHere(wanted)
    if (sign !== undefined) this.at += 1
    return sign
  }

  private demand(sign: string): void {
    if (!this.take(sign)) throw wrongExpression()
  }

  /** Reads something that stands inside of something else. */
  private inside<T>(read: () => T): T {
    this.depth += 1
    if (this.depth > deepest) throw wrongExpression()
    const found = read()
    this.depth -= 1
    return found
  }

  private choice(): Expression {
    const when = this.any()
    if (!this.take('?')) return when
    return this.inside(() => {
      const then = this.choice()
      this.demand(':')
      return { when, then, otherwise: this.choice() }
    })
  }

  private any(): Expression {
    const [first, ...more] = this.joined('||', () => this.all())
    return more.length === 0 ? first : { any: [first, ...more] }
  }

  private all(): Expression {
    const [first, ...more] = this.joined('&&', () => this.equality())
    return more.length === 0 ? first : { all: [first, ...more] }
  }

  private joined(sign: string, read: () => Expression): [Expression, ...Expression[]] {
    const found: [Expression, ...Expression[]] = [read()]
    while (this.take(sign)) found.push(read())
    return found
  }

  private equality(): Expression {
    return this.compared(equalities, () => this.compared(comparisons, () => this.sum()))
  }

  /** Two sides of a sign; `1 < x < 9` says something else than it seems to. */
  private compared(signs: readonly Sign[], read: () => Expression): Expression {
    const left = read()
    const sign = this.take(...signs)
    if (!sign) return left
    const right = read()
    if (this.isNext(...signs)) throw wrongExpression()
    return { sign, left, right }
  }

  private sum(): Expression {
    return this.calculated(sums, () => this.calculated(products, () => this.signed()))
  }

  private calculated(signs: readonly Operation[], read: () => Expression): Expression {
    let found = read()
    for (let calc = this.take(...signs); calc; calc = this.take(...signs)) found = { calc, left: found, right: read() }
    return found
  }

  private signed(): Expression {
    if (this.take('!')) return { not: this.inside(() => this.signed()) }
    if (this.take('-')) return { minus: this.inside(() => this.signed()) }
    const { next } = this
    if (next && 'word' in next && next.word === 'empty' && next.prefix === undefined) {
      this.at += 1
      return { empty: this.inside(() => this.signed()) }
    }
    return this.path()
  }

  /** A value with what is asked of it: properties, items, calls. */
  private path(): Expression {
    let found = this.one()
    for (;;) {
      if (this.take('.')) found = this.member(found)
      else if (this.take('[')) {
        const of = found
        const at = this.inside(() => this.choice())
        this.demand(']')
        if ('value' in at && inherited.has(String(at.value))) throw wrongExpression()
        found = { of, at }
      } else return found
    }
  }

  private member(of: Expression): Expression {
    const { word, prefix } = this.word()
    if (prefix !== undefined) throw wrongExpression()
    if (!this.take('(')) {
      if (inherited.has(word)) throw wrongExpression()
      return { of, at: { value: word } }
    }
    if (!isCall(word)) throw unknownCall(word)
    const given = this.arguments()
    if (given.length !== calls[word]) throw wrongExpression()
    return { call: word, on: of, given }
  }

  private word(): { readonly word: string; readonly prefix?: string } {
    const { next } = this
    if (!next || !('word' in next)) throw wrongExpression()
    this.at += 1
    return next
  }

  /** What is given to a call, behind its opening bracket. */
  private arguments(): Expression[] {
    if (this.take(')')) return []
    const found = this.inside(() => this.joined(',', () => this.choice()))
    this.demand(')')
    return found
  }

  private one(): Expression {
    if (this.take('(')) {
      const found = this.inside(() => this.choice())
      this.demand(')')
      return found
    }
    const { next } = this
    if (next && 'literal' in next) {
      this.at += 1
      return { value: next.literal }
    }
    const { word, prefix } = this.word()
    if (this.take('(')) return this.functionOf(prefix === undefined ? word : `${prefix}:${word}`)
    if (Object.hasOwn(words, word)) return { value: words[word] ?? null }
    if (word === 'execution') return this.executionVariable()
    if (reserved.has(word) || inherited.has(word)) throw wrongExpression()
    return { name: word }
  }

  private functionOf(name: string): Expression {
    if (!getters.has(name)) throw unknownCall(name)
    return { get: this.nameGiven() }
  }

  /** `execution.getVariable('x')`, the one thing that is asked of it. */
  private executionVariable(): Expression {
    this.demand('.')
    const { word } = this.word()
    if (!this.take('(')) throw wrongExpression()
    if (word !== 'getVariable') throw unknownCall(word)
    return { name: this.nameGiven() }
  }

  /** The name of a variable that is given to a call, as a name or as a text. */
  private nameGiven(): string {
    const [given, ...more] = this.arguments()
    const name = given && ('name' in given ? given.name : 'value' in given ? given.value : null)
    if (more.length > 0 || typeof name !== 'string' || !isVariableName(name)) throw wrongExpression()
    return name
  }
}

/** Whether a variable can be called so: letters of any language, digits and `_`, 64 at most. */
export const isVariableName = (name: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_]{0,63}$/u.test(name) && !inherited.has(name)

/**
 * Reads an expression as modelers write it, `${pass && days > 3}`: names of variables, values, comparisons, arithmetic, `empty`,
 * a choice with `? :`, properties, items, and the few calls of the list. Nothing else can be called, so nothing can run.
 * @throws FlowProblem
 */
export function readExpression(text: string): Expression {
  const inside = /^\s*[$#]\{([\s\S]*)\}\s*$/.exec(text)?.[1]
  if (inside === undefined || inside.length > longest) throw wrongExpression()
  return new Reader(tokensOf(inside)).whole()
}

/** How somebody who wrote an expression would name a part of it. */
function spelling(one: Expression): string {
  if ('name' in one) return one.name
  if ('get' in one) return one.get
  if (!('of' in one)) return '?'
  if (!('value' in one.at)) return `${spelling(one.of)}[${spelling(one.at)}]`
  return typeof one.at.value === 'string'
    ? `${spelling(one.of)}.${one.at.value}`
    : `${spelling(one.of)}[${one.at.value}]`
}

/** A property or an item, only such as the value has itself; undefined where it has none. */
function memberOf(value: Value, key: Value): Value | undefined {
  if (isList(value)) return typeof key === 'number' ? value[key] : undefined
  if (value === null || typeof value !== 'object' || (typeof key !== 'string' && typeof key !== 'number'))
    return undefined
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, Value>>)[key] : undefined
}

/** The value of a name or a path; undefined where there is none. */
function found(one: Expression, variables: Variables): Value | undefined {
  if ('name' in one) return Object.hasOwn(variables, one.name) ? variables[one.name] : undefined
  if (!('of' in one)) return evaluate(one, variables)
  const of = found(one.of, variables)
  return of === undefined ? undefined : memberOf(of, evaluate(one.at, variables))
}

/** The first part of a path that is not there. */
function absent(one: Expression, variables: Variables): Expression {
  return 'of' in one && found(one.of, variables) === undefined ? absent(one.of, variables) : one
}

function called(call: Call, on: Value, given: Value): Value {
  switch (call) {
    case 'equals':
      return isSame(on, given)
    case 'size':
      if (isList(on)) return on.length
      break
    case 'length':
      if (typeof on === 'string') return on.length
      break
    case 'contains':
      if (isList(on)) return on.some(one => isSame(one, given))
      if (typeof on === 'string' && typeof given === 'string') return on.includes(given)
  }
  throw new FlowProblem(`${call}()用错了对象`)
}

const compare: Readonly<Record<Sign, (left: Value, right: Value) => boolean>> = {
  '==': isSame,
  '!=': (left, right) => !isSame(left, right),
  '<': (left, right) => order(left, right) < 0,
  '<=': (left, right) => order(left, right) <= 0,
  '>': (left, right) => order(left, right) > 0,
  '>=': (left, right) => order(left, right) >= 0,
}

/**
 * Calculates an expression.
 * @throws FlowProblem when a variable is missing and neither `empty` nor `vars:get` asks for it, or something cannot be
 * calculated
 */
export function evaluate(one: Expression, variables: Variables): Value {
  if ('value' in one) return one.value
  if ('not' in one) return !holds(one.not, variables)
  if ('all' in one) return one.all.every(part => holds(part, variables))
  if ('any' in one) return one.any.some(part => holds(part, variables))
  if ('sign' in one) return compare[one.sign](evaluate(one.left, variables), evaluate(one.right, variables))
  if ('calc' in one) return calculate(one.calc, evaluate(one.left, variables), evaluate(one.right, variables))
  if ('minus' in one) return calculate('-', 0, evaluate(one.minus, variables))
  if ('empty' in one) return isEmpty(found(one.empty, variables))
  if ('when' in one) return evaluate(holds(one.when, variables) ? one.then : one.otherwise, variables)
  if ('get' in one) return found({ name: one.get }, variables) ?? null
  if ('call' in one)
    return called(one.call, evaluate(one.on, variables), one.given[0] ? evaluate(one.given[0], variables) : null)
  const value = found(one, variables)
  // A way must not be taken because something was forgotten.
  if (value === undefined) throw new FlowProblem(`缺少流程变量：${spelling(absent(one, variables))}`)
  return value
}

/**
 * Whether a condition holds, which is so for `true` only.
 * @throws FlowProblem as `evaluate`
 */
export const holds = (condition: Expression, variables: Variables): boolean => evaluate(condition, variables) === true

function partsOf(one: Expression): readonly Expression[] {
  if ('not' in one) return [one.not]
  if ('empty' in one) return [one.empty]
  if ('minus' in one) return [one.minus]
  if ('all' in one) return one.all
  if ('any' in one) return one.any
  if ('sign' in one || 'calc' in one) return [one.left, one.right]
  if ('when' in one) return [one.when, one.then, one.otherwise]
  if ('of' in one) return [one.of, one.at]
  return 'call' in one ? [one.on, ...one.given] : []
}

/** Names of the variables an expression reads, each once. */
export function variablesOf(expression: Expression): string[] {
  const own = 'name' in expression ? [expression.name] : 'get' in expression ? [expression.get] : []
  return [...new Set([...own, ...partsOf(expression).flatMap(variablesOf)])]
}
