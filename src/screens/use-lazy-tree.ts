import { useState } from 'react'
import type { Resource } from '#engine'
import { idOf } from './actions.ts'
import { callAny, isPage } from './providers/any-resource.ts'
import type { TableRow } from './use-rows.ts'

type Branch = TableRow & { readonly hasChildren?: boolean; readonly children?: readonly TableRow[] }

function grown(rows: readonly Branch[], resource: Resource, levels: ReadonlyMap<string, readonly Branch[]>): Branch[] {
  return rows.map(row => {
    const level = levels.get(idOf(resource, row))
    if (level) return { ...row, children: grown(level, resource, levels) }
    // An empty list of children makes the row expandable; its level is asked for when it is opened.
    return row.hasChildren ? { ...row, children: [] } : row
  })
}

/** Rows of a tree whose levels are asked for when a row is opened. Other rows come back as they are. */
export function useLazyTree(resource: Resource, rows: readonly TableRow[]) {
  const [levels, setLevels] = useState<ReadonlyMap<string, readonly Branch[]>>(new Map())
  const [of, setOf] = useState(rows)
  // Fresh rows mean that something was changed: levels opened before may be old.
  if (of !== rows) {
    setOf(rows)
    setLevels(new Map())
  }
  if (!resource.tree?.lazy) return { rows, open: undefined }
  const { parent } = resource.tree
  const open = async (row: TableRow): Promise<void> => {
    const id = idOf(resource, row)
    if (levels.has(id)) return
    const level = await callAny(resource, 'list', { params: { [parent]: id } }).catch(() => [])
    setLevels(current => new Map(current).set(id, isPage(level) ? level.records : level))
  }
  return { rows: grown(rows, resource, levels), open }
}
