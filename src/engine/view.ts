import type { AnyName } from './action.ts'
import type { Condition } from './condition.ts'
import type { Entity, Fields, FieldsOf, Row } from './entity.ts'
import type { ListView, ListViews } from './list-view.ts'
import {
  type Ability,
  asColumn,
  type Column,
  type EmptyList,
  groupsOf,
  type Inputs,
  permissionOf,
  type Resource,
  type ViewOf,
} from './resource.ts'
import type { SearchBy } from './search.ts'
import type { FarName } from './step.ts'
import type { Todo, Todos } from './todo.ts'

/** Names of the fields that have a word for each of their values. */
type Worded<E> = {
  [K in keyof FieldsOf<E>]: FieldsOf<E>[K] extends { readonly kind: 'state' | 'dict' | 'flag' } ? K : never
}[keyof FieldsOf<E>] &
  keyof Row<E>

/** What a view says. `title` and `route` are its own; whatever else is not said is as the resource has it. */
export interface ViewDefinition<E extends Entity, Action extends string = string, D extends string = never> {
  readonly title: string
  /** Address of the screen. */
  readonly route: string
  /** Permission code of the screen and prefix of its buttons' codes; that of the resource with the view's name by default. */
  readonly code?: string
  /** Which rows it shows. Whoever holds none but this view's permission meets no others. */
  readonly where?: Condition<Row<E>>
  /**
   * One field and those of its values that are shown one at a time, each under its word: `{ invoiceStatus: [1, 2] }`. The view has
   * no rows with other values.
   */
  readonly tabs?: { readonly [K in Worded<E>]?: readonly Row<E>[K][] }
  readonly columns?: readonly (AnyName<E> | FarName<E> | D | Column<AnyName<E> | FarName<E> | D>)[]
  readonly search?: readonly (AnyName<E> | FarName<E>)[]
  readonly searchBy?: Readonly<Partial<Record<AnyName<E> | FarName<E>, SearchBy>>>
  /** What the box above its list searches; that of the resource where it searches by the same fields. */
  readonly find?: readonly (AnyName<E> | FarName<E>)[]
  /** Named filters of its own among its rows. */
  readonly views?: { readonly [name: string]: ListView<Row<E>> }
  /** Which of them wait for somebody, as a resource says it. */
  readonly todos?: { readonly [view: string]: Todo<Row<E>, AnyName<E>> }
  readonly form?: Inputs<E> | Readonly<Record<string, Inputs<E>>>
  /** Those of the resource's actions and transitions that it has; all of them by default. */
  readonly buttons?: readonly Action[]
  /** What stands where there are no rows. */
  readonly empty?: EmptyList<'import' | Action>
  /** Which buttons are drawn at a row, as a resource says it. */
  readonly main?: 'all' | readonly (Ability | Action)[]
  /** What it allows of what the resource does; by default all but adding rows, which could be rows of another view. */
  readonly can?: readonly Exclude<Ability, 'add' | 'import'>[]
  readonly sort?: AnyName<E> | `-${AnyName<E>}`
  readonly pageSize?: Resource['pageSize']
}

/** A further screen on the rows of a resource, in the shape of a resource, so that whatever draws one draws the other. */
export type View = Resource & { readonly view: ViewOf }

/**
 * Defines a further screen on the rows of a resource: another title, other rows, columns, search, form and buttons; the calls are
 * those of the resource. Its permission is one of its own: whoever holds it, but not that of the resource, meets the rows of the
 * view alone.
 * @param resource what is offered
 * @param name tells the views of a resource apart
 */
export function view<E extends Entity, A, D extends Fields, T>(
  resource: Resource<E, A, D, T>,
  name: string,
  definition: ViewDefinition<E, NoInfer<(keyof A | keyof T) & string>, NoInfer<keyof D & string>>,
): View {
  const d = definition
  const [tabs] = Object.entries((d.tabs ?? {}) as Readonly<Record<string, readonly (string | number)[]>>)
  const where = { ...(tabs && { [tabs[0]]: tabs[1] }), ...(d.where as Condition | undefined) }
  const actions = Object.entries<object>(resource.actions)
  const whole = resource as unknown as Resource
  return {
    ...whole,
    name: `${resource.name}.${name}`,
    title: d.title,
    route: d.route,
    code: d.code ?? `${resource.code}_${name}`,
    can: d.can ?? resource.can.filter(one => one !== 'add' && one !== 'import'),
    columns: d.columns?.map(asColumn<Column>) ?? resource.columns,
    search: d.search ?? resource.search,
    find: d.find ?? (d.search ? [] : resource.find),
    views: (d.views ?? {}) as ListViews,
    todos: (d.todos ?? {}) as Todos,
    main: d.main ?? (d.buttons ? null : resource.main),
    empty: d.empty ?? null,
    searchBy: (d.searchBy as Resource['searchBy'] | undefined) ?? resource.searchBy,
    form: d.form ? groupsOf(resource.entity, d.form) : resource.form,
    actions: Object.fromEntries(
      actions.filter(([action]) => d.buttons?.includes(action as never) ?? true),
    ) as Resource['actions'],
    transitions: {},
    sort: d.sort ?? resource.sort,
    pageSize: d.pageSize ?? resource.pageSize,
    order: null,
    bulk: (d.can ?? resource.can).includes('edit') ? resource.bulk : [],
    setting: null,
    view: {
      of: resource.name,
      code: resource.code,
      name,
      where,
      tabs: tabs ? { field: tabs[0], values: tabs[1] } : null,
    },
  }
}

/** A permission code of a resource, and that of a view which does for it on the view's rows. */
export interface StandIn {
  readonly whole: string
  readonly code: string
}

/** The permission codes of a view beside those of its resource for which they stand. */
export function standInsOf(view: View): readonly StandIn[] {
  const whole = { ...view, code: view.view.code }
  const names = [...view.can, ...Object.keys(view.actions)]
  const buttons = names.map(name => ({ whole: permissionOf(whole, name), code: permissionOf(view, name) }))
  return [{ whole: view.view.code, code: view.code }, ...buttons]
}
