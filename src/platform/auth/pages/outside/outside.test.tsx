import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { App, ConfigProvider } from 'antd'
import { sm2 } from 'sm-crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { type Said, type Seen, wire } from '../../../../../tests/helper/screens-wire.ts'
import { tokens } from '../../../../../tests/helper/wire.ts'
import { session } from '../../../http/browser/session.ts'
import { keepReturnState, takeReturnState } from '../../../http/browser/sign-in-return.ts'

const leaveFor = vi.hoisted(() => vi.fn())
vi.mock('../../../../screens/providers/auth.ts', () => ({ leaveFor }))

const { GuestRegister } = await import('./GuestRegister.tsx')
const { comeBack } = await import('./come-back.ts')

const keys = sm2.generateKeyPairHex()
const guest = tokens('guest-token', {
  user_id: '',
  oauth_id: 'o1',
  nick_name: '路人',
  tenant_id: '000000',
  userType: 3,
})

/** A server whose page belongs to `tenantHere`, and that answers a registration with `said`. */
const server = (tenantHere: string, said: Said = { data: {} }) => {
  wire.answer = ({ path }: Seen) => {
    if (path.endsWith('/tenant/info')) return { data: tenantHere ? { tenantId: tenantHere } : {} }
    if (path.endsWith('/public-key'))
      return { data: { keyId: '7', publicKey: keys.publicKey, serverTime: 1, nonce: 'n' } }
    return said
  }
}
const registered = () => wire.seen.filter(one => one.path.endsWith('/register-guest'))

beforeEach(() => {
  wire.seen = []
  sessionStorage.clear()
  leaveFor.mockClear()
})

describe('the dialog of a guest', () => {
  const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label)
  const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } })
  const submit = () => fireEvent.click(screen.getByText('提交'))
  const shown = () =>
    render(
      <ConfigProvider button={{ autoInsertSpace: false }} theme={{ token: { motion: false } }}>
        <App>
          <GuestRegister guest={guest} />
        </App>
      </ConfigProvider>,
    )

  test('checks in the order of its fields, with a sentence each, and asks nobody before', async () => {
    server('')
    shown()
    await waitFor(() => expect(field('租户编号')).toBeVisible())
    expect([field('租户编号').value, field('用户姓名').value]).toEqual(['000000', '路人'])
    type('租户编号', '')
    submit()
    expect(await screen.findByText('请先输入租户编号')).toBeInTheDocument()
    type('租户编号', '000000')
    submit()
    expect(await screen.findByText('请先输入账号名称')).toBeInTheDocument()
    type('账号名称', 'luren')
    type('账号密码', 'Abcd1234x')
    submit()
    expect(await screen.findByText('请先输入密码')).toBeInTheDocument()
    type('确认密码', 'Abcd1234y')
    submit()
    expect(await screen.findByText('两次密码输入不一致')).toBeInTheDocument()
    expect(registered()).toEqual([])
  })

  const fill = async () => {
    shown()
    await waitFor(() => expect(wire.paths()).toEqual([expect.stringContaining('/tenant/info')]))
    type('账号名称', 'luren')
    for (const label of ['账号密码', '确认密码']) type(label, 'Abcd1234x')
    submit()
  }

  test('hides the tenant where the address says it, sends the password in cipher, and leads to the sign-in page', async () => {
    server('100001')
    await fill()
    expect(await screen.findByText('注册申请已提交,请耐心等待管理员通过!')).toBeInTheDocument()
    expect(field('租户编号')).not.toBeVisible()
    const [{ body } = { body: {} }] = registered()
    const { password, ...plain } = body as Record<string, string>
    expect(plain).toEqual({ tenantId: '100001', name: '路人', account: 'luren', keyId: '7', oauthId: 'o1' })
    expect(sm2.doDecrypt(password ?? '', keys.privateKey, 0)).toBe('Abcd1234x\n1\nn')
    expect(leaveFor).not.toHaveBeenCalled()
    fireEvent.click(screen.getByText(/知道了|确\s*定|OK/))
    await waitFor(() => expect(leaveFor).toHaveBeenCalledWith('/login'))
  })

  test.each([
    ['what the server says', { code: 20012, msg: '该账号已存在' }, '该账号已存在'],
    ['a sentence of its own when it says nothing', { code: 500, msg: '' }, '提交失败'],
  ])('shows %s, and what was typed stays', async (_what, said, text) => {
    server('', said)
    await fill()
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(field('账号名称').value).toBe('luren')
    expect(leaveFor).not.toHaveBeenCalled()
  })
})

describe('coming back from a provider', () => {
  const back = new URLSearchParams({ code: 'c', state: 's', iss: 'https://idp.test', other: 'x' })
  const trip = { to: '/exam/list?a=1', tenantId: '000000' }

  test('signs in with what the provider gave and goes on where one wanted to', async () => {
    wire.answer = () => ({ data: tokens('one', { user_id: '9', userType: 2 }) })
    expect(await comeBack('idp', back, trip)).toEqual({ to: '/exam/list?a=1' })
    const given = { source: 'idp', code: 'c', state: 's', iss: 'https://idp.test' }
    expect(wire.seen[0]?.body).toEqual({ grant_type: 'social', scope: 'all', tenantId: '000000', ...given })
    expect(session.token()).toBe('one')
    session.clear()
  })

  test('goes nowhere else', async () => {
    wire.answer = () => ({ data: tokens('one', { user_id: '9' }) })
    for (const to of ['https://evil.test/x', '//evil.test', 'javascript:alert(1)', '/login?redirect=/'])
      expect(await comeBack('idp', back, { ...trip, to })).toEqual({ to: '/' })
  })

  test('leaves no session for a guest', async () => {
    session.clear()
    wire.answer = () => ({ data: guest })
    expect(await comeBack('idp', back, undefined)).toEqual({ guest })
    expect(session.token()).toBe('')
  })

  test('goes on at the sign-in page where a code of the app is asked for', async () => {
    wire.answer = () => ({ code: 20030, msg: '请输入动态验证码', data: { factorToken: 'half' } })
    expect(await comeBack('idp', back, trip)).toEqual({ to: `/login?${new URLSearchParams({ redirect: trip.to })}` })
    expect(takeReturnState()).toEqual({ ...trip, factorToken: 'half' })
    expect(takeReturnState()).toBeUndefined()
  })

  test('links where linking was begun', async () => {
    wire.answer = () => ({ data: {} })
    keepReturnState({ to: '/info/index', tenantId: '1', links: true })
    expect(await comeBack('idp', back, takeReturnState())).toEqual({ to: '/info/index' })
    expect(wire.seen[0]).toMatchObject({
      path: '/blade-auth/oauth/bind',
      body: { source: 'idp', code: 'c', state: 's' },
    })
  })

  test.each([
    ['error=access_denied', '您已取消，没有登录'],
    ['error=20042', '第三方登录服务暂不可用，请稍后再试'],
    ['error=<b>&error_description=<b>', '第三方登录失败，请重新登录'],
  ])('with %s says it in words of our own, and asks nobody', async (query, problem) => {
    expect(await comeBack('idp', new URLSearchParams(query), trip)).toEqual({ problem })
    expect(wire.seen).toEqual([])
  })

  test('that is refused says what the server says', async () => {
    wire.answer = () => ({ code: 20005, msg: '注册申请审核中，请耐心等待管理员通过' })
    expect(await comeBack('idp', back, trip)).toEqual({ problem: '注册申请审核中，请耐心等待管理员通过' })
  })
})
