import type { ReactNode } from 'react'
import { useSmall } from '../window/use-width.ts'
import { DictTag } from './DictText.tsx'
import './job-graph.css'

/** A node as the server tells of it; the state is that of a run. */
interface Node {
  readonly name: string
  readonly job: string
  readonly after: readonly string[]
  readonly state?: number
}

interface Place {
  readonly node: Node
  readonly x: number
  readonly y: number
}

/** Pixels of a node, and between two of them. */
const box = { width: 150, height: 58, right: 44, below: 14 }

/** How far each node is from the first ones: one step behind the farthest that it waits for. */
function depths(nodes: readonly Node[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  // Without a circle no node is farther than there are nodes.
  for (const _ of nodes)
    for (const { name, after } of nodes)
      found.set(name, Math.max(0, ...after.map(before => Math.min(nodes.length, (found.get(before) ?? -1) + 1))))
  return found
}

function placed(nodes: readonly Node[]): readonly Place[] {
  const far = depths(nodes)
  const taken = new Map<number, number>()
  return nodes.map(node => {
    const column = far.get(node.name) ?? 0
    const line = taken.get(column) ?? 0
    taken.set(column, line + 1)
    return { node, x: column * (box.width + box.right), y: line * (box.height + box.below) }
  })
}

/** The nodes of a workflow from left to right, with lines to those that wait for them; on a phone one under the other. */
export default function JobGraph(props: { title: string; nodes: readonly Node[] }): ReactNode {
  return useSmall() ? <NodeList {...props} /> : <Drawing {...props} />
}

/** On a phone there is no room to draw: the nodes one under the other, those that are waited for first. */
function NodeList({ title, nodes }: { title: string; nodes: readonly Node[] }): ReactNode {
  const far = depths(nodes)
  const inOrder = nodes.toSorted((one, other) => (far.get(one.name) ?? 0) - (far.get(other.name) ?? 0))
  return (
    <ol className="job-graph-list" aria-label={title}>
      {inOrder.map(({ name, state }) => (
        <li key={name}>
          {name} {state !== undefined && <DictTag code="job_step_state" value={state} />}
        </li>
      ))}
    </ol>
  )
}

function Drawing({ title, nodes }: { title: string; nodes: readonly Node[] }): ReactNode {
  const places = placed(nodes)
  const width = Math.max(0, ...places.map(place => place.x)) + box.width
  const height = Math.max(0, ...places.map(place => place.y)) + box.height
  const lines = places.flatMap(to =>
    to.node.after.flatMap(name => {
      const from = places.find(place => place.node.name === name)
      return from ? [{ from, to }] : []
    }),
  )
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
    <section className="job-graph" aria-label={title} tabIndex={0}>
      <div style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true">
          {lines.map(({ from, to }) => {
            const [x1, y1] = [from.x + box.width, from.y + box.height / 2]
            const [x2, y2] = [to.x - 5, to.y + box.height / 2]
            const bend = (x1 + x2) / 2
            return (
              <g key={`${from.node.name} ${to.node.name}`}>
                <path d={`M${x1} ${y1} C${bend} ${y1} ${bend} ${y2} ${x2} ${y2}`} />
                <path className="job-graph-head" d={`M${x2} ${y2 - 4} l5 4 l-5 4 z`} />
              </g>
            )
          })}
        </svg>
        <ul>
          {places.map(({ node, x, y }) => (
            <li key={node.name} style={{ left: x, top: y, width: box.width, height: box.height }} title={node.job}>
              <strong>{node.name}</strong>
              {node.state === undefined ? (
                <span>{node.job}</span>
              ) : (
                <DictTag code="job_step_state" value={node.state} />
              )}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
