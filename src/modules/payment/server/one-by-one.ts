import { isRefusal, Refusal, refuse } from '../../../platform/http/server/refusal.ts'

/** Rows of one call at most for which a channel is asked, so that whoever waits for it has an answer. */
const most = 50

/** For which rows something was done, and of the others why not. */
interface Decided {
  readonly ok: string[]
  readonly skipped: { id: string; reason: string }[]
}

/**
 * Does something for each of several rows for which a channel is asked, one after another. What is refused for one does not stop the
 * others; once the channel does not answer, it is not asked about the rest.
 * @param reason what is said of a row for which the channel did not answer
 * @throws input.invalid for more rows than one call may name
 */
export async function oneByOne(
  ids: readonly string[],
  work: (id: string) => Promise<unknown>,
  reason: string,
): Promise<Decided> {
  if (ids.length > most) throw refuse('input.invalid', { 说明: `一次最多${most}条` })
  const done: Decided = { ok: [], skipped: [] }
  for (const [at, id] of ids.entries()) {
    try {
      await work(id)
      done.ok.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { message } = error
      const isSilent = isRefusal(error, 'payment.channelUnavailable')
      done.skipped.push({ id, reason: isSilent ? reason : message })
      if (!isSilent) continue
      done.skipped.push(...ids.slice(at + 1).map(left => ({ id: left, reason: '支付渠道没有应答，没有处理' })))
      break
    }
  }
  return done
}
