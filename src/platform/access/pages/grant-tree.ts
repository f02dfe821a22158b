import type { Wire } from '#engine'
import type { nodeShape } from '../../../screens/contract.ts'

/** A node of a tree to tick. */
export type Node = Wire<typeof nodeShape>

/** A node as the tree on the screen takes it. */
export interface Branch {
  key: string
  title: string
  children?: Branch[]
}

const ids = (nodes: readonly Node[]): string[] => nodes.flatMap(node => [node.id, ...ids(node.children ?? [])])

/** Ids of the ends of a tree: what is ticked there decides what is ticked above. */
export const leaves = (nodes: readonly Node[]): string[] =>
  nodes.flatMap(node => (node.children?.length ? leaves(node.children) : [node.id]))

/** The branches whose own title, or one below it, holds what is looked for. */
export function found(nodes: readonly Node[], text: string, t: (text: string) => string): Branch[] {
  return nodes.flatMap(node => {
    const title = t(node.title)
    const children = found(node.children ?? [], text, t)
    if (text && !title.toLowerCase().includes(text.toLowerCase()) && !children.length) return []
    const below = text && children.length === 0 ? found(node.children ?? [], '', t) : children
    return [{ key: node.id, title, ...(below.length ? { children: below } : {}) }]
  })
}

/** Parents of chosen nodes: a menu whose button is granted is granted too. */
export function withParents(nodes: readonly Node[], chosen: ReadonlySet<string>): string[] {
  return nodes.flatMap(node => {
    const below = withParents(node.children ?? [], chosen)
    return chosen.has(node.id) || below.length ? [node.id, ...below] : below
  })
}

const branchKeys = (branches: readonly Branch[]): string[] =>
  branches.flatMap(branch => [branch.key, ...branchKeys(branch.children ?? [])])

/** The nodes behind the branches shown. */
export function pick(nodes: readonly Node[], branches: readonly Branch[]): Node[] {
  const keys = new Set(branchKeys(branches))
  return nodes
    .filter(node => ids([node]).some(key => keys.has(key)))
    .map(node => ({ ...node, children: pick(node.children ?? [], branches) }))
}
