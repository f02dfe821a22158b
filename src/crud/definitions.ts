import { check, type Resource } from '#engine'
import { hasRefusal } from '../platform/http/server/refusal.ts'
import { unruled } from './scope.ts'

/** Actions that refuse with something that has no text. */
const unknownRefusals = (resources: readonly Resource[]): string[] =>
  resources.flatMap(({ code, actions }) =>
    Object.entries<{ refusal?: string }>(actions).flatMap(([name, { refusal }]) =>
      refusal === undefined || hasRefusal(refusal) ? [] : `${code}.${name}: there is no refusal ${refusal}`,
    ),
  )

/** Says that the definitions do not fit together. @throws with one sentence for each problem, naming definition and field */
export function checkDefinitions(resources: readonly Resource[]): void {
  const problems = [...check(resources), ...unruled(resources), ...unknownRefusals(resources)]
  if (problems.length > 0) throw new Error(`The definitions do not fit together:\n${problems.join('\n')}`)
}
