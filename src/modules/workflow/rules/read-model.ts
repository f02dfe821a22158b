import { type Callable, readListeners, readTaskAction } from './action-calls.ts'
import { readBpmn } from './bpmn.ts'
import { readCall } from './called-process.ts'
import { checkFlow, type Steps } from './check-flow.ts'
import { childrenOf, engineAttribute } from './element.ts'
import {
  type ErrorCodes,
  readBoundary,
  readCatch,
  readDueDate,
  readEnd,
  requirePlainStart,
  requirePlainThrow,
} from './events.ts'
import { type Expression, isVariableName, readExpression } from './expression.ts'
import type { FlowNode, Graph, Kind, Line } from './flow-graph.ts'
import { readForm } from './forms.ts'
import { readLoop } from './loops.ts'
import { type Initiators, readDoers, readPriority, readStarters } from './people.ts'
import { FlowProblem } from './problem.ts'
import { about, problemAt, requireSupported } from './supported-elements.ts'
import { attribute, type XmlElement } from './xml.ts'

/** A model that can be carried out. */
export interface Model {
  /** Id of its process. */
  readonly key: string
  readonly name: string
  readonly graph: Graph
}

/** What models may refer to. */
export interface Known extends Callable {
  /** Names of entities that are registered as forms. */
  readonly forms: readonly string[]
}

/** What is read of a model before its steps. */
interface Reading {
  readonly known: Known
  readonly codes: ErrorCodes
  readonly messages: ReadonlyMap<string, string>
  readonly initiators: Initiators
}

const mostSteps = 500

const gateways = new Set(['exclusiveGateway', 'inclusiveGateway', 'parallelGateway'])
const stepKinds = new Set([
  ...gateways,
  'startEvent',
  'endEvent',
  'userTask',
  'manualTask',
  'task',
  'serviceTask',
  'sendTask',
  'receiveTask',
  'boundaryEvent',
  'intermediateCatchEvent',
  'intermediateThrowEvent',
  'subProcess',
  'callActivity',
])

const idOf = (element: XmlElement): string => attribute(element, 'id') ?? ''
const labelOf = (element: XmlElement): string => (attribute(element, 'name') ?? '').replace(/\s+/g, ' ').trim()

/** A step with the scope it stands in. */
interface Placed {
  readonly element: XmlElement
  readonly scope: string | null
}

function placedIn(parent: XmlElement, scope: string | null): Placed[] {
  return parent.children
    .filter(({ kind }) => stepKinds.has(kind) || kind === 'sequenceFlow')
    .flatMap(element => [
      { element, scope },
      ...(element.kind === 'subProcess' ? placedIn(element, idOf(element)) : []),
    ])
}

/** Every step and line has an id, and no other has the same. */
function requireIds(placed: readonly Placed[]): void {
  const met = new Set<string>()
  for (const { element } of placed) {
    const id = idOf(element)
    if (id === '') throw new FlowProblem(`第${element.line}行：${element.kind}缺少编号`)
    if (!/^[\p{L}_][\p{L}\p{N}_.-]{0,99}$/u.test(id)) throw problemAt(element, '编号不正确')
    if (met.has(id)) throw new FlowProblem(`第${element.line}行：编号${id}重复`)
    met.add(id)
  }
}

/** Languages of conditions that are those of expressions: engines read these whatever the model says. */
const languages = new Set(['', 'juel', 'http://www.w3.org/1999/XPath'])

function requireLanguage(element: XmlElement, name: string): void {
  const language = attribute(element, name)?.trim() ?? ''
  if (!languages.has(language)) throw problemAt(element, `不支持条件语言${language.slice(0, 100)}`)
}

function readCondition(line: XmlElement): Expression | undefined {
  const [condition] = childrenOf(line, 'conditionExpression')
  if (!condition) return undefined
  requireLanguage(condition, 'language')
  const text = condition.text.trim()
  return text === '' ? undefined : about(line, () => readExpression(text))
}

function readLine(element: XmlElement, from: XmlElement, isDefault: boolean, known: Known): Line {
  const when = isDefault ? undefined : readCondition(element)
  if (when && (from.kind === 'parallelGateway' || from.kind.endsWith('Event')))
    throw problemAt(element, '这里的分支不能有条件')
  const listeners = readListeners(element, known)
  return {
    id: idOf(element),
    name: labelOf(element),
    to: attribute(element, 'targetRef') ?? '',
    ...(when && { when }),
    ...(listeners.length > 0 && { listeners }),
  }
}

/** The lines out of each step, the default one last. */
function linesOf(
  { element, scope }: Placed,
  placed: readonly Placed[],
  known: Known,
): Pick<FlowNode, 'out' | 'defaultLine'> {
  const own = placed.filter(
    one => one.element.kind === 'sequenceFlow' && attribute(one.element, 'sourceRef') === idOf(element),
  )
  const astray = own.find(one => one.scope !== scope)
  if (astray) throw problemAt(astray.element, '连线不能跨越子流程')
  const wanted = attribute(element, 'default')
  const last = own.find(one => idOf(one.element) === wanted)
  if (wanted && !last) throw problemAt(element, `引用的元素不存在：${wanted}`)
  const ordered = [...own.filter(one => one !== last), ...(last ? [last] : [])]
  const out = ordered.map(one => readLine(one.element, element, one === last, known))
  return { out, ...(last && { defaultLine: idOf(last.element) }) }
}

function documentationOf(element: XmlElement): string | undefined {
  const text = childrenOf(element, 'documentation')
    .map(one => one.text.trim())
    .join('\n')
    .trim()
  return text === '' ? undefined : text.slice(0, 2000)
}

function readUserTask(element: XmlElement, { initiators, known }: Reading): Kind {
  const form = readForm(element, known.forms)
  const due = engineAttribute(element, 'dueDate')
  const priority = engineAttribute(element, 'priority')
  const documentation = documentationOf(element)
  return {
    type: 'userTask',
    doers: readDoers(element, initiators),
    ...(form && { form }),
    ...(due !== undefined && { due: about(element, () => readDueDate(due)) }),
    ...(priority !== undefined && { priority: about(element, () => readPriority(priority)) }),
    ...(documentation !== undefined && { documentation }),
  }
}

function kindOf(element: XmlElement, reading: Reading): Kind {
  const { kind } = element
  switch (kind) {
    case 'startEvent': {
      requirePlainStart(element)
      const form = readForm(element, reading.known.forms)
      return { type: kind, ...(form && { form }) }
    }
    case 'endEvent':
      return readEnd(element, reading.codes)
    case 'boundaryEvent':
      return readBoundary(element, reading.codes)
    case 'intermediateCatchEvent':
      return readCatch(element)
    case 'intermediateThrowEvent':
      requirePlainThrow(element)
      return { type: kind }
    case 'userTask':
      return readUserTask(element, reading)
    case 'serviceTask':
    case 'sendTask':
      return { type: kind, action: readTaskAction(element, reading.known) }
    case 'callActivity':
      return readCall(element)
    case 'inclusiveGateway':
      return { type: kind, reachedFrom: [] }
    case 'subProcess':
      if (attribute(element, 'triggeredByEvent') === 'true') throw problemAt(element, '不支持事件子流程')
      return { type: kind, start: childrenOf(element, 'startEvent').map(idOf)[0] ?? '' }
    case 'manualTask':
    case 'task':
    case 'receiveTask':
    case 'exclusiveGateway':
    case 'parallelGateway':
      return { type: kind }
    default:
      throw problemAt(element, `不支持元素${kind}`)
  }
}

function nodeOf(placed: Placed, all: readonly Placed[], reading: Reading): FlowNode {
  const { element, scope } = placed
  const loop = readLoop(element)
  const message = reading.messages.get(attribute(element, 'messageRef') ?? '')
  const attached = all.filter(
    one => one.element.kind === 'boundaryEvent' && attribute(one.element, 'attachedToRef') === idOf(element),
  )
  return {
    id: idOf(element),
    name: labelOf(element) || (element.kind === 'receiveTask' && message) || '',
    scope,
    ...linesOf(placed, all, reading.known),
    boundary: attached.map(one => idOf(one.element)),
    ...(loop && { loop }),
    listeners: readListeners(element, reading.known),
    ...kindOf(element, reading),
  }
}

/** Every line and boundary event leads from and to something of its own scope. */
function requireEnds(placed: readonly Placed[]): void {
  const steps = new Map(
    placed.filter(({ element }) => element.kind !== 'sequenceFlow').map(one => [idOf(one.element), one]),
  )
  const requireEnd = ({ element, scope }: Placed, name: string) => {
    const wanted = attribute(element, name) ?? ''
    const found = steps.get(wanted)
    if (!found) throw problemAt(element, `引用的元素不存在：${wanted || name}`)
    if (found.scope !== scope) throw problemAt(element, '连线不能跨越子流程')
    return found
  }
  for (const one of placed) {
    if (one.element.kind === 'sequenceFlow') for (const name of ['sourceRef', 'targetRef']) requireEnd(one, name)
    if (one.element.kind !== 'boundaryEvent') continue
    const { kind } = requireEnd(one, 'attachedToRef').element
    if (gateways.has(kind) || kind.endsWith('Event')) throw problemAt(one.element, '边界事件应附在任务或子流程上')
  }
}

const declared = (definitions: XmlElement, kind: string, attributeName: string): Map<string, string> =>
  new Map(
    childrenOf(definitions, kind).map(one => [idOf(one), attribute(one, attributeName)?.trim() || idOf(one)] as const),
  )

function initiatorsOf(placed: readonly Placed[]): string[] {
  const names = placed
    .filter(({ element }) => element.kind === 'startEvent')
    .flatMap(({ element }) => {
      const name = engineAttribute(element, 'initiator')
      if (name !== undefined && !isVariableName(name)) throw problemAt(element, `变量名不正确：${name.slice(0, 50)}`)
      return name ?? []
    })
  return [...new Set(names)]
}

/** Initial values of data would have to be variables. */
function requireNoData(parent: XmlElement): void {
  for (const one of childrenOf(parent, 'dataObject'))
    if (childrenOf(one, 'extensionElements').some(({ children }) => children.some(({ kind }) => kind === 'value')))
      throw problemAt(one, '不支持数据对象的初始值')
  for (const one of childrenOf(parent, 'subProcess')) requireNoData(one)
}

/**
 * Reads a BPMN 2.0 model as it can be carried out. What cannot be is refused, so that nothing in it is silently left out.
 * @param known what the model may refer to
 * @throws FlowProblem in words that name the element and its line
 */
export function readModel(xml: string, known: Known): Model {
  const { process, processId, definitions } = readBpmn(xml)
  requireLanguage(definitions, 'expressionLanguage')
  requireSupported(process)
  requireNoData(process)
  const placed = placedIn(process, null)
  const steps = placed.filter(({ element }) => element.kind !== 'sequenceFlow')
  if (steps.length > mostSteps) throw new FlowProblem(`流程节点不能超过${mostSteps}个`)
  requireIds(placed)
  requireEnds(placed)
  const initiatorVariables = initiatorsOf(placed)
  const reading: Reading = {
    known,
    codes: declared(definitions, 'error', 'errorCode'),
    messages: declared(definitions, 'message', 'name'),
    initiators: new Set(initiatorVariables),
  }
  const starters = readStarters(process)
  const listeners = readListeners(process, known)
  const nodes = steps.map(one => nodeOf(one, placed, reading))
  const elements = new Map(steps.map(({ element }) => [idOf(element), element]))
  const checked: Steps = checkFlow(nodes, id => elements.get(id) ?? process)
  return {
    key: processId,
    name: labelOf(process) || processId,
    graph: { format: 2, ...checked, initiatorVariables, starters, listeners },
  }
}
