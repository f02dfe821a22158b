import type { Resource } from '#engine'
import type { RowButton } from './ActionButtons.tsx'
import { actionsAt, idOf } from './actions.ts'
import type { Actions } from './use-actions.tsx'
import type { TableRow } from './use-rows.ts'

interface Chosen {
  resource: Resource
  may: (what: string) => boolean
  actions: Actions
  chosen: readonly TableRow[]
  remove: (ids: readonly string[]) => void
  /** Asks which fields of the rows are changed, and to what. */
  change: () => void
  /** Says that nothing is chosen. */
  warn: () => void
}

/** What is done to several rows at once: the actions of the definition, changing fields, deleting last. */
export function bulkButtons({ resource, may, actions, chosen, remove, change, warn }: Chosen): readonly RowButton[] {
  const own = actionsAt(resource, 'rows')
    .filter(action => may(action.name))
    .map(action => ({
      key: action.name,
      label: action.label,
      danger: action.danger,
      run: () => (chosen.length > 0 ? actions.start(action, chosen) : warn()),
    }))
  const removing = {
    key: 'remove',
    label: '删除',
    danger: true,
    run: () => remove(chosen.map(row => idOf(resource, row))),
  }
  const changing = { key: 'change', label: '批量修改', run: () => (chosen.length > 0 ? change() : warn()) }
  return [...own, ...(resource.bulk.length > 0 && may('edit') ? [changing] : []), ...(may('remove') ? [removing] : [])]
}
