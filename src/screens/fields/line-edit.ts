import { createContext } from 'react'

/** Opens the form of some fields of a row, under a title. */
type LineEdit = (title: string, fields: readonly string[]) => void

/** How parts of a line across a header are changed where they stand; null where whoever looks may not, or it stands elsewhere. */
export const LineEditPlace = createContext<LineEdit | null>(null)
