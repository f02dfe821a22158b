import { type Expression, holds, type Variables } from './expression.ts'
import { FlowProblem } from './problem.ts'

/** A line to the next step. */
export interface Line {
  readonly id: string
  readonly name: string
  readonly to: string
  /** When it is taken; without it always. */
  readonly when?: Expression
}

/** Who has to do a task: a fixed user, whom a variable names, or whoever of some roles claims it. */
export type Doer = { readonly user: string } | { readonly variable: string } | { readonly groups: readonly string[] }

/** Kinds of steps that are carried out. */
export type NodeType = 'startEvent' | 'endEvent' | 'userTask' | 'exclusiveGateway'

/** A step of a process. */
export interface FlowNode {
  readonly id: string
  readonly type: NodeType
  readonly name: string
  /** Ways on, in the order in which they are tried; the default one stands last. */
  readonly out: readonly Line[]
  /** Of tasks. */
  readonly doer?: Doer
}

/** A process as it is carried out. */
export interface Graph {
  readonly start: string
  readonly nodes: Readonly<Record<string, FlowNode>>
}

/** Something that was passed without stopping. */
export interface Passed {
  readonly id: string
  readonly name: string
  readonly type: NodeType | 'sequenceFlow'
}

/** A step of a graph by its id. */
export function nodeOf(graph: Graph, id: string): FlowNode {
  const found = Object.hasOwn(graph.nodes, id) ? graph.nodes[id] : undefined
  if (!found) throw new Error(`The graph has no step «${id}».`)
  return found
}

/**
 * Goes on from a step to the next one at which somebody has to do something, or to an end.
 * @param variables what conditions are calculated with
 * @throws FlowProblem when no way is open or a variable is missing
 */
export function advance(graph: Graph, from: string, variables: Variables): { passed: Passed[]; at: FlowNode } {
  const passed: Passed[] = []
  let at = nodeOf(graph, from)
  do {
    const line = at.out.find(({ when }) => !when || holds(when, variables))
    if (!line) throw new FlowProblem(`${at.name || at.id}没有可走的分支`)
    if (at.type === 'exclusiveGateway') passed.push({ id: at.id, name: at.name, type: at.type })
    passed.push({ id: line.id, name: line.name, type: 'sequenceFlow' })
    at = nodeOf(graph, line.to)
  } while (at.type === 'exclusiveGateway')
  return { passed, at }
}

/** The steps that can be reached from one, itself not among them unless a way leads back. */
export function reachable(graph: Graph, from: string): Set<string> {
  const found = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const { to } of nodeOf(graph, id).out) {
      if (found.has(to)) continue
      found.add(to)
      open.push(to)
    }
  }
  return found
}
