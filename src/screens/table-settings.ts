import { useState } from 'react'
import { session } from '../platform/http/browser/session.ts'

/** How close the lines of a table stand, as antd names it. */
export type Density = 'large' | 'medium' | 'small'

/** How one person likes one table. */
export interface TableSettings {
  readonly density: Density
  /** Columns shown, by field; missing as long as the person has chosen none. */
  readonly columns?: readonly string[]
}

const BEGIN: TableSettings = { density: 'medium' }

const keyOf = (resource: string): string => `juxian-table-${session.get()?.user_id ?? ''}-${resource}`

function read(key: string): TableSettings {
  try {
    return { ...BEGIN, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<TableSettings>) }
  } catch {
    return BEGIN
  }
}

/** The settings of a table, kept on this device for each person. */
export function useTableSettings(resource: string): [TableSettings, (next: TableSettings) => void] {
  const key = keyOf(resource)
  const [settings, set] = useState(() => read(key))
  const keep = (next: TableSettings): void => {
    localStorage.setItem(key, JSON.stringify(next))
    set(next)
  }
  return [settings, keep]
}
