import { type Refusal, refuse } from '../../../../platform/http/server/refusal.ts'

/** A PowerJob server that gives no answer, or none that can be read. */
export class ServerUnreachable extends Error {
  override name = 'ServerUnreachable'
}

/** A PowerJob server that has refused what it was asked for. The message is in its words. */
export class ServerRefusal extends Error {
  override name = 'ServerRefusal'
}

/** A PowerJob server that does not know the application, or not with this password. The message is in its words. */
export class WrongPassword extends ServerRefusal {
  override name = 'WrongPassword'
}

/** Whether a server refuses because it has no job, or no run, of this id. */
export const isMissing = (error: unknown): boolean =>
  error instanceof ServerRefusal &&
  /can't find (the )?(job|instance)|(job|instance)[^:]*(doesn't|not) exist/i.test(error.message)

/** An answer's words without the name of the exception that they begin with. */
const wordsOf = (error: Error): string => error.message.replace(/^[\w.$]*(Exception|Error): /, '').slice(0, 300)

/**
 * What a person is told of a failure at a PowerJob server: that it cannot be reached, or what it said.
 * @throws everything that is no failure of such a server
 */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof ServerUnreachable) return refuse('jobs.serverUnreachable')
  if (error instanceof ServerRefusal) return refuse('input.invalid', { 说明: `任务服务器：${wordsOf(error)}` })
  throw error
}
