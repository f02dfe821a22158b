import { say } from './page.ts'
import { type Answer, again, busyPause, isAway } from './server.ts'
import { isEnglish } from './texts.ts'

/** Milliseconds for which the same encrypted password may be sent again. */
const FRESH = 4 * 60_000

/** Milliseconds for which the page goes on by itself when the server is away from the first. */
const PATIENCE = 2 * 60_000

const sentence = (ahead: number, seconds: number): string =>
  isEnglish()
    ? `Many people are signing in: about ${ahead} ahead of you, about ${seconds} seconds. This page goes on by itself.`
    : `登录的人较多，前面约 ${ahead} 人，约 ${seconds} 秒，轮到后自动登录`

/**
 * Asks again until the turn has come, and says meanwhile how many are ahead. A lost connection or a server that is away costs no place;
 * one that is away from the first is asked again for two minutes.
 * @param ask asks anew, with a password that is encrypted anew
 * @returns the first answer that tells of no more waiting
 */
export async function waitTurn(answer: Answer, ask: () => Promise<Answer>): Promise<Answer> {
  const first = Date.now()
  let begun = first
  for (let now = answer; ; ) {
    const { ahead = 0, seconds = 0, retryAfter } = now.data ?? {}
    const isRefused = isAway(now)
    if (isRefused ? Date.now() - first > PATIENCE : !retryAfter) {
      say('')
      return now
    }
    say(isRefused ? '系统繁忙，正在自动重试' : sentence(ahead, seconds), true)
    const pause = retryAfter ? retryAfter * 1000 : busyPause()
    await new Promise(resolve => setTimeout(resolve, pause))
    const isFresh = Date.now() - begun < FRESH
    const next = await (isFresh ? again() : ask()).catch(() => undefined)
    if (!next || (isAway(next) && !isRefused)) continue
    if (!isFresh) begun = Date.now()
    now = next
  }
}
