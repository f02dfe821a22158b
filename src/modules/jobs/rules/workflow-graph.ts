/** A node with the names of those that it waits for, joined by commas. */
export interface GraphNode {
  readonly nodeName: string
  readonly afterNodes: string | null
}

/** What is wrong with a node, in words. */
export interface NodeProblem {
  readonly nodeName: string
  readonly field: 'nodeName' | 'afterNodes'
  readonly msg: string
}

/** Names in a list that is joined by commas, each once. */
export const nodeNames = (list: string | null | undefined): string[] => [
  ...new Set(
    (list ?? '')
      .split(/[,，]/)
      .map(name => name.trim())
      .filter(Boolean),
  ),
]

/** Nodes that wait for each other in a circle, in their order; empty where there is none. */
function circleIn(nodes: readonly GraphNode[]): readonly string[] {
  let left = new Map(nodes.map(node => [node.nodeName, nodeNames(node.afterNodes)]))
  // Nodes that wait for nothing that is left are taken away until none is: what stays is a circle, and what is behind it.
  for (;;) {
    const free = [...left].filter(([, after]) => !after.some(name => left.has(name))).map(([name]) => name)
    if (free.length === 0) break
    left = new Map([...left].filter(([name]) => !free.includes(name)))
  }
  const path: string[] = []
  let [at] = left.keys()
  while (at !== undefined && !path.includes(at)) {
    path.push(at)
    at = left.get(at)?.find(name => left.has(name))
  }
  return at === undefined ? [] : path.slice(path.indexOf(at)).toReversed()
}

/** What is wrong with the nodes of a workflow: a name that two have, a node that is not there, a circle. */
export function graphProblems(nodes: readonly GraphNode[]): readonly NodeProblem[] {
  const names = nodes.map(node => node.nodeName)
  const problems: NodeProblem[] = []
  for (const [at, { nodeName, afterNodes }] of nodes.entries()) {
    if (names.indexOf(nodeName) < at) problems.push({ nodeName, field: 'nodeName', msg: `节点名称“${nodeName}”重复` })
    for (const before of nodeNames(afterNodes)) {
      if (before === nodeName)
        problems.push({ nodeName, field: 'afterNodes', msg: `节点“${nodeName}”不能是自己的前置节点` })
      else if (!names.includes(before))
        problems.push({ nodeName, field: 'afterNodes', msg: `节点“${nodeName}”的前置节点“${before}”不存在` })
    }
  }
  if (problems.length > 0) return problems
  const circle = circleIn(nodes)
  const [first] = circle
  if (first === undefined) return []
  return [{ nodeName: first, field: 'afterNodes', msg: `前置节点形成循环：${[...circle, first].join(' → ')}` }]
}
