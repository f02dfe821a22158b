import type { FlowNode, Graph } from './flow-graph.ts'
import { FlowProblem } from './problem.ts'
import { problemAt } from './supported-elements.ts'
import type { XmlElement } from './xml.ts'

/** The part of a graph that its steps make. */
export type Steps = Pick<Graph, 'start' | 'nodes'>

type Nodes = ReadonlyMap<string, FlowNode>

/** Steps that are passed at once: a circle of nothing else would never come to rest. */
const passing = new Set<FlowNode['type']>([
  'startEvent',
  'exclusiveGateway',
  'parallelGateway',
  'inclusiveGateway',
  'manualTask',
  'task',
  'intermediateThrowEvent',
])

/** Where one can come to directly: along a line, or by an event at the border. */
const nextOf = ({ out, boundary }: FlowNode): readonly string[] => [...out.map(({ to }) => to), ...boundary]

/** The steps that can be reached from one along what `next` gives, itself only where a way leads back. */
function reachable(nodes: Nodes, from: string, next: (node: FlowNode) => readonly string[]): Set<string> {
  const found = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const node = nodes.get(id)
    for (const to of node ? next(node) : []) {
      if (found.has(to)) continue
      found.add(to)
      open.push(to)
    }
  }
  return found
}

/** What is wrong with the ways out of a step; null for nothing. */
function exitProblem({ type, out, defaultLine }: FlowNode): string | null {
  if (type === 'endEvent') return out.length > 0 ? '结束事件不能有出口' : null
  if (out.length === 0) return '缺少出口'
  if (type !== 'exclusiveGateway') return null
  // Of ways without a condition only the last one can be meant as "otherwise".
  return out.slice(0, -1).some(({ when, id }) => !when && id !== defaultLine) ? '网关的分支缺少条件' : null
}

function stepProblem(node: FlowNode, nodes: Nodes, met: ReadonlySet<string>): string | null {
  if (node.type !== 'startEvent' && !met.has(node.id)) return '从开始事件不能到达'
  const exit = exitProblem(node)
  if (exit) return exit
  if (node.type === 'startEvent' && met.has(node.id)) return '开始事件不能有入口'
  if (!passing.has(node.type)) return null
  const onward = reachable(nodes, node.id, one => (passing.has(one.type) ? nextOf(one) : []))
  return onward.has(node.id) ? '网关之间形成循环' : null
}

/** The start of a scope. @throws FlowProblem unless it has exactly one, can come to an end, and holds nothing out of reach */
function checkScope(
  own: readonly FlowNode[],
  nodes: Nodes,
  scope: XmlElement,
  elementOf: (id: string) => XmlElement,
): string {
  const [start, ...others] = own.filter(({ type }) => type === 'startEvent')
  if (!start || others.length > 0)
    throw problemAt(others[0] ? elementOf(others[0].id) : scope, '应有且只有一个开始事件')
  const met = reachable(nodes, start.id, nextOf)
  for (const node of own) {
    const words = stepProblem(node, nodes, met)
    if (words) throw problemAt(elementOf(node.id), words)
  }
  if (!own.some(({ type, id }) => type === 'endEvent' && met.has(id))) throw problemAt(scope, '没有可到达的结束事件')
  return start.id
}

/** From which steps of its scope each one can still be reached. */
function reachedFrom(target: string, own: readonly FlowNode[]): string[] {
  const before = new Map<string, string[]>()
  for (const node of own) for (const to of nextOf(node)) before.set(to, [...(before.get(to) ?? []), node.id])
  const found = new Set<string>()
  const open = [target]
  for (let id = open.pop(); id !== undefined; id = open.pop())
    for (const from of before.get(id) ?? []) {
      if (found.has(from) || from === target) continue
      found.add(from)
      open.push(from)
    }
  return own.map(({ id }) => id).filter(id => found.has(id))
}

/**
 * Makes steps into a process whose every scope begins at one place, always comes to rest at a step that waits or at an end, and
 * leaves no step out.
 * @param elementOf the element of a step by its id; for anything else the one of the process
 * @throws FlowProblem that names the step and its line
 */
export function checkFlow(read: readonly FlowNode[], elementOf: (id: string) => XmlElement): Steps {
  const nodes: Nodes = new Map(read.map(one => [one.id, one]))
  const scopes = [null, ...read.filter(({ type }) => type === 'subProcess').map(({ id }) => id)]
  const starts = scopes.map(scope =>
    checkScope(
      read.filter(one => one.scope === scope),
      nodes,
      elementOf(scope ?? ''),
      elementOf,
    ),
  )
  const [start] = starts
  if (start === undefined) throw new FlowProblem('应有且只有一个开始事件')
  const incoming = (id: string) => read.reduce((n, { out }) => n + out.filter(({ to }) => to === id).length, 0)
  const whole = read.map(node => {
    // One way in alone has nothing to wait for.
    if (node.type !== 'inclusiveGateway' || incoming(node.id) < 2) return node
    const own = read.filter(({ scope }) => scope === node.scope)
    return { ...node, reachedFrom: reachedFrom(node.id, own) }
  })
  return { start, nodes: Object.fromEntries(whole.map(one => [one.id, one])) }
}
