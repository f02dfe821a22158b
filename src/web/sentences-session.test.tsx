import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App } from 'antd'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import '../../tests/helper/screens-page.tsx'
import { ok, type Reply, refusal, type Sent, tokens, wired } from '../../tests/helper/wire.ts'
import { lock } from '../platform/http/browser/lock.ts'
import { hasSeveral, isCandidate, isGuest, session } from '../platform/http/browser/session.ts'

const real = location

beforeEach(() => {
  vi.stubGlobal('location', real)
  session.clear()
  localStorage.clear()
})

test('Session: logged out, then logged in after a successful login, which stores tokens, tenant and user info', () => {
  expect(session.get()).toBeNull()
  session.begin(tokens('one', { nick_name: '张主任' }))
  expect(localStorage.getItem('juxian-access-token')).toBe('one')
  expect(localStorage.getItem('juxian-refresh-token')).toBe('refresh-one')
  expect(session.get()).toMatchObject({ nick_name: '张主任', userType: 1, tenant_id: '000000' })
  expect(localStorage.getItem('juxian-user-info')).not.toContain('refresh-one')
})

test('a successful login clears the tabs and clears the lock', () => {
  sessionStorage.setItem('juxian-tabs', '[]')
  lock.on('mark')
  session.begin(tokens('one'))
  expect(sessionStorage.getItem('juxian-tabs')).toBeNull()
  expect(lock.isOn()).toBe(false)
})

test('Logout or forced logout clears token, menus, roles, tabs and lock, and is heard, also from another tab', () => {
  session.begin(tokens('one'))
  sessionStorage.setItem('juxian-tabs', '[]')
  lock.on('mark')
  const heard = vi.fn()
  const stop = session.subscribe(heard)
  session.clear()
  expect(session.get()).toBeNull()
  expect(sessionStorage.getItem('juxian-tabs')).toBeNull()
  expect(lock.isOn()).toBe(false)
  dispatchEvent(new StorageEvent('storage', { key: 'juxian-access-token' }))
  dispatchEvent(new StorageEvent('storage', { key: 'other' }))
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  session.clear()
  expect(heard).toHaveBeenCalledTimes(2)
})

describe('When the token is gone, everything of the session goes with it', () => {
  const gone = vi.fn()
  let stop = () => {}
  beforeEach(() => {
    vi.useFakeTimers()
    gone.mockClear()
    session.begin(tokens('one'))
    sessionStorage.setItem('juxian-tabs', '[]')
    sessionStorage.setItem('juxian-unpaid', '1')
    stop = session.follow(gone)
  })
  afterEach(() => {
    stop()
    vi.useRealTimers()
  })

  test('whoever took it, without a word to this tab', () => {
    localStorage.removeItem('juxian-access-token')
    vi.advanceTimersByTime(1000)
    expect(gone).toHaveBeenCalledExactlyOnceWith('ended')
    expect(leftOver()).toEqual([])
    vi.advanceTimersByTime(10_000)
    expect(gone).toHaveBeenCalledTimes(1)
  })

  test('in another tab, at once', () => {
    localStorage.removeItem('juxian-access-token')
    dispatchEvent(new StorageEvent('storage', { key: 'juxian-access-token' }))
    expect(gone).toHaveBeenCalledExactlyOnceWith('ended')
    expect(leftOver()).toEqual([])
  })

  test('and nothing of whoever has signed in elsewhere does', () => {
    session.begin(tokens('two', { user_id: '2' }))
    sessionStorage.setItem('juxian-tabs', '[]')
    dispatchEvent(new StorageEvent('storage', { key: 'juxian-user-info' }))
    expect(gone).toHaveBeenCalledExactlyOnceWith('other')
    expect(session.token()).toBe('two')
    expect(sessionStorage.getItem('juxian-tabs')).toBeNull()
  })

  test('and no other tab meets the moment between two people', () => {
    const seen: (string | null)[] = []
    const { setItem, removeItem } = Storage.prototype
    const look = () => seen.push(localStorage.getItem('juxian-access-token'))
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(function (this: Storage, ...given) {
      setItem.apply(this, given)
      look()
    })
    vi.spyOn(Storage.prototype, 'removeItem').mockImplementation(function (this: Storage, ...given) {
      removeItem.apply(this, given)
      look()
    })
    session.begin(tokens('two', { user_id: '2' }))
    vi.restoreAllMocks()
    expect(seen.length).toBeGreaterThan(3)
    expect(seen).not.toContain(null)
  })

  test('while a renewed one ends nothing', () => {
    session.open(tokens('two'))
    vi.advanceTimersByTime(5000)
    expect(gone).not.toHaveBeenCalled()
  })
})

/** What is left in the storages, without what belongs to the device and to nobody. */
const leftOver = (): string[] =>
  [...Object.keys(localStorage), ...Object.keys(sessionStorage)].filter(name => !/lang|lock-told/.test(name)).sort()

test('whoever logs out leaves nothing of a form on this device; a session that only ran out does', async () => {
  const { session: here, ...http } = await wired(() => ok(null))
  vi.stubGlobal('location', { ...real, replace: () => undefined })
  const { signOut } = await import('../screens/providers/auth.ts')
  here.begin(tokens('one'))
  localStorage.setItem('juxian-draft-1-9', '{}')
  here.clear()
  expect(leftOver()).toEqual(['juxian-draft-1-9'])
  here.begin(tokens('one'))
  await signOut()
  expect(leftOver()).toEqual([])
  expect(http.sent.map(one => one.path)).toEqual(['/blade-auth/oauth/logout'])
})

test('Lock: locked after the lock action; unlocking clears it; a locked state persists for the browser session.', () => {
  const told = vi.fn()
  addEventListener('juxian-lock-told', told)
  lock.on('mark')
  expect([lock.isOn(), lock.mark()]).toEqual([true, 'mark'])
  // A cookie without an end: neither a reload nor another tab forgets it, the end of the browser does.
  expect(document.cookie).toContain('juxian-lock=mark')
  lock.off()
  expect(lock.isOn()).toBe(false)
  expect(told).toHaveBeenCalledTimes(2)
  removeEventListener('juxian-lock-told', told)
})

test('Switching role or department is a token refresh with a department id and a role id.', async () => {
  const {
    switchRole,
    session: here,
    sent,
  } = await wired((one: Sent) =>
    one.path.endsWith('/oauth/token/refresh') ? { body: tokens('two', { role_id: '7' }) } : ok(null),
  )
  here.open(tokens('one'))
  expect(await switchRole('5', '7')).toBe(true)
  expect(Object.fromEntries(new URLSearchParams(String(sent[0]?.data)))).toMatchObject({
    grant_type: 'refresh_token',
    refresh_token: 'refresh-one',
    dept_id: '5',
    role_id: '7',
  })
  expect(here.get()?.role_id).toBe('7')
})

/** A person who is given two roles, with the dialog that switches them open. */
async function switching(answer: (sent: Sent) => Reply) {
  const given = { roleId: '1,2', roleName: '管理员,审核员', deptId: '5', deptName: '本部' }
  const wire = await wired(one => (one.path.endsWith('/user/info') ? ok(given) : answer(one)))
  const replace = vi.fn()
  vi.stubGlobal('location', { ...real, replace })
  wire.session.begin(tokens('one', { role_id: '1,2', dept_id: '5' }))
  sessionStorage.setItem('juxian-tabs', '[]')
  await (await import('../platform/i18n/i18n.ts')).startLanguage()
  const { default: SwitchDialog } = await import('./chrome/SwitchDialog.tsx')
  render(
    <App>
      <SwitchDialog open onClose={() => undefined} />
    </App>,
  )
  fireEvent.click(await screen.findByLabelText('审核员'))
  fireEvent.click(screen.getByRole('button', { name: /^(确\s?定|OK)$/ }))
  return { ...wire, replace }
}

test('who has several roles takes on one of them, and the window begins anew with its menu', async () => {
  const {
    sent,
    replace,
    session: here,
  } = await switching(() => ({ body: tokens('two', { role_id: '2', dept_id: '5' }) }))
  await waitFor(() => expect(replace).toHaveBeenCalledExactlyOnceWith('/'))
  const asked = new URLSearchParams(String(sent.at(-1)?.data))
  expect([asked.get('dept_id'), asked.get('role_id')]).toEqual(['5', '2'])
  expect(sessionStorage.getItem('juxian-tabs')).toBeNull()
  expect([here.get()?.role_id, hasSeveral(here.get())]).toEqual(['2', true])
})

test('a switch that is refused is told, and everything stays', async () => {
  const { replace, session: here } = await switching(() => refusal(403, '不能切换到该角色', 403))
  await screen.findByText('切换失败，请稍后重试')
  expect(replace).not.toHaveBeenCalled()
  expect([here.token(), sessionStorage.getItem('juxian-tabs')]).toEqual(['one', '[]'])
})

test('a renewal keeps what its answer leaves out', () => {
  session.begin(tokens('one', { nick_name: '张主任', userType: 2 }))
  session.open({ access_token: 'two', refresh_token: 'r', userType: 2 })
  expect(session.get()?.nick_name).toBe('张主任')
  expect(isCandidate(session.get())).toBe(true)
})

test('the person is the same object until something changes', () => {
  session.begin(tokens('one'))
  const before = session.get()
  expect(session.get()).toBe(before)
  session.update({ avatar: 'x' })
  expect(session.get()).not.toBe(before)
})

test.each([
  ['', true],
  ['-1', true],
  ['1123598821738675201', false],
])('user id "%s" is a guest: %s', (user_id, guest) => {
  session.begin(tokens('one', { user_id }))
  expect(isGuest(session.get())).toBe(guest)
})

test('a broken entry in the storage does not break the page', () => {
  localStorage.setItem('juxian-access-token', 'x')
  localStorage.setItem('juxian-user-info', '{')
  expect(session.get()?.account).toBe('')
})

test('a person that is lost from the storage is put back by a window that knows it, and the session goes on', () => {
  vi.useFakeTimers()
  session.begin(tokens('one', { user_id: '7' }))
  expect(session.get()?.user_id).toBe('7')
  const gone = vi.fn()
  const stop = session.follow(gone)
  localStorage.removeItem('juxian-user-info')
  dispatchEvent(new StorageEvent('storage', { key: 'juxian-user-info' }))
  vi.advanceTimersByTime(1500)
  expect([gone.mock.calls.length, session.token(), session.get()?.user_id]).toEqual([0, 'one', '7'])
  stop()
  vi.useRealTimers()
})
