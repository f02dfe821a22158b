import { beforeEach, expect, test, vi } from 'vitest'
import { lock } from '../../src/web/lock.ts'
import { isCandidate, isGuest, session } from '../../src/web/session.ts'
import { tokens } from './wire.ts'

beforeEach(() => session.clear())

test('tokens and person are kept under fixed names', () => {
  session.begin(tokens('one', { nick_name: '张主任' }))
  expect(localStorage.getItem('juxian-access-token')).toBe('one')
  expect(localStorage.getItem('juxian-refresh-token')).toBe('refresh-one')
  expect(session.get()).toMatchObject({ nick_name: '张主任', userType: 1, tenant_id: '000000' })
  expect(localStorage.getItem('juxian-user-info')).not.toContain('refresh-one')
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

test('a new sign-in forgets the tabs and the lock of whoever was here before', () => {
  sessionStorage.setItem('juxian-tabs', '[]')
  lock.on('mark')
  session.begin(tokens('one'))
  expect(sessionStorage.getItem('juxian-tabs')).toBeNull()
  expect(lock.isOn()).toBe(false)
})

test('signing out clears everything and is heard, also from another tab', () => {
  session.begin(tokens('one'))
  const heard = vi.fn()
  const stop = session.subscribe(heard)
  session.clear()
  expect(session.get()).toBeNull()
  dispatchEvent(new StorageEvent('storage', { key: 'juxian-access-token' }))
  dispatchEvent(new StorageEvent('storage', { key: 'other' }))
  expect(heard).toHaveBeenCalledTimes(2)
  stop()
  session.clear()
  expect(heard).toHaveBeenCalledTimes(2)
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
