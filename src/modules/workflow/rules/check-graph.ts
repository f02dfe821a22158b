import { type FlowNode, type Graph, nodeOf, reachable } from './graph.ts'
import { FlowProblem } from './problem.ts'

/** The line of the text in which something with an id stands. */
export type Lines = Pick<ReadonlyMap<string, number>, 'get'>

/** What is wrong with the ways out of a step; null for nothing. */
function exitProblem({ type, out }: FlowNode): string | null {
  if (type === 'endEvent') return out.length > 0 ? '结束事件不能有出口' : null
  if (out.length === 0) return '缺少出口'
  if (type !== 'exclusiveGateway') return out.length > 1 ? '只能有一个出口' : null
  // Of ways without a condition only the last one can be meant as "otherwise".
  return out.slice(0, -1).some(({ when }) => !when) ? '网关的分支缺少条件' : null
}

/** Gateways from which one comes back without anybody having done anything would never come to rest. */
function turnsInCircles(graph: Graph, { id, type }: FlowNode): boolean {
  if (type !== 'exclusiveGateway') return false
  const gateways = Object.values(graph.nodes).map(one => (one.type === 'exclusiveGateway' ? one : { ...one, out: [] }))
  const between = { ...graph, nodes: Object.fromEntries(gateways.map(one => [one.id, one])) }
  return reachable(between, id).has(id)
}

function nodeProblem(graph: Graph, node: FlowNode, met: ReadonlySet<string>): string | null {
  if (node.id !== graph.start && !met.has(node.id)) return '从开始事件不能到达'
  return exitProblem(node) ?? (turnsInCircles(graph, node) ? '网关之间形成循环' : null)
}

/**
 * Makes steps into a process that always comes to rest at a task or an end.
 * @param lines where steps stand in the text
 * @throws FlowProblem that names the step and its line
 */
export function checkGraph(nodes: readonly FlowNode[], lines: Lines): Graph {
  const [start, ...others] = nodes.filter(({ type }) => type === 'startEvent')
  if (!start || others.length > 0) throw new FlowProblem('应有且只有一个开始事件')
  const graph: Graph = { start: start.id, nodes: Object.fromEntries(nodes.map(one => [one.id, one])) }
  const loose = nodes.find(one => one.out.some(({ to }) => !Object.hasOwn(graph.nodes, to)))
  const problemOf = (one: FlowNode, words: string) =>
    new FlowProblem(`第${lines.get(one.id) ?? 0}行的${one.id}：${words}`)
  if (loose) throw problemOf(loose, '出口没有连到下一步')
  const met = reachable(graph, start.id)
  for (const node of nodes) {
    const words = nodeProblem(graph, node, met)
    if (words) throw problemOf(node, words)
  }
  if (![...met].some(id => nodeOf(graph, id).type === 'endEvent')) throw new FlowProblem('没有可到达的结束事件')
  return graph
}
