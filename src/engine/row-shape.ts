import { baseFields, type Entity, type Fields, fieldOf } from './entity.ts'
import { type Field, integer, optional, text } from './field.ts'
import type { Resource } from './resource.ts'
import { type Group, id, type Shape, type Sometimes, sometimes, type Tree, type Truth, tree, truth } from './shape.ts'

type Some<F> = { readonly [K in keyof F]: Sometimes<F[K]> }
type Maybe<F> = { readonly [K in keyof F]: Sometimes<F[K] & { readonly optional: true }> }

/** The words beside references. */
type Labels<F> = {
  readonly [K in keyof F as F[K] extends Field<string, 'ref' | 'refs'> ? `${K & string}Name` : never]: Sometimes<
    Field<string, 'text'>
  >
}

type RowFields<E> = E extends Entity<string, infer F> ? Some<F> & Labels<F> : never

/**
 * The shape of a row of a resource: what it is called by, each field that its reader may see with the words beside references,
 * what is derived (`D`), and what every row has.
 */
export type RowShape<E, D = Record<never, never>> = Group<
  { readonly id: Field<string, 'ref'>; readonly version: Sometimes<Field<number, 'integer'>> } & RowFields<E> &
    Maybe<typeof baseFields> &
    Labels<typeof baseFields> &
    Maybe<D>
>

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
export function rowOf<E extends Entity, A, D extends Fields>(resource: Resource<E, A, D>): RowShape<E, D> {
  const { entity, derived, names, aliases, steps } = resource as unknown as Resource
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
  }
  return { shape: 'group', of: fields } as never
}

/** The shape of a row of a tree with those below it. */
export type BranchShape<E, D> = Tree<RowShape<E, D>['of'] & { readonly hasChildren: Sometimes<Truth> }>

/** The rows of a resource with those below them, or with the word that there are some. */
export const branchOf = <E extends Entity, A, D extends Fields>(resource: Resource<E, A, D>): BranchShape<E, D> =>
  tree(`${resource.name}-branch`, { ...rowOf(resource).of, hasChildren: sometimes(truth('是否有下级')) })
