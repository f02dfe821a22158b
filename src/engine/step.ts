import { type BaseName, type Entity, type Fields, fieldOf, type NameOf } from './entity.ts'
import type { Entities, EntityName, Field } from './field.ts'

/** What a reference is called in front of a dot: `examId` is `exam`, `applyUser` is `applyUser`. */
type StepName<K extends string> = K extends `${infer Name}Id` ? Name : K

type TargetOf<F> = F extends { readonly kind: 'ref'; readonly ref: infer N extends EntityName } ? N : never

/** Names of what the rows that an entity refers to hold: `exam.signEndTime` where it has a reference `examId`. */
export type FarName<E> =
  E extends Entity<string, infer F>
    ? {
        [K in keyof F & string]: [TargetOf<F[K]>] extends [never]
          ? never
          : `${StepName<K>}.${NameOf<Entities[TargetOf<F[K]>]> | BaseName}`
      }[keyof F & string]
    : never

/** A field of the row that a reference names. */
export interface Step {
  /** The reference, a field of the entity itself. */
  readonly by: string
  /** The entity it refers to. */
  readonly to: string
  /** Name of the field there. */
  readonly name: string
  readonly field: Field
  /** Label of the reference, said before that of the field where the list has another column of that label. */
  readonly before?: string
}

/** Whether a name is that of a field behind a reference. */
export const isFar = (name: string): boolean => name.includes('.')

const stepName = (field: string): string => (field.endsWith('Id') ? field.slice(0, -2) : field)

/**
 * Where a name with a dot leads; undefined where the entity has no such reference, or what it refers to no such field.
 * @param entityOf finds an entity by its name
 */
export function stepOf(
  { entity, columns }: { readonly entity: Entity; readonly columns: readonly { readonly field: string }[] },
  far: string,
  entityOf: (name: string) => Entity | undefined,
): Step | undefined {
  const [first = '', name = ''] = far.split('.')
  const fields: Fields = entity.properties
  const by = Object.keys(fields).find(one => fields[one]?.kind === 'ref' && stepName(one) === first)
  const reference = by === undefined ? undefined : fields[by]
  const target = entityOf(reference?.ref ?? '')
  const field = target && fieldOf(target, name)
  if (by === undefined || !reference || !target || !field) return undefined
  const isAmbiguous = columns.some(one => fieldOf(entity, one.field)?.title === field.title)
  return { by, to: target.name, name, field, ...(isAmbiguous && { before: reference.title }) }
}
