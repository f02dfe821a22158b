import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { sm2 } from 'sm-crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import { tokens } from '../../../../../tests/helper/wire.ts'

vi.mock(import('../../../../screens/providers/auth.ts'), async original => ({
  ...(await original()),
  leaveFor: address => void left.push(address),
}))

// How pictures are read is looked at with pictures; here they are taken as they are.
vi.mock(import('../../../../screens/fields/picture-file.ts'), async original => ({
  ...(await original()),
  fittedPicture: async file => file,
}))

const left: string[] = []
const { default: RegisterPage } = await import('./RegisterPage.tsx')
const { session } = await import('../../../http/browser/session.ts')

const keys = sm2.generateKeyPairHex()
const site = { registerMode: true, captchaMode: false, smsMode: true, registerSms: true, smsSandbox: '' }
const real = location.href

beforeEach(() => {
  sessionStorage.clear()
  localStorage.clear()
  left.splice(0)
  wire.seen = []
  wire.answer = ({ path }) => {
    if (path.endsWith('/public/site')) return { data: site }
    if (path.endsWith('/send-validate')) return { data: { id: 'c0de' } }
    if (path.endsWith('/public-key'))
      return { data: { publicKey: keys.publicKey, keyId: 'k', serverTime: '1', nonce: 'n' } }
    if (path.endsWith('/register'))
      return { data: { userId: '5', accountStatus: 1, session: tokens('new', { userType: 2, user_id: '5' }) } }
    return { data: [] }
  }
})

afterEach(() => history.replaceState({}, '', real))

const open = (address = '/register') => {
  history.replaceState({}, '', address)
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <App>
            <RegisterPage />
          </App>
        </MemoryRouter>
      </QueryClientProvider>
    </ConfigProvider>,
  )
}

/** What loading the page anew leaves of it: what the tab keeps. */
const reload = (address?: string): void => {
  cleanup()
  open(address)
}

const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label)
const type = async (label: string, text: string) => fireEvent.change(await field(label), { target: { value: text } })
const press = (name: string | RegExp) => userEvent.click(screen.getByRole('button', { name }))
const sent = (end: string) => wire.seen.filter(one => one.path.endsWith(end))

test('a reload loses nothing but secrets: what was typed stands, the code that was sent still counts', async () => {
  open()
  for (const [label, text] of Object.entries({
    真实姓名: '王小明',
    证件号码: '11010519491231002X',
    手机号码: '13912345678',
  }))
    await type(label, text)
  await press('获取验证码')
  await screen.findByRole('button', { name: /秒后重发/ })
  await type('短信验证码', '654321')
  await type('账号', 'wang1')
  await type('密码', 'Zhaopin2027')
  reload()
  expect((await field('真实姓名')).value).toBe('王小明')
  expect((await field('证件号码')).value).toBe('11010519491231002X')
  expect((await field('账号')).value).toBe('wang1')
  expect((await field('密码')).value).toBe('')
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toMatch(/Zhaopin2027|654321/)
  // The pause goes on where it was, and the code of before is sent along.
  expect(screen.getByRole('button', { name: /秒后重发/ })).toBeDisabled()
  await type('短信验证码', '654321')
  await type('密码', 'Zhaopin2027')
  await type('确认密码', 'Zhaopin2027')
  await userEvent.click(screen.getByLabelText('我已阅读并同意《个人信息处理告知书》'))
  await press('注册')
  await waitFor(() => expect(sent('/register')).toHaveLength(1))
  expect(sent('/register')[0]?.body).toMatchObject({ codeId: 'c0de', smsCode: '654321', idCard: '11010519491231002X' })
  expect(sent('/send-validate')).toHaveLength(1)
  // Afterwards: signed in, at the first page, and nothing kept of the form.
  await waitFor(() => expect(left).toEqual(['/']))
  expect(session.token()).toBe('new')
  expect(Object.keys(sessionStorage).filter(name => /register/.test(name))).toEqual([])
})

test('whoever came from an exam goes back to it; elsewhere nobody is led', async () => {
  for (const [redirect, to] of [
    ['/signup/exam/9?x=1', '/signup/exam/9?x=1'],
    ['https://elsewhere.example/', '/'],
  ] as const) {
    left.splice(0)
    reload(`/register?${new URLSearchParams({ redirect })}`)
    await field('真实姓名')
    const back = new URL(
      screen.getAllByRole('link', { name: '登录' }).at(-1)?.getAttribute('href') ?? '',
      location.href,
    )
    expect(back.searchParams.get('redirect')).toBe(redirect)
    const texts = { 真实姓名: '王小明', 证件号码: '11010519491231002X', 手机号码: '13912345678', 账号: 'wang1' }
    for (const [label, text] of Object.entries({ ...texts, 密码: 'Zhaopin2027', 确认密码: 'Zhaopin2027' }))
      await type(label, text)
    await press(/获取验证码|重发/)
    await screen.findByRole('button', { name: /秒后重发/ })
    await type('短信验证码', '654321')
    await userEvent.click(screen.getByLabelText('我已阅读并同意《个人信息处理告知书》'))
    await press('注册')
    await waitFor(() => expect(left).toEqual([to]))
  }
})

test('a form left for two hours is nobody’s any more', async () => {
  const at = Date.now() - 2 * 3600_000 - 1
  sessionStorage.setItem('juxian-register', JSON.stringify({ at, fields: { realName: '王小明' } }))
  open()
  expect((await field('真实姓名')).value).toBe('')
})

test('a number that is taken can be claimed with what was typed', async () => {
  const before = wire.answer
  wire.answer = asked => {
    if (asked.path.endsWith('/public/site')) return { data: { ...site, registerSms: false } }
    if (asked.path.endsWith('/captcha'))
      return { data: { key: 'w', work: { challenge: ofNothing, salt: '', maxnumber: 1, algorithm: 'SHA-256' } } }
    if (asked.path.endsWith('/register')) return { status: 409, code: 20013, msg: '该证件号码已注册' }
    if (asked.path.endsWith('/user/claim')) return { data: { claimId: '77' } }
    return before(asked)
  }
  open()
  const texts = { 真实姓名: '王小明', 证件号码: '11010519491231002X', 手机号码: '13912345678', 账号: 'wang1' }
  for (const [label, text] of Object.entries({ ...texts, 密码: 'Zhaopin2027', 确认密码: 'Zhaopin2027' }))
    await type(label, text)
  await userEvent.click(screen.getByLabelText('我已阅读并同意《个人信息处理告知书》'))
  expect(screen.queryByRole('button', { name: '申请认领' })).toBeNull()
  await press('注册')
  expect(await screen.findByRole('button', { name: '申请认领' })).toBeDisabled()
  await type('为什么号码是您的', '号码被他人注册')
  // Without pictures nothing is sent: each side says at its place that it is missing.
  await press('申请认领')
  expect(screen.getByText('请上传证件照片：身份证人像面')).toBeVisible()
  expect(screen.getByText('请上传证件照片：身份证国徽面')).toBeVisible()
  expect(sent('/user/claim')).toHaveLength(0)
  choosePicture('身份证人像面')
  await screen.findByText('身份证人像面.png')
  await press('申请认领')
  expect(screen.queryByText('请上传证件照片：身份证人像面')).toBeNull()
  expect(screen.getByText('请上传证件照片：身份证国徽面')).toBeVisible()
  choosePicture('身份证国徽面')
  await screen.findByText('身份证国徽面.png')
  await press('申请认领')
  expect(await screen.findByText('认领编号：77')).toBeInTheDocument()
  const body = sent('/user/claim')[0]?.body as FormData
  expect([body.get('idCard'), body.get('reason'), body.get('username')]).toEqual([
    '11010519491231002X',
    '号码被他人注册',
    'wang1',
  ])
})

const choosePicture = (name: string): void => {
  const input = screen
    .getByRole('button', { name: new RegExp(name) })
    .parentElement?.querySelector('input') as HTMLInputElement
  fireEvent.change(input, { target: { files: [new File(['x'], `${name}.png`, { type: 'image/png' })] } })
}

/** The digest of `0`, which a calculation without a salt finds at once. */
const ofNothing = '5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9'

test('where a claim stands is seen by its number and the phone', async () => {
  const { default: ClaimPage } = await import('./ClaimPage.tsx')
  history.replaceState({}, '', '/claim?id=77')
  sessionStorage.setItem('juxian-claim-phone', '139')
  render(
    <MemoryRouter>
      <ClaimPage />
    </MemoryRouter>,
  )
  expect((await field('认领编号')).value).toBe('77')
  await press(/查看进度/)
  expect(screen.getByRole('alert')).toHaveTextContent('手机号码')
  expect(sent('/claim-state')).toHaveLength(0)
  await type('手机号码', '13912345678')
  wire.answer = () => ({ status: 404, code: 29001, msg: '数据不存在' })
  await press(/查看进度/)
  expect(await screen.findByText(/没有这样的认领申请/)).toBeVisible()
  expect((await field('手机号码')).value).toBe('13912345678')
  for (const [answer, words] of [
    [{ claimStatus: 0, auditRemark: '', account: 'wang1' }, /正在核对证件/],
    [{ claimStatus: 2, auditRemark: '照片看不清', account: 'wang1' }, '照片看不清'],
    [{ claimStatus: 1, auditRemark: '', account: 'wang1' }, /证件号码已归您/],
  ] as const) {
    wire.answer = () => ({ data: answer })
    await press(/查看进度/)
    expect(await screen.findByText(words)).toBeVisible()
  }
  expect(sent('/claim-state').at(-1)?.body).toEqual({ claimId: '77', phone: '13912345678' })
  expect(screen.getByRole('link', { name: '去登录' })).toHaveAttribute('href', '/login?account=wang1')
})

test('a lost password: the rules are those of the account, shown before it is typed, once the phone is proved', async () => {
  const { default: FindPasswordPage } = await import('./FindPasswordPage.tsx')
  const before = wire.answer
  let found: ReturnType<typeof wire.answer> = { code: 20007, msg: '短信验证码错误或已失效' }
  wire.answer = asked => {
    if (asked.path.endsWith('/find-account')) return found
    if (asked.path.endsWith('/find-password')) return { data: { account: 'reviewer1' } }
    return before(asked)
  }
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>
        <FindPasswordPage />
      </MemoryRouter>
    </QueryClientProvider>,
  )
  await type('手机号码', '13912345678')
  expect(screen.queryByText('至少8个字符')).toBeNull()
  await press('获取验证码')
  await screen.findByRole('button', { name: /秒后重发/ })
  await type('短信验证码', '654321')
  await press(/下一步/)
  expect(await screen.findByText('短信验证码错误或已失效')).toBeVisible()
  expect(screen.queryByText(/reviewer1/)).toBeNull()
  found = { data: { account: 'reviewer1', userType: 1 } }
  await press(/下一步/)
  expect(await screen.findByText('为账号 reviewer1 设置新密码')).toBeVisible()
  expect(screen.getByText('至少12个字符')).toBeVisible()
  expect(screen.queryByText('至少8个字符')).toBeNull()
  await type('新密码', 'abcd1234')
  await press(/设置新密码/)
  expect(sent('/find-password')).toHaveLength(0)
  await type('新密码', 'Zhaopin-2027-x')
  await type('确认密码', 'Zhaopin-2027-x')
  await press(/设置新密码/)
  expect(await screen.findByText('新密码已设置，请登录。')).toBeVisible()
  expect(sent('/find-password')[0]?.body).toMatchObject({ phone: '13912345678', smsCode: '654321', codeId: 'c0de' })
})
