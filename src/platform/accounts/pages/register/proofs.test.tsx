import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { createHash } from 'node:crypto'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { sm2 } from 'sm-crypto'
import { beforeEach, expect, test } from 'vitest'
import { type Said, type Seen, wire } from '../../../../../tests/helper/screens-wire.ts'

const { ContactForm } = await import('../candidate/ContactForm.tsx')
const { RegisterForm } = await import('./RegisterForm.tsx')
const { default: SecondFactor } = await import('../own/SecondFactor.tsx')

/** A calculation whose result is 40. */
const work = { salt: 'salt&', maxnumber: 60, challenge: createHash('sha256').update('salt&40').digest('hex') }
const keys = sm2.generateKeyPairHex()
const profile = {
  account: 'a',
  name: 'n',
  realName: 'r',
  phone: '139****0001',
  email: 'old@example.org',
  idCard: '',
  sex: 1,
  birthday: '',
  avatar: '',
}
const site = { registerMode: true, captchaMode: true, smsMode: true, registerSms: true, smsSandbox: '' }
const factor = { isOffered: true, isRequired: false, isEnrolled: false, recoveryLeft: 0 }

let own: (seen: Seen) => Said | undefined
beforeEach(() => {
  wire.seen = []
  own = () => undefined
  wire.answer = seen => {
    const known: Record<string, unknown> = {
      '/public/site': site,
      '/blade-auth/oauth/captcha': { key: 'k', image: '', work },
      '/blade-auth/oauth/public-key': { keyId: '7', publicKey: keys.publicKey, serverTime: 1700, nonce: 'n' },
      '/blade-auth/oauth/sms/send-validate': { id: 'c0de' },
      '/blade-system/user/second-factor': factor,
    }
    return own(seen) ?? { data: known[seen.path] ?? {} }
  }
})

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
      </App>
    </ConfigProvider>,
  )
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, text)
}
/** A button that was busy keeps its sign here: no animation ever ends. */
const named = (name: string) => new RegExp(`^(loading )?${name}$`)
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name: named(name) }))
const bodies = (end: string) => wire.seen.filter(one => one.path.endsWith(end)).map(one => one.body)

test('a new phone asks for a code sent to it, an e-mail for the password; what was typed stays after a refusal', async () => {
  let changes = 0
  shown(<ContactForm of={profile} onChange={() => changes++} />)
  await type('手机号码', '13912345678')
  await press('获取验证码')
  await screen.findByRole('button', { name: named('\\d+ 秒后重发') })
  expect(bodies('/send-validate')).toEqual([{ phone: '13912345678', purpose: 'phone' }])
  await press('保存')
  expect(await screen.findByText('请输入短信验证码')).toBeVisible()
  own = ({ path }) => (path.endsWith('/update-info') ? { code: 20007, msg: '短信验证码错误或已失效' } : undefined)
  await type('短信验证码', '123456')
  await press('保存')
  expect(await screen.findByText('短信验证码错误或已失效')).toBeVisible()
  expect([changes, screen.getByLabelText('短信验证码')]).toEqual([0, expect.objectContaining({ value: '123456' })])
  own = () => undefined
  await type('电子邮箱', 'new@example.org')
  await type('登录密码', 'Juxian@2026')
  await press('保存')
  await waitFor(() => expect(changes).toBe(1))
  const [, last] = bodies('/update-info') as Record<string, string>[]
  expect(last).toMatchObject({ phone: '13912345678', codeId: 'c0de', smsCode: '123456', email: 'new@example.org' })
  expect(sm2.doDecrypt(last?.password ?? '', keys.privateKey, 0)).toBe('Juxian@2026\n1700\nn')
})

test('registration asks for a code only where the site does, and sends it along', async () => {
  const { unmount } = shown(<RegisterForm site={{ ...site, registerSms: false }} onDone={() => undefined} />)
  expect(screen.queryByLabelText('短信验证码')).toBeNull()
  unmount()
  const done: string[] = []
  own = ({ path }) => (path.endsWith('/register') ? { data: { userId: '1', accountStatus: 1 } } : undefined)
  shown(<RegisterForm site={{ ...site, captchaMode: false }} onDone={({ account }) => done.push(account)} />)
  const texts = { 真实姓名: '王小明', 证件号码: '11010519491231002X', 手机号码: '13912345678', 账号: 'wang1' }
  for (const [label, text] of Object.entries({ ...texts, 密码: 'Zhaopin2027', 确认密码: 'Zhaopin2027' }))
    await type(label, text)
  await userEvent.click(screen.getByLabelText('我已阅读并同意《个人信息处理告知书》'))
  await press('注册')
  expect(await screen.findByText('请输入短信验证码')).toBeVisible()
  await press('获取验证码')
  await screen.findByRole('button', { name: /秒后重发/ })
  await type('短信验证码', '654321')
  await press('注册')
  await waitFor(() => expect(done).toEqual(['wang1']))
  expect(bodies('/register')).toMatchObject([{ codeId: 'c0de', smsCode: '654321', phone: '13912345678' }])
})

test('an authenticator is set up by the password and a first code, and its recovery codes are shown once', async () => {
  const codes = Array.from({ length: 10 }, (_, i) => `abcde-fghi${i}`)
  let state = factor
  own = ({ path, body }) => {
    if (path.endsWith('/second-factor')) return { data: state }
    if (path.endsWith('/begin')) return { data: { secret: 'ABCDEFGHIJKLMNOP', uri: 'otpauth://totp/x' } }
    if (!path.endsWith('/confirm')) return undefined
    if ((body as { value: string }).value !== '123456') return { code: 20032, msg: '动态验证码错误或已使用' }
    state = { ...factor, isEnrolled: true, recoveryLeft: 10 }
    return { data: { recoveryCodes: codes } }
  }
  shown(<SecondFactor />)
  await press('开始绑定')
  await press('下一步')
  expect(await screen.findByText('请输入密码')).toBeVisible()
  await type('登录密码', 'Juxian@2026')
  await press('下一步')
  expect(await screen.findByText('ABCD EFGH IJKL MNOP')).toBeVisible()
  await type('应用显示的 6 位数字', '000000')
  await press('确认绑定')
  expect(await screen.findByText('动态验证码错误或已使用')).toBeVisible()
  await type('应用显示的 6 位数字', '123456')
  await press('确认绑定')
  expect((await screen.findAllByRole('listitem')).map(item => item.textContent)).toEqual(codes)
  await press('我已保存')
  expect(await screen.findByText('已绑定，还有 10 个恢复码可用。')).toBeVisible()
  expect(screen.queryByText(codes[0]!)).toBeNull()
})

test.each([
  [{ isOffered: false }, []],
  [{ isEnrolled: true }, ['重新绑定', '停用']],
  [{ isEnrolled: true, isRequired: true }, ['重新绑定']],
])('what is offered where %j', async (more, buttons) => {
  own = ({ path }) => (path.endsWith('/second-factor') ? { data: { ...factor, ...more } } : undefined)
  shown(<SecondFactor />)
  await waitFor(() => expect(screen.queryAllByRole('button').map(one => one.textContent)).toEqual(buttons))
})
