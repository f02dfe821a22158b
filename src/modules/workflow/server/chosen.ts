import { variablesOf } from '../rules/expression.ts'
import type { FlowNode, Graph } from '../rules/flow-graph.ts'
import { fieldsAt } from '../rules/variable-rights.ts'

/** People whom the one who begins a process picks, by the variable that takes them. */
export interface Chosen {
  readonly name: string
  readonly taskName: string
  /** Whether more than one may be picked. */
  readonly several: boolean
}

/** Names that a process or one of its steps sets. */
function setBy(graph: Graph): Set<string> {
  const names = ['initiator', 'applicant', 'INITIATOR', ...graph.initiatorVariables]
  for (const node of Object.values(graph.nodes)) {
    names.push(...fieldsAt(node).map(({ id }) => id))
    if (node.loop?.elementVariable) names.push(node.loop.elementVariable)
    if ((node.type === 'serviceTask' || node.type === 'sendTask') && node.action.resultVariable)
      names.push(node.action.resultVariable)
    if (node.type === 'callActivity') names.push(...node.outOf.map(({ target }) => target))
  }
  return new Set(names)
}

/** Steps in the order in which a process comes to them first, then those that no line leads to. */
function inOrder({ start, nodes }: Graph): FlowNode[] {
  const seen = new Set([start])
  for (const id of seen) for (const { to } of nodes[id]?.out ?? []) seen.add(to)
  for (const id of Object.keys(nodes)) seen.add(id)
  return [...seen].flatMap(id => nodes[id] ?? [])
}

/** Tasks whose people nothing in the model knows, in their order: whoever begins the process picks them. */
export function chosenIn(graph: Graph): Chosen[] {
  const known = setBy(graph)
  const found = new Map<string, Chosen>()
  const add = (name: string, taskName: string, several: boolean) => {
    if (!known.has(name) && !found.has(name)) found.set(name, { name, taskName, several })
  }
  for (const node of inOrder(graph)) {
    const taskName = node.name || node.id
    if (node.loop?.collection && 'name' in node.loop.collection) add(node.loop.collection.name, taskName, true)
    if (node.type !== 'userTask') continue
    const { assignee, candidateUsers } = node.doers
    if (assignee && 'value' in assignee && 'name' in assignee.value) add(assignee.value.name, taskName, false)
    for (const one of candidateUsers)
      if ('value' in one) for (const name of variablesOf(one.value)) add(name, taskName, true)
  }
  return [...found.values()]
}
