import { type Child, mostRows, permissionOf, type Resource } from '#engine'
import type { WireRow } from './fields/props.ts'
import { bodyOf, startValues, type Values } from './form-values.ts'
import { dataProvider } from './providers/data.ts'
import { definitionOf } from './window/screens.ts'

/** Rows of another resource that a form holds beside its own. */
export interface FormRows {
  readonly child: Child
  /** The other resource, without the input that names the row of this form. */
  readonly resource: Resource
  /** The rows as they were when the form opened. */
  readonly before: readonly WireRow[]
  /** What may be done to them: offered by the other resource and granted. */
  readonly may: { readonly add: boolean; readonly edit: boolean; readonly remove: boolean }
}

/** Such rows as a form holds them now: they stand under the name of their resource. */
export const rowsIn = (values: Values, { child }: FormRows): readonly Values[] =>
  (values[child.resource] as readonly Values[] | undefined) ?? []

async function rowsOf(child: Child, id: string | undefined, permissions: Readonly<Record<string, true>>) {
  const { form, ...whole } = await definitionOf(child.resource)
  const entered = form.map(group => ({ ...group, inputs: group.inputs.filter(input => input.field !== child.by) }))
  const resource: Resource = { ...whole, form: entered }
  const may = (what: 'view' | 'add' | 'edit' | 'remove'): boolean =>
    resource.can.includes(what) && permissions[permissionOf(resource, what)] === true
  if (!may('view')) return []
  const filters = [{ field: child.by, operator: 'eq' as const, value: id }]
  const pagination = { currentPage: 1, pageSize: mostRows, mode: 'server' as const }
  const { data } = id ? await dataProvider.getList({ resource: resource.name, filters, pagination }) : { data: [] }
  const before = data as readonly WireRow[]
  return [{ child, resource, before, may: { add: may('add'), edit: may('edit'), remove: may('remove') } }]
}

/**
 * The rows that the form of a row holds beside its own, of those resources that the person may see.
 * @param id of the row; missing for a new one
 */
export async function formRowsOf(
  { children }: Resource,
  id: string | undefined,
  permissions: Readonly<Record<string, true>>,
): Promise<readonly FormRows[]> {
  const held = children.filter(child => child.in === 'form')
  return (await Promise.all(held.map(child => rowsOf(child, id, permissions)))).flat()
}

/** What a form starts with of such rows. */
export const startRows = (rows: readonly FormRows[]): Values =>
  Object.fromEntries(
    rows.map(({ child, resource, before }) => [
      child.resource,
      before.map(row => ({ id: row.id, ...startValues(resource, row) })),
    ]),
  )

const isSame = (one: unknown, other: unknown): boolean => String(one ?? '') === String(other ?? '')

function changeOf(resource: Resource, values: Values, before: WireRow): Values {
  const changed = Object.entries(bodyOf(resource, values, before)).filter(
    ([name, value]) => name !== 'version' && !isSame(value, before[name]),
  )
  const { version } = resource.entity
  return {
    id: before.id,
    ...(changed.length > 0 && version && { version: before.version }),
    ...Object.fromEntries(changed),
  }
}

/**
 * What a submit carries of such rows: all of them in their order, so that the server can name a row by its place, and those that
 * were removed after them. Nothing for a resource of which no row has changed.
 */
export function rowsBody(rows: readonly FormRows[], values: Values): Values {
  const lists = rows.map(one => {
    const { child, resource, before } = one
    const now = rowsIn(values, one)
    const kept = now.map(row => {
      const known = before.find(other => other.id === row.id)
      return known ? changeOf(resource, row, known) : bodyOf(resource, row, null)
    })
    const gone = before.filter(row => !now.some(other => other.id === row.id))
    const list = [...kept, ...gone.map(({ id }) => ({ id, isDeleted: 1 }))]
    const isChanged = list.some(row => Object.keys(row).some(name => name !== 'id') || row.id === undefined)
    return [child.resource, isChanged ? list : undefined] as const
  })
  return Object.fromEntries(lists.filter(([, list]) => list !== undefined))
}
