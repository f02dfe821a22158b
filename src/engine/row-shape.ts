import { baseFields, type Entity, type Fields, fieldOf } from './entity.ts'
import { type Field, integer, json, optional, text } from './field.ts'
import type { Resource } from './resource.ts'
import { type Group, id, list, openGroup, type Shape, type Sometimes, sometimes } from './shape.ts'

type RowFields<E> = E extends Entity<string, infer F> ? { readonly [K in keyof F]: Sometimes<F[K]> } : never

/** The shape of a row of a resource: what it is called by, and each field that its reader may see. */
export type RowShape<E> = Group<{ readonly id: Field<string, 'ref'> } & RowFields<E>>

const shown = ({ hidden, kind }: Field): boolean => !hidden && kind !== 'secret'

/** A word beside a reference or a key. */
const label = (title: string): Shape => sometimes(text(title))

/** Whoever may not read a field has a row without it, and large ones stand in the detail only. */
const named = (entries: readonly (readonly [string, Field | undefined])[]): [string, Shape][] =>
  entries.flatMap(([name, field]) => (field && shown(field) ? [[name, sometimes(field)]] : []))

/**
 * The rows of a resource as lists and details answer them: its fields and those behind references, with the words beside references and keys, second names,
 * derived fields, and what every row has.
 */
export function rowOf<E extends Entity, A, D extends Fields>(resource: Resource<E, A, D>): RowShape<E> {
  const { entity, derived, names, aliases, tree, steps } = resource as unknown as Resource
  const own = Object.entries(entity.properties)
  const base = Object.entries(baseFields).map(([name, field]) => [name, optional(field)] as const)
  const far = Object.entries(steps).map(([name, { field }]) => [name, optional(field)] as const)
  const references = [...own, ...base, ...far].filter(([, { kind }]) => kind === 'ref' || kind === 'refs')
  const fields: Record<string, Shape> = {
    id: id('编号'),
    ...Object.fromEntries(named(base)),
    tenantId: sometimes(text('租户')),
    status: sometimes(integer('状态')),
    isDeleted: sometimes(integer('是否已删除')),
    ...(entity.version && { version: integer('版本号') }),
    ...Object.fromEntries(named(own)),
    ...Object.fromEntries(named(far)),
    ...Object.fromEntries(references.map(([name, field]) => [`${name}Name`, label(field.title)])),
    ...Object.fromEntries(Object.keys(names).map(name => [name, label(fieldOf(entity, names[name]!)?.title ?? name)])),
    ...Object.fromEntries(named(Object.keys(aliases).map(name => [name, fieldOf(entity, aliases[name]!)]))),
    ...Object.fromEntries(named(Object.entries(derived).map(([name, field]) => [name, optional(field)]))),
    ...(tree && { children: sometimes(list(openGroup({}))), hasChildren: sometimes(json('下级')) }),
  }
  return { shape: 'group', of: fields } as never
}
