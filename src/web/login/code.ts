import { byId, complain, input, label, point, say, typed } from './page.ts'
import { type Answer, type Around, sendCode } from './server.ts'
import { t } from './texts.ts'

/** Seconds until another code may be asked for. */
const PAUSE = 60

let sent = { phone: '', id: '' }
let left = 0

/** The number of the code that was sent to the phone that stands there; empty for none. */
export const codeId = (): string => (sent.phone === typed('phone') ? sent.id : '')

function tick(): void {
  const button = byId<HTMLButtonElement>('send')
  button.disabled = left > 0
  label(button.firstElementChild, sent.id ? '重新获取' : '获取验证码')
  if (left <= 0) return
  button.firstElementChild!.textContent = `${left} ${t('秒后重发')}`
  left -= 1
  setTimeout(tick, 1000)
}

let busy = false

/**
 * Has a code sent to the phone that was typed.
 * @param around whose page this is, with a calculation for this call
 * @param refused says why not
 */
export async function send(around: () => Promise<Around>, refused: (answer: Answer) => unknown): Promise<void> {
  const phone = typed('phone')
  if (busy || left > 0) return
  if (!/^1[3-9]\d{9}$/.test(phone)) return complain(phone ? '手机号码格式错误' : '请输入手机号码', 'phone')
  busy = true
  say('')
  try {
    const answer = await sendCode(await around(), phone)
    const id = answer.data?.id
    if (answer.code !== 200 || !id) return void refused(answer)
    sent = { phone, id }
    left = PAUSE
    tick()
    label(byId('sent'), '验证码已发送，5 分钟内有效')
    input('code').value = ''
    point('code')
  } catch {
    say('网络不通，请检查网络后重试')
  } finally {
    busy = false
  }
}
