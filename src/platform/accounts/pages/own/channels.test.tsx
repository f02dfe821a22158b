import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Said, type Seen, wire } from '../../../../../tests/helper/screens-wire.ts'

const { default: Channels } = await import('./Channels.tsx')

const sms = { channel: 'sms', address: '139****0001', isOffered: true, isOn: true, isConfirmed: true }
const plain = { problem: '', sandbox: '' }
let mail: object
let own: (seen: Seen) => Said | undefined
beforeEach(() => {
  wire.seen = []
  own = () => undefined
  mail = { channel: 'mail', address: 'w***@example.org', isOffered: true, isOn: true, isConfirmed: false, ...plain }
  wire.answer = seen =>
    own(seen) ?? {
      data: { '/blade-system/user/channels': [{ ...sms, ...plain }, mail] }[seen.path] ?? { id: 'c0de' },
    }
})

const show = (at = '/info/index?tab=messages') =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <MemoryRouter initialEntries={[at]}>
          <QueryClientProvider client={new QueryClient()}>
            <Channels />
          </QueryClientProvider>
        </MemoryRouter>
      </App>
    </ConfigProvider>,
  )
const press = async (name: string) =>
  userEvent.click(await screen.findByRole('button', { name: new RegExp(`^(loading )?${name}$`) }))
const bodies = (end: string) => wire.seen.filter(one => one.path.endsWith(end)).map(one => one.body)

test('an address takes a code that was sent there before it can be switched on', async () => {
  show()
  expect(await screen.findByRole('switch', { name: '邮件' })).toBeDisabled()
  await press('获取验证码')
  await screen.findByText('验证码已发到邮箱，5 分钟内有效')
  const code = screen.getByLabelText('邮箱验证码')
  await userEvent.type(code, '12')
  await press('确认邮箱')
  expect(await screen.findByText('请输入6位验证码')).toBeVisible()
  own = seen =>
    seen.path.endsWith('/confirm-email') ? { code: REFUSAL.accounts.mailCodeWrong, msg: '邮箱验证码错误' } : undefined
  await userEvent.type(code, '3456')
  await press('确认邮箱')
  expect(await screen.findByText('邮箱验证码错误')).toBeVisible()
  own = () => undefined
  mail = { ...mail, isConfirmed: true }
  await press('确认邮箱')
  expect(await screen.findByText('w***@example.org')).toBeVisible()
  expect(bodies('/confirm-email').at(-1)).toEqual({ codeId: 'c0de', code: '123456' })
  await userEvent.click(screen.getByRole('switch', { name: '邮件' }))
  expect(bodies('/choose-channel')).toEqual([{ channel: 'mail', isOn: false }])
})

test('says why mail came back, and that an organisation sends none', async () => {
  mail = { ...mail, isConfirmed: true, problem: '550 No such mailbox' }
  const { unmount } = show()
  expect(await screen.findByRole('alert')).toHaveTextContent('550 No such mailbox')
  expect(screen.getByRole('button', { name: '获取验证码' })).toBeVisible()
  unmount()
  mail = { ...mail, problem: '', isConfirmed: false, isOffered: false }
  show()
  expect(await screen.findByText('本机构未开通邮件，消息只在站内。')).toBeVisible()
  expect(screen.queryByRole('button', { name: '获取验证码' })).toBeNull()
})

describe('WeChat', () => {
  const wechat = { channel: 'wechat', address: '', isOffered: true, isOn: false, isConfirmed: false, ...plain }
  const ticket = { id: 'c0de', url: 'http://weixin.example/q/1', inside: 'https://open.example/authorize', sandbox: '' }
  const agent = vi.spyOn(navigator, 'userAgent', 'get')
  beforeEach(() => {
    agent.mockReturnValue('Mozilla/5.0 (iPhone) MicroMessenger/8.0')
    own = ({ path }) =>
      path.endsWith('/channels')
        ? { data: [{ ...sms, ...plain }, wechat] }
        : path.endsWith('/begin-wechat')
          ? { data: ticket }
          : path.endsWith('/wechat-ticket')
            ? { data: { state: 'waiting' } }
            : undefined
  })
  afterAll(() => agent.mockRestore())

  test('is bound at once where the page is open inside it, and by a QR code elsewhere', async () => {
    const { unmount } = show()
    await press('绑定微信')
    expect(await screen.findByRole('link', { name: '绑定当前微信' })).toHaveAttribute('href', ticket.inside)
    unmount()
    agent.mockReturnValue('Mozilla/5.0 (iPhone) Safari')
    show()
    await press('绑定微信')
    expect(await screen.findByText(/^在手机上办理：/)).toBeVisible()
    expect(screen.queryByRole('link', { name: '绑定当前微信' })).toBeNull()
  })

  test('that has led back asks whose account it is to be bound to, once', async () => {
    show('/info/index?tab=messages&code=granted&state=c0de')
    expect(await screen.findByText(/^把打开本页的微信绑定到账号/)).toBeVisible()
    expect(bodies('/confirm-wechat-visit')).toEqual([])
    await press('确认绑定')
    await screen.findByText('微信已绑定')
    expect(bodies('/confirm-wechat-visit')).toEqual([{ id: 'c0de', code: 'granted' }])
    expect(await screen.findByRole('button', { name: '绑定微信' })).toBeVisible()
  })
})
