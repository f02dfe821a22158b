import { byId, input, label, point, say, typed } from './page.ts'

/** How one signs in, and after either of the first two perhaps the third. */
export type Way = 'password' | 'sms' | 'factor'

/** The fields of each way, in their order. */
const FIELDS: Record<Way, string[]> = {
  password: ['tenant', 'username', 'password', 'picture'],
  sms: ['tenant', 'phone', 'code'],
  factor: ['factor'],
}
/** Where a refusal leads that names no field. */
export const FIRST: Record<Way, string> = { password: 'username', sms: 'phone', factor: 'factor' }
const HINT: Record<Way, string> = {
  password: '考生可用账号、手机号码或证件号码登录',
  sms: '使用账号绑定的手机号码登录',
  factor: '请打开验证器应用，输入显示的 6 位数字',
}

/** The way whose fields are shown. */
export const wayNow = (): Way => byId('form').dataset.way as Way

/** The first field of the way that is empty. */
export const missing = (): string | undefined =>
  FIELDS[wayNow()].find(id => typed(id) === '' && !byId(`${id}-field`)?.hidden)

/** What is said of an empty field. */
export const EMPTY: Record<string, string> = {
  tenant: '请输入租户编号',
  username: '请输入账号',
  password: '请输入密码',
  picture: '请输入图中的验证码',
  phone: '请输入手机号码',
  code: '请输入短信验证码',
  factor: '请输入动态验证码',
}

/** Shows the fields of a way. What was typed in the others stays. */
export function go(way: Way): void {
  byId('form').dataset.way = way
  byId('by-password').setAttribute('aria-pressed', String(way === 'password'))
  byId('by-sms').setAttribute('aria-pressed', String(way === 'sms'))
  label(byId('hint'), HINT[way])
  say('')
  askFor(false)
}

/** Whether the app's six digits or a recovery code are asked for: the keyboards of phones differ. */
export function askFor(recovery: boolean): void {
  input('factor').value = ''
  input('factor').inputMode = recovery ? 'text' : 'numeric'
  label(document.querySelector('[for=factor]'), recovery ? '恢复码' : '动态验证码')
  byId('recovery').hidden = recovery
  if (!recovery) return
  label(byId('hint'), '请输入绑定时保存的恢复码，每个只能用一次')
  say('')
  point('factor')
}
