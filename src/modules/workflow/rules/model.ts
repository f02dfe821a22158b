import type { Part } from 'bpmn-moddle'
import { readBpmn } from './bpmn.ts'
import { checkGraph, type Lines } from './check-graph.ts'
import { type Expression, readExpression } from './expression.ts'
import type { Doer, FlowNode, Graph, Line, NodeType } from './graph.ts'
import { FlowProblem } from './problem.ts'
import { requireSupported } from './supported.ts'

/** A model that can be carried out. */
export interface Model {
  /** Id of its process. */
  readonly key: string
  readonly name: string
  readonly graph: Graph
}

/** Attributes of other programs that would change what happens at a step. */
const refused = ['candidateUsers', 'skipExpression', 'collection']

/** The value of an attribute of another program, whatever its prefix is. */
const extra = ({ $attrs }: Part, name: string): string | undefined =>
  Object.entries($attrs).find(([key]) => key.endsWith(`:${name}`))?.[1]

function doerOf(part: Part): Doer {
  const other = refused.find(name => extra(part, name) !== undefined)
  if (other) throw new FlowProblem(`不支持${other}`)
  const assignee = extra(part, 'assignee')?.trim()
  if (assignee) return assigned(assignee)
  const groups = (extra(part, 'candidateGroups') ?? '').split(',').flatMap(one => one.trim() || [])
  if (groups.length === 0) throw new FlowProblem('缺少办理人')
  if (!groups.every(one => /^[\w-]{1,64}$/.test(one))) throw new FlowProblem('候选角色应为角色别名')
  return { groups }
}

function assigned(assignee: string): Doer {
  const variable = /^[$#]\{\s*([A-Za-z_]\w{0,63})\s*\}$/.exec(assignee)?.[1]
  if (variable) return { variable }
  if (/^[1-9]\d{0,18}$/.test(assignee)) return { user: assignee }
  throw new FlowProblem('办理人应为用户编号或一个变量')
}

function conditionOf(line: Part, from: Part): Expression | undefined {
  const text = line.conditionExpression?.body
  if (text === undefined) return undefined
  if (from.$type !== 'bpmn:ExclusiveGateway') throw new FlowProblem('只有排他网关的分支可以有条件')
  return readExpression(text)
}

/** Does something about a part, and names it where that goes wrong. */
function about<T>(part: Part, lines: Lines, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof FlowProblem)) throw error
    throw new FlowProblem(`第${lines.get(part.id ?? '') ?? 0}行的${part.id}：${error.message}`)
  }
}

const typeOf = ({ $type }: Part): NodeType =>
  ($type.slice('bpmn:'.length, 'bpmn:'.length + 1).toLowerCase() + $type.slice('bpmn:'.length + 1)) as NodeType
const isLine = ({ $type }: Part): boolean => $type === 'bpmn:SequenceFlow'

function linesOf(from: Part, parts: readonly Part[], places: Lines): Line[] {
  const own = parts.filter(one => isLine(one) && one.sourceRef === from)
  const last = own.filter(one => one === from.default)
  return [...own.filter(one => one !== from.default), ...last].map(line =>
    about(line, places, () => {
      const when = line === from.default ? undefined : conditionOf(line, from)
      return { id: line.id ?? '', name: line.name ?? '', to: line.targetRef?.id ?? '', ...(when && { when }) }
    }),
  )
}

function nodesOf(parts: readonly Part[], places: Lines): FlowNode[] {
  return parts
    .filter(one => !isLine(one))
    .map(part => {
      const type = typeOf(part)
      return {
        id: part.id ?? '',
        type,
        name: part.name ?? '',
        out: linesOf(part, parts, places),
        ...(type === 'userTask' && { doer: about(part, places, () => doerOf(part)) }),
      }
    })
}

/** What the reader of models could make nothing of. */
function requireWhole(warnings: readonly { message: string }[]): void {
  const [first] = warnings
  if (!first) return
  const missing = /^unresolved reference <(.*)>$/.exec(first.message)?.[1]
  if (missing !== undefined) throw new FlowProblem(`引用的元素不存在：${missing}`)
  const line = /line: (\d+)/.exec(first.message)?.[1]
  throw new FlowProblem(line ? `第${Number(line) + 1}行：无法解析` : 'XML格式不正确')
}

/**
 * Reads a BPMN 2.0 model as it can be carried out: start and end events, user tasks, exclusive gateways and the lines between
 * them. Everything else is refused.
 * @throws FlowProblem in words that name the element and its line
 */
export async function readModel(xml: string): Promise<Model> {
  const { processId, processes, elements } = readBpmn(xml)
  if (processes > 1) throw new FlowProblem('只能有一个流程')
  requireSupported(elements)
  // Only whoever deploys needs it.
  const { BpmnModdle } = await import('bpmn-moddle')
  const { rootElement, warnings } = await new BpmnModdle().fromXML(xml)
  requireWhole(warnings)
  const process = rootElement.rootElements?.find(one => one.$type === 'bpmn:Process')
  const byId = new Map(elements.flatMap(element => (element.id ? [[element.id, element] as const] : [])))
  const places: Lines = { get: id => byId.get(id)?.line }
  const graph = checkGraph(nodesOf(process?.flowElements ?? [], places), places)
  return { key: processId, name: process?.name ?? processId, graph }
}
