import { type Action, type Condition, matches, type Resource } from '#engine'
import { session } from '../platform/http/browser/session.ts'
import type { WireRow } from './fields/props.ts'

/** An action as a screen reads it, whatever its entity. */
export interface AnyAction extends Omit<Action<never>, 'when' | 'askWhen' | 'single' | 'input' | 'begin' | 'second'> {
  readonly name: string
  readonly when?: Condition
  readonly askWhen?: Condition
  readonly single?: Condition | false
  readonly input?: readonly string[]
  readonly second?: string
  readonly begin?: Readonly<Record<string, string>>
}

/** Where a button stands. */
export type Place = 'row' | 'rows' | 'toolbar' | 'empty'

/** The actions of a resource that stand in a place. */
export function actionsAt(resource: Resource, place: Place): readonly AnyAction[] {
  const all = Object.entries(resource.actions as Record<string, Omit<AnyAction, 'name'>>)
  return all.filter(([, one]) => (one.on ?? 'row') === place).map(([name, one]) => ({ ...one, name }))
}

/** The actions that a row offers by itself: its own, and those on selected rows that one alone may have. */
export function actionsOfRow(resource: Resource, row: WireRow): readonly AnyAction[] {
  const own = actionsAt(resource, 'row')
  const shared = actionsAt(resource, 'rows').filter(
    ({ label, single }) => single !== false && matches(row, single) && !own.some(one => one.label === label),
  )
  return [...own, ...shared].filter(action => applies(action, row))
}

/** Whether a row is one an action applies to, for the person who is signed in. */
export const applies = (action: AnyAction, row: WireRow): boolean =>
  matches(row, action.when) && !(action.second && isMe(row[action.second]))

/** Whether an id is that of the person who is signed in. */
const isMe = (id: unknown): boolean => Boolean(id) && String(id) === session.get()?.user_id

/** Whether a row is built in: neither changed nor removed. */
const isBuiltIn = (resource: Resource, row: WireRow): boolean =>
  resource.sealed !== null && matches(row, resource.sealed)

/** Whether the state of a row allows its form. */
export const isEditable = (resource: Resource, row: WireRow): boolean =>
  !isBuiltIn(resource, row) && (resource.editable === null || matches(row, resource.editable))

/** Whether the state of a row allows that it is removed. */
export const isRemovable = (resource: Resource, row: WireRow): boolean =>
  !isBuiltIn(resource, row) && (resource.removable === null || matches(row, resource.removable.when))

/** The id by which a row is addressed. */
export const idOf = (resource: Resource, row: WireRow): string => String(row[resource.entity.key])
