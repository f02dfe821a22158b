import { wrongInput } from '../../../crud/input.ts'
import { FlowProblem } from '../rules/problem.ts'

/**
 * Does something with a model that came by an input; what is wrong with it is told about the input.
 * @throws input.invalid in the words of the problem
 */
export async function aboutModel<T>(field: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FlowProblem ? wrongInput([{ field, msg: error.message }]) : error
  }
}
