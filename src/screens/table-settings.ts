import { usePreference } from './preferences.ts'

/** How close the lines of a table stand, as antd names it. */
export type Density = 'large' | 'medium' | 'small'

/** How one person likes one table. */
export interface TableSettings {
  readonly density: Density
  /** Columns shown, by field; missing as long as the person has chosen none. */
  readonly columns?: readonly string[]
  /** Pixels of the columns whose width the person has chosen, by field. */
  readonly widths?: Readonly<Record<string, number>>
}

const BEGIN: TableSettings = { density: 'medium' }

/** The settings of a table, kept for each person on whichever device. */
export function useTableSettings(resource: string): [TableSettings, (next: TableSettings) => void] {
  const [kept, change] = usePreference<TableSettings>(`table.${resource}`)
  const settings = { ...BEGIN, ...kept }
  const keep = (next: TableSettings): void => {
    const { density, columns, widths } = next
    // What has not changed may have been changed in another window.
    change({
      ...(density !== settings.density && { density }),
      ...(columns !== settings.columns && { columns }),
      ...(widths !== settings.widths && { widths }),
    })
  }
  return [settings, keep]
}
