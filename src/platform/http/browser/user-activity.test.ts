import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ok, tokens, wired } from '../../../../tests/helper/wire.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A page that has just been opened; `isUnattended` asks the server and says what the call told of who is there. */
async function opened() {
  const { call, session, sent } = await wired(() => ok([]))
  session.open(tokens('one'))
  const isUnattended = async (): Promise<boolean> => {
    await call('GET', '/a')
    return sent.at(-1)?.headers['X-Unattended'] === '1'
  }
  return { isUnattended, sent }
}

test('what a page asks by itself tells that nobody is there, whatever asks', async () => {
  const { isUnattended } = await opened()
  const said: boolean[] = []
  const timer = setInterval(async () => said.push(await isUnattended()), 60_000)
  await vi.advanceTimersByTimeAsync(5 * 60_000)
  clearInterval(timer)
  expect(said).toEqual([false, true, true, true, true])
})

test.each(['pointerdown', 'pointermove', 'wheel', 'keydown', 'input', 'click'])(
  'somebody is there who does this to the page: %s',
  async name => {
    const { isUnattended } = await opened()
    vi.advanceTimersByTime(1_800_000)
    expect(await isUnattended()).toBe(true)
    document.body.dispatchEvent(new Event(name, { bubbles: true }))
    expect(await isUnattended()).toBe(false)
    vi.advanceTimersByTime(120_000)
    expect(await isUnattended()).toBe(true)
  },
)

test('somebody is there who comes back to the page, and not who leaves it', async () => {
  const { isUnattended } = await opened()
  const turn = (hidden: boolean): void => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden)
    document.dispatchEvent(new Event('visibilitychange'))
  }
  vi.advanceTimersByTime(1_800_000)
  turn(true)
  expect(await isUnattended()).toBe(true)
  turn(false)
  expect(await isUnattended()).toBe(false)
  vi.restoreAllMocks()
})

test('the bell and the exports, which ask again and again, keep no session alive', async () => {
  const { sent } = await opened()
  const [{ askUnread }, { askExports }] = await Promise.all([
    import('../../../modules/notifications/pages/parts/unread.ts'),
    import('../../../screens/exports.ts'),
  ])
  const asking = setInterval(() => void Promise.all([askUnread(), askExports()]), 300_000)
  await vi.advanceTimersByTimeAsync(1_800_000)
  clearInterval(asking)
  expect(sent).toHaveLength(12)
  expect(sent.filter(one => one.headers['X-Unattended'] !== '1')).toEqual([])
})
