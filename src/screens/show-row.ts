import { createContext } from 'react'
import type { Resource } from '#engine'
import type { RowButton } from './ActionButtons.tsx'
import type { TableRow } from './use-rows.ts'

/** Shows a row of any resource over the list that names it; nothing where no list does. */
export const ShowRow = createContext<((resource: Resource, id: string) => void) | undefined>(undefined)

/** What can be done with a row of the list around, for cells whose state is also the next step. */
export const RowActs = createContext<(row: TableRow) => readonly RowButton[]>(() => [])
