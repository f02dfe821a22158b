import { variablesOf } from '../expression.ts'
import type { FlowNode, Graph, Line, NodeType } from '../flow-graph.ts'

/** A step of a graph by its id. */
export function stepOf(graph: Graph, id: string): FlowNode {
  const found = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
  if (!found) throw new Error(`The graph has no step «${id}».`)
  return found
}

/** Lines that lead to a step. */
export const incomingOf = (graph: Graph, id: string): readonly Line[] =>
  Object.values(graph.nodes).flatMap(({ out }) => out.filter(({ to }) => to === id))

/** Steps a token may come to directly from a step of its own scope: by its lines, or by an event at its border. */
const next = ({ out, boundary }: FlowNode): readonly string[] => [...out.map(({ to }) => to), ...boundary]

/** Steps of the same scope that can be reached from one; itself only where a way leads back. */
function reachedIn(graph: Graph, from: string, without?: string): Set<string> {
  const found = new Set<string>()
  const open = [...next(stepOf(graph, from))]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id) || id === without) continue
    found.add(id)
    open.push(...next(stepOf(graph, id)))
  }
  return found
}

/**
 * Steps a run may still come to from one: by its lines and its borders, into sub-processes and out of them.
 * @returns ids; the step itself only where a way leads back
 */
export function ahead(graph: Graph, from: string): Set<string> {
  const found = new Set<string>()
  const open = [...next(stepOf(graph, from))]
  const { scope } = stepOf(graph, from)
  if (scope) open.push(...next(stepOf(graph, scope)))
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    const node = stepOf(graph, id)
    open.push(...next(node))
    if (node.type === 'subProcess') open.push(node.start)
    if (node.scope) open.push(...next(stepOf(graph, node.scope)))
  }
  return found
}

/** The step at which a scope begins. */
const startOf = (graph: Graph, scope: string | null): string => {
  if (scope === null) return graph.start
  const node = stepOf(graph, scope)
  if (node.type !== 'subProcess') throw new Error(`The step «${scope}» is no sub-process.`)
  return node.start
}

/**
 * Whether every way to a step passes another one of the same scope, so that one can go back there with nothing left out or
 * done twice. Ways through that other one alone count as well.
 */
function passesThrough(graph: Graph, target: string, from: string): boolean {
  const { scope } = stepOf(graph, target)
  const start = startOf(graph, scope)
  // The step of the target's scope that the other one is or is inside of.
  let at = stepOf(graph, from)
  while (at.scope !== scope) {
    if (at.scope === null) return false
    at = stepOf(graph, at.scope)
  }
  if (at.id === target) return false
  if (start === target) return true
  return start !== at.id && !reachedIn(graph, start, target).has(at.id)
}

/** Steps to which one can go back from another, of its own scope and those around it; whether they were passed is not asked. */
export const backwards = (graph: Graph, from: string): FlowNode[] =>
  Object.values(graph.nodes).filter(
    node => (node.type === 'userTask' || node.id === graph.start) && passesThrough(graph, node.id, from),
  )

const decisions = new Set(['pass', 'approved', 'outcome', 'nrOfPassed', 'nrOfRejected'])

const readsDecision = (line: Line): boolean =>
  line.when ? variablesOf(line.when).some(one => decisions.has(one)) : false

/** Steps that stop a token. */
const stops = new Set<NodeType>(['userTask', 'receiveTask', 'intermediateCatchEvent', 'callActivity'])

/**
 * Whether something between a step and the next ones that wait asks how it was decided. Where nothing does, a refusal would
 * count for nothing.
 */
export function heedsDecision(graph: Graph, from: string): boolean {
  const met = new Set<string>()
  const open: string[] = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const { out, scope, loop } = stepOf(graph, id)
    if (out.some(readsDecision)) return true
    // The end of a scope is the end of a repetition, too.
    const isEnd = out.length === 0 && scope !== null
    const around = isEnd ? stepOf(graph, scope) : undefined
    for (const part of [id === from ? loop : undefined, around?.loop])
      if (part?.done && variablesOf(part.done).some(one => decisions.has(one))) return true
    const ways = around ? [around.id] : out.map(({ to }) => to).filter(to => !stops.has(stepOf(graph, to).type))
    for (const to of ways) {
      const node = stepOf(graph, to)
      const entered = node.type === 'subProcess' && !around ? node.start : to
      if (met.has(entered)) continue
      met.add(entered)
      open.push(entered)
    }
  }
  return false
}
