import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../../../../tests/helper/soon.ts'
import { ok, type Reply, refusal, type Sent, tokens, wired } from '../../../../tests/helper/wire.ts'

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const isRenewal = (sent: Sent): boolean => sent.path.endsWith('/oauth/token/refresh')
const renewed = (name: string): Reply => ({ body: tokens(name) })

/** A server that knows one token and renews it. */
function guarded(valid: string) {
  return (sent: Sent): Reply => {
    if (isRenewal(sent)) return renewed(valid)
    return sent.headers['Blade-Auth'] === `bearer ${valid}` ? ok(sent.path) : refusal(401, '请求未授权', 401)
  }
}

test('a call carries the client, the token and the marker, and answers the data', async () => {
  const { call, session, sent } = await wired(() => ok({ id: '1' }))
  session.open(tokens('one'))
  expect(await call('GET', '/blade-system/param/detail', { params: { id: '1' }, key: 'k' })).toEqual({ id: '1' })
  expect(sent[0]).toMatchObject({ method: 'GET', path: '/blade-system/param/detail', params: { id: '1' } })
  expect(sent[0]?.headers).toMatchObject({
    Authorization: `Basic ${btoa('juxian-web:')}`,
    'Blade-Auth': 'bearer one',
    'Blade-Requested-With': 'BladeHttpRequest',
    'Idempotency-Key': 'k',
  })
})

test('B19 · many calls refused at once share one renewal, and each is sent once more', async () => {
  const { call, session, sent, shown } = await wired(guarded('two'))
  session.open(tokens('one'))
  const paths = Array.from({ length: 12 }, (_, at) => `/p${at}`)
  expect(await Promise.all(paths.map(path => call('GET', path)))).toEqual(paths)
  expect(sent.filter(isRenewal)).toHaveLength(1)
  expect(sent).toHaveLength(25)
  expect(session.token()).toBe('two')
  expect(shown).toEqual([])
})

test('every call that may change something carries a key: a new one each time, the same when it is sent again', async () => {
  const { call, session, sent } = await wired(guarded('two'))
  session.open(tokens('one'))
  const remove = () => call('POST', '/blade-school/school/remove', { params: { ids: '1' } })
  await remove()
  await remove()
  await call('GET', '/blade-school/school/page')
  const keys = sent.filter(one => !isRenewal(one)).map(one => one.headers['Idempotency-Key'])
  expect(keys).toHaveLength(4)
  const [refused, again, later, read] = keys
  expect(refused).toMatch(/^[0-9a-f]{32}$/)
  expect(again).toBe(refused)
  expect(later).toMatch(/^[0-9a-f]{32}$/)
  expect(later).not.toBe(refused)
  expect(read).toBeUndefined()
})

/** A tab of a browser in which another tab has the lock; `free` ends that. */
async function behindAnother(isLate: boolean) {
  const free: (() => void)[] = []
  const held = new Promise<void>(done => free.push(done))
  const request = async (_name: string, options: unknown, work?: (lock: unknown) => unknown) => {
    if (work) return work(null)
    await held
    return (options as () => unknown)()
  }
  vi.stubGlobal('navigator', { locks: { request } })
  const wire = await wired(guarded('two'))
  wire.session.open(tokens('one'))
  const answer = wire.call('GET', '/p')
  await soon(() => expect(wire.sent).toHaveLength(1))
  const hear = (): void => wire.session.open(tokens('two'))
  if (isLate) setTimeout(hear, 300)
  else hear()
  free[0]?.()
  return { ...wire, answer }
}

test.each([false, true])('a renewal made in another tab is used, not repeated; heard of late: %s', async isLate => {
  const { answer, sent } = await behindAnother(isLate)
  expect(await answer).toBe('/p')
  expect(sent.filter(isRenewal)).toHaveLength(0)
})

/** Several tabs of one browser over plain http, where there are no locks: they share its storage. */
async function fourTabs(answer: (sent: Sent, at: number) => Reply | Promise<Reply>) {
  const tabs = []
  for (let n = 0; n < 4; n++) tabs.push(await wired(answer))
  return tabs
}

test('without locks, too, one tab of all renews', async () => {
  const asked: Sent[] = []
  const server = guarded('two')
  const tabs = await fourTabs(async one => {
    if (isRenewal(one)) {
      asked.push(one)
      await new Promise(done => setTimeout(done, 50))
    }
    return server(one)
  })
  expect(navigator.locks).toBeUndefined()
  tabs[0]?.session.open(tokens('one'))
  expect(await Promise.all(tabs.map((tab, n) => tab.call('GET', `/p${n}`)))).toEqual(['/p0', '/p1', '/p2', '/p3'])
  expect(asked).toHaveLength(1)
  expect(tabs.map(tab => tab.ended())).toEqual([0, 0, 0, 0])
  expect(localStorage.getItem('juxian-refresh')).toBeNull()
})

test('a tab that dies while it renews holds up nobody for long', async () => {
  vi.useFakeTimers()
  localStorage.setItem('juxian-refresh', JSON.stringify({ id: 'dead', until: Date.now() + 5000 }))
  const { call, session } = await wired(guarded('two'))
  session.open(tokens('one'))
  const answer = call('GET', '/p')
  await vi.advanceTimersByTimeAsync(4900)
  expect(session.token()).toBe('one')
  await vi.advanceTimersByTimeAsync(4000)
  expect(await answer).toBe('/p')
})

test('a tab that is told that another was first takes what that one has kept', async () => {
  const { call, session, sent, ended } = await wired(one => {
    if (!isRenewal(one)) return guarded('two')(one)
    setTimeout(() => session.open(tokens('two')), 150)
    return refusal(29006, '请勿重复提交', 409)
  })
  session.open(tokens('one'))
  expect(await call('GET', '/p')).toBe('/p')
  expect(sent.filter(isRenewal)).toHaveLength(1)
  expect(ended()).toBe(0)
})

test('a switch of role is asked for again when another tab has renewed the token meanwhile', async () => {
  const { switchRole, session, sent } = await wired((_one, at) => {
    if (at > 0) return renewed('three')
    session.open(tokens('two'))
    return refusal(29006, '请勿重复提交', 409)
  })
  session.open(tokens('one'))
  expect(await switchRole('1', '2')).toBe(true)
  const asked = sent.map(one => new URLSearchParams(String(one.data)))
  expect(asked.map(one => [one.get('refresh_token'), one.get('role_id')])).toEqual([
    ['refresh-one', '2'],
    ['refresh-two', '2'],
  ])
})

test('a session whose token is gone is not begun again with what is left of it', async () => {
  const { call, session, sent, ended } = await wired(guarded('two'))
  session.open(tokens('one'))
  localStorage.removeItem('juxian-access-token')
  await expect(call('GET', '/p')).rejects.toMatchObject({ code: 401 })
  expect(sent.filter(isRenewal)).toHaveLength(0)
  expect(ended()).toBe(1)
  // What is left says that it ran out, and nothing of whose it was.
  expect(Object.keys(localStorage)).toEqual(['juxian-session-ended'])
})

test('A second 401 clears stored tokens and logs out once, however many calls see it', async () => {
  const { call, session, sent, ended, shown } = await wired(one =>
    isRenewal(one) ? renewed('two') : refusal(401, '请求未授权', 401),
  )
  session.open(tokens('one'))
  const results = await Promise.allSettled(['/a', '/b', '/c'].map(path => call('GET', path)))
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(sent.filter(one => one.path === '/a')).toHaveLength(2)
  expect(ended()).toBe(1)
  expect(session.get()).toBeNull()
  expect(shown).toEqual([])
})

test('A failed refresh clears stored tokens and logs out; the refused call is not repeated', async () => {
  const { call, session, sent, ended } = await wired(() => refusal(401, '请求未授权', 401))
  session.open(tokens('one'))
  await expect(call('GET', '/a')).rejects.toMatchObject({ code: 401 })
  expect(sent.map(one => one.path)).toEqual(['/a', '/blade-auth/oauth/token/refresh'])
  expect(ended()).toBe(1)
  expect(session.token()).toBe('')
})

test('a renewal that does not reach the server keeps the session', async () => {
  const { call, session, ended } = await wired(one => (isRenewal(one) ? 'unreachable' : refusal(401, '', 401)))
  session.open(tokens('one'))
  await expect(call('GET', '/a')).rejects.toThrow('Network Error')
  expect(ended()).toBe(0)
  expect(session.token()).toBe('one')
})

test('401 in the body of an HTTP 200 counts as 401', async () => {
  const { call, session } = await wired(one => {
    if (isRenewal(one)) return renewed('two')
    return one.headers['Blade-Auth'] === 'bearer two' ? ok(1) : refusal(401, '', 200)
  })
  session.open(tokens('one'))
  expect(await call('GET', '/a')).toBe(1)
})

test('A code above 2000 with no error_description shows the message once and rejects, also for several calls at once', async () => {
  const { call, shown } = await wired(() => refusal(29004, '编号重复'))
  const results = await Promise.allSettled([call('POST', '/a'), call('POST', '/b')])
  expect(results.map(result => result.status)).toEqual(['rejected', 'rejected'])
  expect(shown).toEqual(['编号重复'])
})

test.each([
  [{ code: 500 }, 500, '系统错误'],
  [{ code: 400, error_description: '用户名或密码错误', error_code: 20002 }, 20002, '用户名或密码错误'],
  [{ code: 400, msg: '甲', error_description: '乙' }, 400, '甲'],
  [{}, 404, '系统错误'],
])(
  'Response status is taken from error_code, code, or the HTTP status; the message is msg, error_description, or 系统错误: %j',
  async (body, code, text) => {
    const { call, shown } = await wired(() => ({ status: code === 404 ? 404 : 200, body }))
    await expect(call('GET', '/a')).rejects.toMatchObject({ code, message: text })
    expect(shown).toEqual([text])
  },
)

test('Codes in a configured whitelist pass through to the caller; any other non-200 shows the message and rejects', async () => {
  const { call, shown, ApiError } = await wired(one => refusal(one.path === '/a' ? 22003 : 22004, one.path))
  await expect(call('GET', '/a', { pass: [22003] })).rejects.toBeInstanceOf(ApiError)
  expect(shown).toEqual([])
  await expect(call('GET', '/b', { pass: [22003] })).rejects.toMatchObject({ code: 22004 })
  await expect(call('GET', '/c', { pass: 'all' })).rejects.toMatchObject({ code: 22004 })
  expect(shown).toEqual(['/b'])
})

test('Transport errors reject silently after the progress bar ends.', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const { call, traffic, shown } = await wired(() => 'unreachable')
  const busy: number[] = []
  traffic.busy = count => busy.push(count)
  await expect(call('GET', '/a')).rejects.toThrow('Network Error')
  expect(busy).toEqual([1, 0])
  expect(shown).toEqual([])
})

test('A check runs every 10 seconds and a refresh fires when the token is 3000 seconds old', async () => {
  vi.useFakeTimers()
  const { keepFresh, session, sent } = await wired(() => renewed('two'))
  session.open(tokens('one'))
  const stop = keepFresh()
  await vi.advanceTimersByTimeAsync(2_999_000)
  expect(sent).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(sent).toHaveLength(1)
  expect(session.token()).toBe('two')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(1)
  stop()
})

test('a key is 32 hexadecimal digits and never the same', async () => {
  const { newKey } = await wired(() => ok(null))
  const keys = new Set(Array.from({ length: 50 }, newKey))
  expect(keys.size).toBe(50)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
})

const away = { code: 503, success: false, data: {}, msg: '系统繁忙，请稍后再试' }
const notNow = (retryAfter = '2', headers = {}): Reply => ({
  status: 503,
  body: away,
  headers: retryAfter ? { 'retry-after': retryAfter, ...headers } : {},
})
/** A refusal that says when to ask again. */
const refusedFor = (code: number, msg: string, status: number): Reply => ({
  status,
  body: { code, success: false, data: {}, msg },
  headers: { 'retry-after': '1' },
})

/** A server that cannot work for its first `times` answers, and chance that spreads nothing. */
const busy = (times: number, retryAfter?: string) => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return wired((_, at) => (at < times ? notNow(retryAfter) : ok('now')))
}

const keysOf = (sent: Sent[]): Set<unknown> => new Set(sent.map(one => one.headers['Idempotency-Key']))
const form = new FormData()

test.each([
  ['a read', 'GET', '/a', {}],
  ['a write', 'POST', '/a', { data: { name: '甲' } }],
  ['a write with a key of its own', 'POST', '/a', { key: 'k' }],
  ['a file that is sent', 'POST', '/a', { data: form }],
] as const)(
  '%s is sent again, as it was, until the server can work; nobody is told of an error',
  async (_what, method, path, options) => {
    const { call, isWaiting, sent, shown } = await busy(12)
    const seen: boolean[] = []
    addEventListener('waiting', () => seen.push(isWaiting()))
    const answer = call(method, path, options)
    await vi.advanceTimersByTimeAsync(1900)
    expect([sent.length, isWaiting()]).toEqual([1, true])
    await vi.advanceTimersByTimeAsync(25_000)
    expect(await answer).toBe('now')
    expect([sent.length, shown, seen]).toEqual([13, [], [true, false]])
    expect(new Set(sent.map(one => one.data)).size).toBe(1)
    expect(keysOf(sent).size).toBe(1)
    if (method === 'POST') expect([...keysOf(sent)][0]).toMatch(/^(k|[0-9a-f]{32})$/)
  },
)

test('after forty seconds the person is told, once, and whoever called has the error', async () => {
  const { call, isWaiting, session, sent, shown, ended, traffic } = await busy(99)
  const failed = vi.spyOn(traffic, 'failed')
  session.open(tokens('one'))
  const answer = call('POST', '/a').catch(error => error.response.status)
  await vi.advanceTimersByTimeAsync(39_000)
  expect(shown).toEqual([])
  await vi.advanceTimersByTimeAsync(2000)
  expect([await answer, shown, isWaiting(), ended()]).toEqual([503, [away.msg], false, 0])
  expect([sent.length, failed.mock.calls.length]).toEqual([21, 1])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(sent).toHaveLength(21)
})

test('pages that were refused together do not come back together', async () => {
  const { call, sent } = await busy(99)
  vi.spyOn(Math, 'random').mockReturnValue(1)
  const answer = call('GET', '/a').catch(() => 'failed')
  const at: number[] = []
  for (let second = 0; second <= 40; second++) {
    if (sent.length > at.length) at.push(second)
    await vi.advanceTimersByTimeAsync(1000)
  }
  expect([await answer, at]).toEqual(['failed', [0, 4, 10, 18, 26, 34]])
})

test.each([
  ['when to ask again is not said', () => notNow('')],
  ['when to ask again is not understood', () => notNow('soon')],
  ['it is to be asked again long after', () => notNow('3600')],
  ['it has an error of its own', () => refusal(500, '系统异常', 500)],
  ['it refuses', () => refusedFor(29002, '数据已被他人修改，请刷新', 409)],
  ['it is asked too often', () => refusedFor(29007, '操作过于频繁', 429)],
])('nothing is sent again when %s', async (_when, answer) => {
  vi.useFakeTimers()
  const { call, sent } = await wired(answer)
  const failed = Promise.allSettled([call('GET', '/a'), call('POST', '/a')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await failed).map(one => one.status)).toEqual(['rejected', 'rejected'])
  expect(sent).toHaveLength(2)
})

test.each([
  ['signing in', '/blade-auth/oauth/token', {}],
  ['a draft', '/blade-system/draft/submit', {}],
  ['a call that tries again itself', '/a', { patience: 0 }],
])('%s is not sent again', async (_what, path, options) => {
  const { call, sent, shown } = await busy(99)
  await expect(call('POST', path, options)).rejects.toThrow()
  expect([sent.length, shown]).toEqual([1, [away.msg]])
})

test('another server than ours, which looks at no keys, is sent nothing again that may change something', async () => {
  const { call, sent } = await wired(() => notNow('2', { 'x-other-server': '1' }))
  await expect(call('POST', '/a')).rejects.toThrow()
  expect(sent).toHaveLength(1)
})

test('a server that is not reached is tried again, but for files: nobody knows whether they have arrived', async () => {
  vi.useFakeTimers()
  const { call, sent, shown } = await wired((_, at) => (at < 3 ? 'unreachable' : ok('now')))
  const answer = call('POST', '/a')
  await vi.advanceTimersByTimeAsync(40_000)
  expect([await answer, sent.length, keysOf(sent).size, shown]).toEqual(['now', 4, 1, []])
  const gone = await wired(() => 'unreachable')
  await expect(gone.call('POST', '/a', { data: form })).rejects.toThrow('Network Error')
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await expect(gone.call('GET', '/a')).rejects.toThrow('Network Error')
  expect(gone.sent).toHaveLength(2)
})

test('while the first try is still under way its answer is waited for', async () => {
  vi.useFakeTimers()
  const underWay = refusedFor(29006, '请勿重复提交', 409)
  const { call, sent, shown } = await wired((_, at) => [notNow(), underWay][at] ?? ok('done'))
  const answer = call('POST', '/a')
  await vi.advanceTimersByTimeAsync(30_000)
  expect([await answer, sent.length, shown]).toEqual(['done', 3, []])
})

test('whoever leaves is waited for no longer, and what somebody wrote is not sent by the next person', async () => {
  const { call, isWaiting, session, sent } = await busy(99)
  const left = new AbortController()
  const answer = call('GET', '/a', { signal: left.signal }).catch(error => error.name)
  await vi.advanceTimersByTimeAsync(1000)
  left.abort()
  expect([await answer, sent.length, isWaiting()]).toEqual(['CanceledError', 1, false])
  session.open(tokens('one'))
  const write = call('POST', '/a').catch(() => 'failed')
  await vi.advanceTimersByTimeAsync(1000)
  session.open(tokens('two', { user_id: '2' }))
  await vi.advanceTimersByTimeAsync(9000)
  expect(await write).toBe('failed')
  expect(sent.filter(one => one.headers['Blade-Auth'] === 'bearer two')).toEqual([])
})

test('the time to ask again may be a moment', async () => {
  const { call, sent } = await busy(1, new Date(Date.now() + 4000).toUTCString())
  const answer = call('GET', '/a')
  await vi.advanceTimersByTimeAsync(4000)
  expect([await answer, sent.length]).toEqual(['now', 2])
})
