import type { RowButton } from './ActionButtons.tsx'
import { type AnyAction, actionsOfRow, idOf, isEditable, isRemovable } from './actions.ts'
import type { ListScreenProps, Opened } from './list-props.ts'
import type { Actions } from './use-actions.tsx'
import type { TableRow } from './use-rows.ts'
import { placeRoute } from './workspace/place-route.ts'

/** Label of the generated detail. */
const VIEW = '查看'

/** What the buttons at a row stand on. */
interface Row {
  props: ListScreenProps
  may: (what: string) => boolean
  actions: Actions
  open: (opened: Opened) => void
  remove: (ids: readonly string[]) => void
  reload: () => void
}

/** Key of the button that leads to the workspace of a row. */
const ENTER = 'enter'

/** What opens a row: the button that leads to its workspace, or shows it. */
export const openingOf = (buttons: readonly RowButton[]): RowButton | undefined =>
  buttons.find(({ key, label }) => key === ENTER || key === 'view' || label === VIEW)

/** Address of a page for a row, where it asks for nothing but its id. */
const addressOf = (pattern: string | undefined, id: string): string | undefined => {
  const address = pattern?.replace(':id', id)
  return address?.includes(':') ? undefined : address
}

/** The buttons at a row: what the definition offers, the person may do and the row allows. */
export function rowButtons(row: TableRow, { props, may, actions, open, remove, reload }: Row): RowButton[] {
  const { resource, slots, filter } = props
  const id = idOf(resource, row)
  const { tree } = resource
  const below = { ...filter, ...(tree && { [tree.parent]: id }) }
  const own = actionsOfRow(resource, row)
    .filter(action => may(action.name))
    .map(action => ({
      key: action.name,
      label: action.label,
      danger: action.danger,
      to: addressOf(action.open, id),
      run: () => actions.start(action, [row]),
    }))
  const place = placeRoute(resource)
  const enter = { name: 'enter', label: '打开', call: 'GET workspace?id', open: place } as AnyAction
  // A page of its own takes the place of the generated detail.
  const viewed = may('view') && !own.some(button => button.label === VIEW)
  return [
    ...(viewed && place
      ? [{ key: ENTER, label: enter.label, to: addressOf(place, id), run: () => actions.start(enter, [row]) }]
      : []),
    ...(viewed ? [{ key: 'view', label: VIEW, run: () => open({ what: 'detail', row }) }] : []),
    ...(may('edit') && isEditable(resource, row)
      ? [{ key: 'edit', label: '编辑', run: () => open({ what: 'form', row }) }]
      : []),
    ...own,
    ...(tree && may('add')
      ? [{ key: 'below', label: '新增子项', run: () => open({ what: 'form', row: null, defaults: below }) }]
      : []),
    ...(slots?.rowButtons?.(row, reload) ?? []),
    ...(may('remove') && isRemovable(resource, row)
      ? [{ key: 'remove', label: '删除', danger: true, run: () => remove([id]) }]
      : []),
  ]
}
