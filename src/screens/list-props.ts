import type { CrudFilter } from '@refinedev/core'
import type { ReactNode } from 'react'
import type { Resource } from '#engine'
import type { RowButton } from './ActionButtons.tsx'
import type { ChangeColumns } from './DataTable.tsx'
import type { Search, TableRow } from './use-rows.ts'

/** A button of what comes next. */
export interface NextStep {
  /** In Chinese. */
  readonly label: string
  readonly run: () => void
}

/** Places of a generated list that a page may fill. */
export interface Slots {
  /** Above the search. */
  head?: ReactNode
  /** In front of the buttons above the table. */
  toolbar?: (rows: {
    reload: () => void
    chosen: readonly TableRow[]
    /** What the list shows now. */
    filters: readonly CrudFilter[]
  }) => ReactNode
  /** Further buttons at a row, before deleting. */
  rowButtons?: (row: TableRow, reload: () => void) => readonly RowButton[]
  columns?: ChangeColumns
  /** First among what comes next where there are no rows. */
  next?: readonly NextStep[]
}

/** What a generated list is given. */
export interface ListScreenProps {
  resource: Resource
  /** Fixed filters, such as the parent of child rows; also the values of a new row. */
  filter?: Search
  /** Inside another screen: no title, search and page stay out of the address. */
  embedded?: boolean
  /** Inside another screen it has its named filters all the same, the one that is shown in the address. */
  chips?: true
  /** It has half a window: the buttons of a row stand in a menu. */
  compact?: boolean
  /** Title instead of the resource's own, in Chinese. */
  title?: string
  slots?: Slots
  /** Rows are chosen as a whole, such as the parent of other rows. */
  onRow?: (row: TableRow) => void
  current?: string
  /** What is open over it at first. */
  begin?: Opened | undefined
  /** Called when a row has been added or changed by its form. */
  onSaved?: (() => void) | undefined
  /** Called when rows have been read again, for what counts them elsewhere on the page. */
  onRead?: () => void
}

/** What is open over a list. */
export type Opened =
  | { what: 'form'; row: TableRow | null; defaults?: Record<string, unknown> }
  /** A row of the list, or the one of another resource that it names. */
  | { what: 'detail'; row: TableRow; of?: Resource }
  | { what: 'import' }
  | { what: 'bulk'; rows: readonly TableRow[] }
