import { childrenOf, engineAttribute, extensionsOf } from './element.ts'
import { type Expression, isVariableName, readExpression } from './expression.ts'
import type { Loop } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { about, problemAt } from './supported-elements.ts'
import { attribute, type XmlElement } from './xml.ts'

/** Steps that can be repeated. */
const repeatable = new Set(['userTask', 'subProcess', 'callActivity', 'serviceTask', 'sendTask'])

const isExpression = (text: string): boolean => /^[$#]\{/.test(text)

function textOf(element: XmlElement, kind: string): string | undefined {
  const [found] = childrenOf(element, kind)
  return found?.text.trim() || undefined
}

function readCollection(text: string): Expression {
  if (isExpression(text)) return readExpression(text)
  if (!isVariableName(text)) throw new FlowProblem(`变量名不正确：${text.slice(0, 50)}`)
  return { name: text }
}

function readCardinality(text: string): Expression {
  if (isExpression(text)) return readExpression(text)
  if (!/^\d{1,3}$/.test(text)) throw new FlowProblem(`会签次数不正确：${text.slice(0, 50)}`)
  return { value: Number(text) }
}

function variable(element: XmlElement, name: string): string | undefined {
  const text = engineAttribute(element, name)
  if (text !== undefined && !isVariableName(text)) throw new FlowProblem(`变量名不正确：${text.slice(0, 50)}`)
  return text
}

/**
 * How a step is repeated; undefined for one that is not.
 * @throws FlowProblem
 */
export function readLoop(step: XmlElement): Loop | undefined {
  const [element] = childrenOf(step, 'multiInstanceLoopCharacteristics')
  if (!element) return undefined
  if (!repeatable.has(step.kind)) throw problemAt(step, '不支持会签')
  return about(step, () => {
    if (extensionsOf(element, 'collection').length > 0) throw new FlowProblem('不支持自定义集合')
    const collection = engineAttribute(element, 'collection')
    const cardinality = textOf(element, 'loopCardinality')
    if (collection === undefined && cardinality === undefined) throw new FlowProblem('会签缺少集合或次数')
    const elementVariable = variable(element, 'elementVariable')
    const indexVariable = variable(element, 'elementIndexVariable')
    const done = textOf(element, 'completionCondition')
    return {
      sequential: attribute(element, 'isSequential') === 'true',
      ...(collection !== undefined && { collection: readCollection(collection) }),
      ...(cardinality !== undefined && { cardinality: readCardinality(cardinality) }),
      ...(elementVariable !== undefined && { elementVariable }),
      ...(indexVariable !== undefined && { indexVariable }),
      // Some editors leave the braces to the engine.
      ...(done !== undefined && { done: readExpression(isExpression(done) ? done : `\${${done}}`) }),
    }
  })
}
