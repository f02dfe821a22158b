/** A step of a process, by what is drawn for it. */
export interface Node {
  id: string
  shape: 'event' | 'gateway' | 'task'
}

/** A line from one step to another. */
interface Edge {
  id: string
  from: string
  to: string
}

interface Point {
  x: number
  y: number
}

interface Box extends Point {
  width: number
  height: number
}

/** Where everything is drawn. */
export interface Drawn {
  boxes: ReadonlyMap<string, Box>
  lines: ReadonlyMap<string, readonly Point[]>
}

const sizes = {
  event: { width: 36, height: 36 },
  gateway: { width: 50, height: 50 },
  task: { width: 110, height: 80 },
} as const

/** Pixels from the middle of one column, and of one row, to that of the next. */
const apart = { x: 180, y: 130 } as const
/** Pixels between lines that go around. */
const lane = 24

/** Edges that lead back to where one has come from. */
function backEdges(nodes: readonly Node[], edges: readonly Edge[]): Set<string> {
  const back = new Set<string>()
  const state = new Map<string, 'open' | 'done'>()
  const walk = (id: string): void => {
    state.set(id, 'open')
    for (const edge of edges.filter(one => one.from === id)) {
      if (state.get(edge.to) === 'open') back.add(edge.id)
      else if (!state.has(edge.to)) walk(edge.to)
    }
    state.set(id, 'done')
  }
  const isStart = ({ id }: Node): boolean => !edges.some(edge => edge.to === id)
  for (const { id } of [...nodes.filter(isStart), ...nodes]) if (!state.has(id)) walk(id)
  return back
}

/** The column of each step: one behind the last step that leads to it. */
function columnsOf(nodes: readonly Node[], ahead: readonly Edge[]): Map<string, number> {
  const columns = new Map<string, number>()
  const columnOf = (id: string): number => {
    const known = columns.get(id)
    if (known !== undefined) return known
    const before = ahead.filter(edge => edge.to === id).map(edge => columnOf(edge.from))
    const column = before.length > 0 ? Math.max(...before) + 1 : 0
    columns.set(id, column)
    return column
  }
  for (const { id } of nodes) columnOf(id)
  return columns
}

function boxesOf(nodes: readonly Node[], columns: ReadonlyMap<string, number>): Map<string, Box> {
  const boxes = new Map<string, Box>()
  for (const column of new Set(columns.values())) {
    const rows = nodes.filter(node => columns.get(node.id) === column)
    rows.forEach(({ id, shape }, row) => {
      const { width, height } = sizes[shape]
      const middle = (row - (rows.length - 1) / 2) * apart.y
      boxes.set(id, { x: column * apart.x - width / 2, y: middle - height / 2, width, height })
    })
  }
  return boxes
}

const middleOf = (box: Box): number => box.y + box.height / 2
const centreOf = (box: Box): number => box.x + box.width / 2

/** From one column to the next: straight on, or with one step up or down between them. */
function direct(from: Box, to: Box): Point[] {
  const start = { x: from.x + from.width, y: middleOf(from) }
  const end = { x: to.x, y: middleOf(to) }
  if (start.y === end.y) return [start, end]
  const x = (start.x + end.x) / 2
  return [start, { x, y: start.y }, { x, y: end.y }, end]
}

/** Below everything, so that no step is crossed. */
function around(from: Box, to: Box, floor: number): Point[] {
  const [left, right] = [centreOf(from), centreOf(to)]
  return [
    { x: left, y: from.y + from.height },
    { x: left, y: floor },
    { x: right, y: floor },
    { x: right, y: to.y + to.height },
  ]
}

/**
 * Lays out a process whose model has no drawing: steps in columns from left to right, lines that go back or skip a column below
 * all steps. Edges from or to unknown steps are left out.
 */
export function layOut(nodes: readonly Node[], edges: readonly Edge[]): Drawn {
  const known = edges.filter(edge => [edge.from, edge.to].every(id => nodes.some(node => node.id === id)))
  const back = backEdges(nodes, known)
  const columns = columnsOf(
    nodes,
    known.filter(edge => !back.has(edge.id)),
  )
  const boxes = boxesOf(nodes, columns)
  let floor = Math.max(0, ...[...boxes.values()].map(box => box.y + box.height)) + lane
  const lines = new Map<string, readonly Point[]>()
  for (const { id, from, to } of known) {
    const [start, end] = [boxes.get(from), boxes.get(to)]
    if (!start || !end) continue
    const isNext = (columns.get(to) ?? 0) - (columns.get(from) ?? 0) === 1
    if (isNext) lines.set(id, direct(start, end))
    else {
      lines.set(id, around(start, end, floor))
      floor += lane
    }
  }
  return { boxes, lines }
}
