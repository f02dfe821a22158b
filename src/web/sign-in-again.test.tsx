import '@testing-library/jest-dom/vitest'
import '../../tests/helper/screens-page.tsx'
import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { beforeEach, expect, test, vi } from 'vitest'
import { soon } from '../../tests/helper/soon.ts'
import { ok, refusal, tokens, wired } from '../../tests/helper/wire.ts'

const real = location
const replaced = vi.fn()

beforeEach(() => {
  cleanup()
  document.body.replaceChildren()
  replaced.mockClear()
  vi.stubGlobal('location', { ...real, origin: real.origin, replace: replaced })
  localStorage.clear()
  sessionStorage.clear()
})

/** A window whose session the server has ended, wired as the application wires it. */
async function ended() {
  let isOver = true
  const wire = await wired(one => {
    if (one.path.endsWith('/token/refresh')) return { body: { error_code: 401, error_description: '令牌无效' } }
    return isOver && one.headers['Blade-Auth'] !== 'bearer again' ? refusal(401, '请求未授权', 401) : ok({ id: '1' })
  })
  const { hasUnsaved } = await import('../screens/unsaved.ts')
  const again = await import('./chrome/sign-in-again.ts')
  const { leaveFor, signInAddress } = await import('../screens/providers/auth.ts')
  wire.traffic.ended = () => (hasUnsaved() ? again.askToSignInAgain() : void leaveFor(signInAddress('expired')))
  await (await import('../platform/i18n/i18n.ts')).startLanguage()
  wire.session.begin(tokens('one', { nick_name: '张主任' }))
  sessionStorage.setItem('juxian-tabs', '[]')
  return { ...wire, ...again, hasUnsaved, mend: () => (isOver = false) }
}

const typeSomething = async (): Promise<HTMLInputElement> => {
  const input = document.body.appendChild(document.createElement('input'))
  await userEvent.type(input, '写了一半')
  return input
}

const saves = (sent: readonly { path: string }[]) => sent.filter(one => one.path === '/blade-system/param/submit')

test('a save whose session has run out waits for its person and is sent again by itself, whole', async () => {
  const { call, session, sent, takeAnswer } = await ended()
  await typeSomething()
  const saved = vi.fn()
  void call('POST', '/blade-system/param/submit', { data: { paramName: '写了一半' }, key: 'k' }).then(saved)
  await soon(() => expect(session.isHeld()).toBe(true))
  // The tokens are gone, the person is still known to this window, and nothing has been left or drawn anew.
  expect([session.token(), session.get()?.nick_name, replaced.mock.calls]).toEqual(['', '张主任', []])
  expect(sessionStorage.getItem('juxian-tabs')).toBe('[]')
  expect(saved).not.toHaveBeenCalled()

  expect(takeAnswer(tokens('again'))).toBe(true)
  await soon(() => expect(saved).toHaveBeenCalledExactlyOnceWith({ id: '1' }))
  expect(saves(sent)).toHaveLength(2)
  expect(saves(sent)[1]).toMatchObject({
    data: JSON.stringify({ paramName: '写了一半' }),
    headers: { 'Blade-Auth': 'bearer again', 'Idempotency-Key': 'k' },
  })
  expect([session.isHeld(), session.get()?.nick_name]).toEqual([false, '张主任'])
})

test('where nothing was typed the window is left for the sign-in page, as specified', async () => {
  const { call, session } = await ended()
  const input = await typeSomething()
  input.remove()
  await expect(call('GET', '/x')).rejects.toMatchObject({ code: 401 })
  expect(replaced).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('/login?expired=1'))
  expect([session.get(), session.hasExpired()]).toEqual([null, true])
})

test('what is searched for, and an input that was emptied again, are nothing to lose', async () => {
  const { hasUnsaved } = await ended()
  const search = document.body.appendChild(document.createElement('search'))
  search.append(await typeSomething())
  await userEvent.type(search.firstElementChild as HTMLElement, 'x')
  search.remove()
  const emptied = await typeSomething()
  expect(hasUnsaved()).toBe(true)
  await userEvent.clear(emptied)
  expect(hasUnsaved()).toBe(false)
})

/** The sign-in over the window, with the frame's way of telling what it was answered. */
async function asked() {
  const window_ = await ended()
  await typeSomething()
  const saved = vi.fn()
  void window_.call('POST', '/blade-system/param/submit', { data: {} }).then(saved, () => undefined)
  const { default: SignInDialog } = await import('./chrome/SignInDialog.tsx')
  await soon(() => expect(window_.session.isHeld()).toBe(true))
  render(
    <App>
      <SignInDialog />
    </App>,
  )
  const frame = () => screen.getByTitle<HTMLIFrameElement>('登录')
  const tell = (data: unknown, from: Partial<MessageEventInit> = {}) =>
    act(() => {
      const whence = { origin: real.origin, source: frame().contentWindow, ...from }
      dispatchEvent(new MessageEvent('message', { data, ...whence }))
    })
  return { ...window_, saved, frame, tell }
}

test('the sign-in stands before the window with the account filled in, and the same person goes on', async () => {
  const { frame, tell, saved } = await asked()
  expect(screen.getByText('用户令牌过期，请重新登录')).toBeInTheDocument()
  expect(new URL(frame().src, 'http://x').searchParams.get('account')).toBe('admin')
  tell({ signedIn: tokens('again') })
  await soon(() => expect(saved).toHaveBeenCalledOnce())
})

test('somebody else is warned: nothing is sent in their name, and they go on in a fresh window or give way', async () => {
  const { tell, saved, session, sent } = await asked()
  const fetched = vi.fn().mockResolvedValue(new Response('{}'))
  vi.stubGlobal('fetch', fetched)
  tell({ signedIn: tokens('other', { user_id: '2', nick_name: '李科员' }) })
  expect(screen.getByRole('alert')).toHaveTextContent(
    '您登录的是另一个账号「李科员」。继续会丢弃「张主任」尚未保存的内容。',
  )
  await userEvent.click(screen.getByRole('button', { name: '返回，用原账号登录' }))
  expect(fetched).toHaveBeenCalledExactlyOnceWith(
    '/api/blade-auth/oauth/logout',
    expect.objectContaining({ headers: expect.objectContaining({ 'Blade-Auth': 'bearer other' }) }),
  )
  tell({ signedIn: tokens('other', { user_id: '2', nick_name: '李科员' }) })
  localStorage.setItem('juxian-draft-1-form-param-', '{}')
  await userEvent.click(screen.getByRole('button', { name: '丢弃并继续' }))
  expect(replaced).toHaveBeenCalledExactlyOnceWith('/')
  expect([session.token(), session.get()?.user_id, saves(sent).length]).toEqual(['other', '2', 1])
  expect([sessionStorage.getItem('juxian-tabs'), saved.mock.calls]).toEqual([null, []])
  expect(Object.keys(localStorage).filter(name => name.startsWith('juxian-draft-'))).toEqual([])
})

test('nobody but the frame of this origin is believed', async () => {
  const { tell, session, saved } = await asked()
  tell({ signedIn: tokens('again') }, { origin: 'https://elsewhere.example' })
  tell({ signedIn: tokens('again') }, { source: window })
  expect([session.token(), saved.mock.calls]).toEqual(['', []])
})
