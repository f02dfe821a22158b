import { childrenOf } from './element.ts'
import type { Kind, Timer } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { readDue, scheduleOf } from './run/timer.ts'
import { about } from './supported-elements.ts'
import { literalOf, readTemplate, type Template } from './template.ts'
import { eventKinds } from './vocabulary.ts'
import { attribute, type XmlElement } from './xml.ts'

/** Errors that a model declares: their codes by their ids. */
export type ErrorCodes = ReadonlyMap<string, string>

/** What is said of an event inside of it; undefined for nothing. @throws FlowProblem for more than one thing */
function definitionOf(element: XmlElement): XmlElement | undefined {
  const [first, ...others] = Object.keys(eventKinds).flatMap(kind => childrenOf(element, kind))
  if (others.length > 0) throw new FlowProblem('一个事件只能有一个定义')
  return first
}

const timings = [
  ['timeDuration', 'duration'],
  ['timeDate', 'date'],
  ['timeCycle', 'cycle'],
] as const

/** When a timer goes off. @throws FlowProblem for a time that is none, where it stands there as it is */
function readTimer(definition: XmlElement): Timer {
  return about(definition, () => {
    const said = timings.flatMap(([kind, name]) =>
      childrenOf(definition, kind).map(one => [name, one.text.trim()] as const),
    )
    const [found, ...others] = said.filter(([, text]) => text !== '')
    if (!found) throw new FlowProblem('缺少定时时间')
    if (others.length > 0) throw new FlowProblem('只能有一个定时时间')
    const [kind, text] = found
    const template = readTemplate(text)
    const literal = literalOf(template)
    if (literal !== null) scheduleOf(kind, literal, new Date())
    if (kind === 'duration') return { duration: template }
    return kind === 'date' ? { date: template } : { cycle: template }
  })
}

/** When a task is due: an ISO 8601 date or duration, or what an expression gives. @throws FlowProblem */
export function readDueDate(text: string): Template {
  const template = readTemplate(text)
  const literal = literalOf(template)
  if (literal !== null) readDue(literal, new Date())
  return template
}

const refusedEvent = (definition: XmlElement, where: string): FlowProblem =>
  new FlowProblem(`不支持${eventKinds[definition.kind]}${where}`)

/** The code of an error by the id of its declaration, or the code itself; '' where none is said. */
function codeOf(definition: XmlElement, codes: ErrorCodes): string {
  const given = attribute(definition, 'errorRef')?.trim() ?? ''
  return codes.get(given) ?? given
}

/** A start event has nothing inside. @throws FlowProblem */
export function requirePlainStart(element: XmlElement): void {
  about(element, () => {
    const definition = definitionOf(element)
    if (definition) throw refusedEvent(definition, '开始事件')
  })
}

/** How an end event ends. @throws FlowProblem */
export const readEnd = (element: XmlElement, codes: ErrorCodes): Extract<Kind, { type: 'endEvent' }> =>
  about(element, () => {
    const definition = definitionOf(element)
    if (!definition) return { type: 'endEvent', how: 'none' }
    if (definition.kind === 'terminateEventDefinition') return { type: 'endEvent', how: 'terminate' }
    if (definition.kind !== 'errorEventDefinition') throw refusedEvent(definition, '结束事件')
    const errorCode = codeOf(definition, codes)
    if (errorCode === '') throw new FlowProblem('缺少错误代码')
    return { type: 'endEvent', how: 'error', errorCode }
  })

/** What a boundary event waits for. @throws FlowProblem */
export const readBoundary = (element: XmlElement, codes: ErrorCodes): Extract<Kind, { type: 'boundaryEvent' }> =>
  about(element, () => {
    const attachedTo = attribute(element, 'attachedToRef') ?? ''
    const definition = definitionOf(element)
    if (!definition) throw new FlowProblem('缺少事件定义')
    if (definition.kind === 'errorEventDefinition')
      return { type: 'boundaryEvent', attachedTo, interrupting: true, errorCode: codeOf(definition, codes) }
    if (definition.kind !== 'timerEventDefinition') throw refusedEvent(definition, '边界事件')
    const interrupting = attribute(element, 'cancelActivity') !== 'false'
    return { type: 'boundaryEvent', attachedTo, interrupting, timer: readTimer(definition) }
  })

/** What an intermediate event waits for. @throws FlowProblem */
export const readCatch = (element: XmlElement): Extract<Kind, { type: 'intermediateCatchEvent' }> =>
  about(element, () => {
    const definition = definitionOf(element)
    if (!definition) throw new FlowProblem('缺少事件定义')
    if (definition.kind !== 'timerEventDefinition') throw refusedEvent(definition, '中间事件')
    const timer = readTimer(definition)
    if ('cycle' in timer) throw new FlowProblem('中间事件的定时不能重复')
    return { type: 'intermediateCatchEvent', timer }
  })

/** An event that is only passed. @throws FlowProblem */
export function requirePlainThrow(element: XmlElement): void {
  about(element, () => {
    const definition = definitionOf(element)
    if (definition) throw refusedEvent(definition, '中间事件')
  })
}
