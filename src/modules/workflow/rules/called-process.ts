import { engineAttribute, extensionsOf } from './element.ts'
import { type Expression, isVariableName, readExpression } from './expression.ts'
import type { Handover, Kind } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { about } from './supported-elements.ts'
import { literalOf, readTemplate } from './template.ts'
import { attribute, type XmlElement } from './xml.ts'

const given = (element: XmlElement, name: string): string | undefined => attribute(element, name)?.trim() || undefined

function readHandover(element: XmlElement): Handover {
  return about(element, () => {
    const target = given(element, 'target') ?? ''
    if (!isVariableName(target)) throw new FlowProblem(`变量名不正确：${target.slice(0, 50)}`)
    const [source, computed] = [given(element, 'source'), given(element, 'sourceExpression')]
    if (computed !== undefined) return { source: readExpression(computed), target }
    if (source === undefined || !isVariableName(source))
      throw new FlowProblem(`变量名不正确：${(source ?? '').slice(0, 50)}`)
    return { source: { name: source }, target }
  })
}

const readKey = (text: string): Expression =>
  /^[$#]\{/.test(text) ? readExpression(text) : { value: text.slice(0, 200) }

/**
 * Which process is called, and what is handed over to it and back.
 * @throws FlowProblem
 */
export function readCall(element: XmlElement): Extract<Kind, { type: 'callActivity' }> {
  const into = extensionsOf(element, 'in')
  // Camunda says both as further kinds of handing over.
  const whole = into.filter(one => given(one, 'variables') !== undefined)
  const keyed = into.find(one => given(one, 'businessKey') !== undefined)
  return about(element, () => {
    const key = given(element, 'calledElement')
    if (key === undefined) throw new FlowProblem('缺少被调用的流程')
    const called = readTemplate(key)
    const literal = literalOf(called)
    if (literal !== null && !/^[A-Za-z_][\w.-]{0,63}$/.test(literal))
      throw new FlowProblem(`流程标识不正确：${literal.slice(0, 50)}`)
    if (whole.some(one => given(one, 'variables') !== 'all')) throw new FlowProblem('不支持属性variables')
    const businessKey = engineAttribute(element, 'businessKey') ?? (keyed && given(keyed, 'businessKey'))
    return {
      type: 'callActivity',
      called,
      inherit: engineAttribute(element, 'inheritVariables') === 'true' || whole.length > 0,
      ...(businessKey !== undefined && { businessKey: readKey(businessKey) }),
      into: into.filter(one => one !== keyed && !whole.includes(one)).map(readHandover),
      outOf: extensionsOf(element, 'out').map(readHandover),
    }
  })
}
