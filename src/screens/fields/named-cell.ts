import type { CellName, InputName, Resource } from '#engine'

/** Inputs whose values are shown by the cell of the same name. */
const shownAsEntered: readonly (CellName & InputName)[] = [
  'hardRules',
  'ticketPics',
  'parameter',
  'expenseItems',
  'events',
]

/** The named cell that shows a field of a resource: that of its column, else that of its input; undefined where the kind's own does. */
export function namedCell({ columns, form }: Pick<Resource, 'columns' | 'form'>, name: string): CellName | undefined {
  const inputs = form.flatMap(group => group.inputs)
  const entered = inputs.find(one => one.field === name)?.as
  return columns.find(one => one.field === name && one.as)?.as ?? shownAsEntered.find(shared => shared === entered)
}
