import { check, type Resource } from '#engine'
import { unruled } from './scope.ts'

/** Says that the definitions do not fit together. @throws with one sentence for each problem, naming definition and field */
export function checkDefinitions(resources: readonly Resource[]): void {
  const problems = [...check(resources), ...unruled(resources)]
  if (problems.length > 0) throw new Error(`The definitions do not fit together:\n${problems.join('\n')}`)
}
