import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { engineAttribute, extensionsOf } from './element.ts'
import { isVariableName, readExpression } from './expression.ts'
import type { ActionCall, Listener } from './flow-graph.ts'
import { httpAction, requireHttp, responseVariable } from './http-fields.ts'
import { FlowProblem } from './problem.ts'
import { about } from './supported-elements.ts'
import { literalOf, readTemplate, type Template } from './template.ts'
import { attribute, type XmlElement } from './xml.ts'

/** An action that models may name. */
export interface KnownAction {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly required?: boolean }[]
  /** The field that names the variable which takes the result. */
  readonly resultIn?: string
}

/** What models may call. */
export interface Callable {
  readonly actions: readonly KnownAction[]
  /** Hosts that HTTP tasks may ask, `host` or `host:port`. */
  readonly hosts: readonly string[]
}

/** A registered name as engines write beans: `${name}`, `${name.run(execution)}`. */
const named = /^[$#]\{\s*([A-Za-z_]\w*)(?:\.run\(\s*(?:execution|task)?\s*\))?\s*\}$/

function readFields(element: XmlElement, own: readonly XmlElement[]): Record<string, Template> {
  const found: Record<string, Template> = Object.create(null)
  for (const field of own)
    about(field, () => {
      const name = attribute(field, 'name')?.trim() ?? ''
      if (!/^[A-Za-z]\w{0,63}$/.test(name)) throw new FlowProblem('参数缺少名称')
      if (Object.hasOwn(found, name)) throw new FlowProblem(`参数${name}重复`)
      const text =
        attribute(field, 'stringValue') ??
        attribute(field, 'expression') ??
        field.children.find(({ kind }) => kind === 'string' || kind === 'expression')?.text ??
        ''
      if (text.trim() !== '') found[name] = readTemplate(text.trim())
    })
  return about(element, () => ({ ...found }))
}

/** The action that a text names. @throws FlowProblem for a name that is not known, and for anything else that could run */
function readName(text: string, { actions }: Callable): KnownAction {
  const name = named.exec(text.trim())?.[1]
  // What is neither the name of an action is at least told apart from what is no expression at all.
  if (name === undefined) {
    readExpression(text)
    throw new FlowProblem(`没有名为${text.trim().slice(0, 50)}的动作`)
  }
  const found = actions.find(one => one.name === name)
  if (!found || name === httpAction) throw new FlowProblem(`没有名为${name}的动作`)
  return found
}

function requireFields({ name, fields }: KnownAction, given: Readonly<Record<string, Template>>): void {
  const other = Object.keys(given).find(key => !fields.some(one => one.name === key))
  if (other !== undefined) throw new FlowProblem(`动作${name}没有参数${other}`)
  const missing = fields.find(one => one.required && !Object.hasOwn(given, one.name))
  if (missing) throw new FlowProblem(`动作${name}缺少参数${missing.name}`)
}

/** What each process has of its own. */
const ownVariables = new Set(['pass', 'initiator', 'applicant', 'loopCounter'])

const wrongName = (name: string) => new FlowProblem(`变量名不正确：${name.slice(0, 50)}`)

/** The variable that the fields of an action name for its result. */
function resultNamed({ resultIn }: KnownAction, fields: Readonly<Record<string, Template>>): string | undefined {
  const template = resultIn === undefined ? undefined : fields[resultIn]
  if (!template) return undefined
  const name = literalOf(template)?.trim() ?? ''
  if (!isVariableName(name) || ownVariables.has(name)) throw wrongName(name)
  return name
}

const nonJava = (name: string) => new FlowProblem(`不能执行Java类${name.slice(0, 100)}`)

function resultOf(element: XmlElement): string | undefined {
  const name = engineAttribute(element, 'resultVariable') ?? engineAttribute(element, 'resultVariableName')
  if (name !== undefined && !isVariableName(name)) throw wrongName(name)
  return name
}

/** An action with its fields and the variable that takes its result. */
function callOf(action: KnownAction, fields: Record<string, Template>, result: string | undefined): ActionCall {
  requireFields(action, fields)
  const resultVariable = result ?? resultNamed(action, fields)
  return { name: action.name, fields, ...(resultVariable !== undefined && { resultVariable }) }
}

/**
 * What a service or send task does.
 * @throws FlowProblem when it does nothing that is known
 */
export function readTaskAction(element: XmlElement, callable: Callable): ActionCall {
  const fields = readFields(element, extensionsOf(element, 'field'))
  return about(element, () => {
    const type = engineAttribute(element, 'type')
    const java = engineAttribute(element, 'class')
    if (java !== undefined) throw nonJava(java)
    const result = resultOf(element)
    if (type !== undefined) {
      if (type !== httpAction) throw new FlowProblem(`不支持${type.slice(0, 50)}任务`)
      if (result !== undefined) throw new FlowProblem('不支持属性resultVariable')
      requireHttp(fields, (host, port) => isAllowedHost(host, port, callable.hosts.join()))
      const answer = responseVariable(fields)
      return { name: httpAction, fields, ...(answer !== undefined && { resultVariable: answer }) }
    }
    const text = engineAttribute(element, 'delegateExpression') ?? engineAttribute(element, 'expression')
    if (text === undefined) throw new FlowProblem('缺少实现')
    return callOf(readName(text, callable), fields, result)
  })
}

const executionEvents: readonly Listener['event'][] = ['start', 'end', 'take']
const taskEvents: readonly Listener['event'][] = ['create', 'assignment', 'complete', 'delete']

/** One listener; undefined for one that does nothing, which editors leave behind. */
function readListener(element: XmlElement, callable: Callable, isOfLine: boolean): Listener | undefined {
  return about(element, () => {
    const value = (name: string) => attribute(element, name)?.trim() || undefined
    const java = value('class')
    if (java !== undefined) throw nonJava(java)
    const type = value('type')
    if (type !== undefined) throw new FlowProblem(`不支持${type.slice(0, 50)}监听器`)
    const text = value('delegateExpression') ?? value('expression')
    if (text === undefined) return undefined
    const events = element.kind === 'taskListener' ? taskEvents : isOfLine ? (['take'] as const) : executionEvents
    const event = value('event') ?? (isOfLine ? 'take' : '')
    const known = events.find(one => one === event)
    if (!known) throw new FlowProblem(event === '' ? '监听器缺少事件' : `不支持监听事件${event.slice(0, 50)}`)
    const action = readName(text, callable)
    const fields = readFields(
      element,
      element.children.filter(({ kind }) => kind === 'field'),
    )
    return { event: known, action: callOf(action, fields, undefined) }
  })
}

/** Actions at the events of a step, a line or the process. @throws FlowProblem */
export function readListeners(element: XmlElement, callable: Callable): Listener[] {
  const isOfLine = element.kind === 'sequenceFlow'
  return [...extensionsOf(element, 'executionListener'), ...extensionsOf(element, 'taskListener')].flatMap(
    one => readListener(one, callable, isOfLine) ?? [],
  )
}
