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
 * Has a code sent to the phone that was typed; the picture comes first.
 * @param refused says why not
 * @param used is told when the picture has served
 */
export async function send(
  around: Around,
  captchaMode: boolean,
  { refused, used }: { refused: (answer: Answer) => unknown; used: () => unknown },
): Promise<void> {
  const phone = typed('phone')
  if (busy || left > 0) return
  if (!/^1[3-9]\d{9}$/.test(phone)) return complain(phone ? '手机号码格式错误' : '请输入手机号码', 'phone')
  if (captchaMode && !around.captcha) return complain('请输入验证码', 'captcha')
  busy = true
  say('')
  try {
    const answer = await sendCode(around, phone)
    const id = answer.data?.id
    if (answer.code !== 200 || !id) return void (await refused(answer))
    sent = { phone, id }
    left = PAUSE
    tick()
    label(byId('sent'), '验证码已发送，5 分钟内有效')
    input('code').value = ''
    point('code')
    void used()
  } catch {
    say('网络不通，请检查网络后重试')
  } finally {
    busy = false
  }
}
