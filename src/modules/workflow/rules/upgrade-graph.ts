import type { Expression } from './expression.ts'
import { type Doers, type FlowNode, type Graph, graphFormat, type Line } from './flow-graph.ts'

/** A step as the first form of stored graphs had it. */
interface FirstNode {
  readonly id: string
  readonly type: 'startEvent' | 'endEvent' | 'userTask' | 'exclusiveGateway'
  readonly name: string
  readonly out: readonly {
    readonly id: string
    readonly name: string
    readonly to: string
    readonly when?: Expression
  }[]
  readonly doer?: { readonly user: string } | { readonly variable: string } | { readonly groups: readonly string[] }
}

/** The first form of stored graphs: start, end, tasks and exclusive gateways, one token. */
interface FirstGraph {
  readonly start: string
  readonly nodes: Readonly<Record<string, FirstNode>>
}

const nobody: Pick<Doers, 'candidateUsers' | 'candidateGroups'> = { candidateUsers: [], candidateGroups: [] }

function doersOf({ id, doer }: FirstNode): Doers {
  if (!doer) throw new Error(`The task «${id}» has nobody.`)
  if ('groups' in doer) return { ...nobody, candidateGroups: doer.groups.map(role => ({ role })) }
  return { ...nobody, assignee: 'user' in doer ? { user: doer.user } : { value: { name: doer.variable } } }
}

function nodeOf(first: FirstNode): FlowNode {
  const { id, type, name } = first
  const out: readonly Line[] = first.out
  // The way without a condition was the default one, and stood last.
  const last = type === 'exclusiveGateway' ? out.findLast(({ when }) => !when) : undefined
  const common = { id, name, scope: null, out, ...(last && { defaultLine: last.id }), boundary: [], listeners: [] }
  switch (type) {
    case 'endEvent':
      return { ...common, type, how: 'none' }
    case 'userTask':
      return { ...common, type, doers: doersOf(first) }
    default:
      return { ...common, type }
  }
}

/** A stored graph in its present form, whichever it was stored in. */
export function upgradeGraph(stored: object): Graph {
  if ('format' in stored && stored.format === graphFormat) return stored as Graph
  const { start, nodes } = stored as FirstGraph
  return {
    format: graphFormat,
    start,
    nodes: Object.fromEntries(Object.values(nodes).map(one => [one.id, nodeOf(one)])),
    initiatorVariables: [],
    starters: nobody,
    listeners: [],
  }
}
