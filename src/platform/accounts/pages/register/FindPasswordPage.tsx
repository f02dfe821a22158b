import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import type { AnswerOf } from '#engine'
import { phoneProblem } from '../../../../engine/format.ts'
import { longestPassword, passwordProblem } from '../../../../engine/password.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { PasswordRules } from '../../../../screens/candidate/PasswordRules.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { useT } from '../../../i18n/i18n.ts'
import { findAccount, findPassword } from '../../contract.ts'
import { PhoneCode } from '../own/PhoneCode.tsx'
import { usePhoneCode } from '../own/use-phone-code.ts'
import { type Site, useSite } from '../own/use-site.ts'

const blank = { phone: '', smsCode: '', password: '', password2: '' }
type Fields = typeof blank

/** The account that a phone belongs to, as it is told to whoever has the code sent to it. Staff have rules of their own. */
type Owner = AnswerOf<typeof findAccount>

/** Fields that refusals are about. */
const fieldOf: Record<number, keyof Fields> = {
  [REFUSAL.auth.smsCodeWrong]: 'smsCode',
  [REFUSAL.accounts.passwordTooWeak]: 'password',
  [REFUSAL.accounts.passwordsDiffer]: 'password2',
}

type Check = (fields: Fields, owner: Owner | undefined) => string | null

const checks: { readonly [K in keyof Fields]: Check } = {
  phone: ({ phone }) => phoneProblem(phone),
  smsCode: ({ smsCode }) => (/^\d{6}$/.test(smsCode) ? null : '请输入短信验证码'),
  password: ({ password }, owner) =>
    password && owner ? passwordProblem(password, owner.userType, [owner.account]) : '请输入密码',
  password2: ({ password, password2 }) => (password === password2 ? null : '两次密码输入不一致'),
}

/** First the phone is proved, then the password chosen: what is asked of it depends on whose it is. */
const steps: readonly (readonly (keyof Fields)[])[] = [
  ['phone', 'smsCode'],
  ['password', 'password2'],
]

function useFinding({ captchaMode }: Site, onDone: (account: string) => void) {
  const t = useT()
  const proof = usePhoneCode('password', captchaMode)
  const [fields, setFields] = useState(blank)
  const [owner, setOwner] = useState<Owner>()
  const [problems, setProblems] = useState<Partial<Fields>>({})
  const [trouble, setTrouble] = useState('')
  const [busy, setBusy] = useState(false)
  const blame = (field: keyof Fields, text: string): void => {
    // A code that holds no more is asked for again, with the phone.
    if (field === 'smsCode') setOwner(undefined)
    setProblems({ [field]: t(text) })
    setTimeout(() => document.getElementById(field)?.focus())
  }
  const proved = () => {
    const { phone, smsCode } = fields
    return { phone, smsCode, codeId: proof.idFor(phone) }
  }
  const send = async (): Promise<void> => {
    if (!owner) {
      setOwner(await call(findAccount, proved(), { pass: 'all' }))
      setTimeout(() => document.getElementById('password')?.focus())
      return
    }
    const { keyId, texts } = await encrypted([fields.password, fields.password2])
    const [password = '', password2 = ''] = texts
    const { account } = await call(findPassword, { ...proved(), password, password2, keyId }, { pass: 'all' })
    onDone(account)
  }
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTrouble('')
    const wrong = steps[owner ? 1 : 0]?.find(name => checks[name](fields, owner) !== null)
    if (wrong) return blame(wrong, checks[wrong](fields, owner) ?? '')
    setBusy(true)
    try {
      await send()
    } catch (error) {
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined
      const text = error instanceof ApiError ? error.message : '网络不通，请检查网络后重试'
      if (field) blame(field, text)
      else setTrouble(t(text))
    } finally {
      setBusy(false)
    }
  }
  const set = (name: keyof Fields, value: string): void => {
    setFields({ ...fields, [name]: value })
    setProblems({ ...problems, [name]: undefined })
  }
  return { fields, owner, problems, trouble, busy, submit, set, proof }
}

function FindForm({ site, onDone }: { site: Site; onDone: (account: string) => void }): ReactNode {
  const t = useT()
  const { fields, owner, problems, trouble, busy, submit, set, proof } = useFinding(site, onDone)
  const entry = (id: keyof Fields, label: string, more: Record<string, unknown>): ReactNode => (
    <Entry
      id={id}
      label={t(label)}
      value={fields[id]}
      problem={problems[id]}
      onChange={event => set(id, event.target.value)}
      {...more}
    />
  )
  const secret = { type: 'password', autoComplete: 'new-password', maxLength: longestPassword }
  return (
    <form className="public-form" onSubmit={event => void submit(event)} noValidate>
      <h1>{t('找回密码')}</h1>
      {owner ? (
        <>
          <p role="status">{t('为账号 {{account}} 设置新密码', { account: owner.account })}</p>
          {/* Password managers keep the new password under this name. */}
          <input type="text" hidden readOnly autoComplete="username" value={owner.account} />
          {entry('password', '新密码', { ...secret, hint: 'password-rules' })}
          <PasswordRules
            id={'password-rules'}
            password={fields.password}
            userType={owner.userType}
            names={[owner.account]}
          />
          {entry('password2', '确认密码', secret)}
        </>
      ) : (
        <>
          <p className="my-quiet">{t('用账号绑定的手机号码接收验证码，然后设置新密码。')}</p>
          {entry('phone', '手机号码', { inputMode: 'tel', autoComplete: 'tel', maxLength: 20 })}
          <PhoneCode
            phone={fields.phone}
            code={fields.smsCode}
            problem={problems.smsCode}
            of={proof}
            sandbox={site.smsSandbox}
            onCode={code => set('smsCode', code)}
          />
        </>
      )}
      {trouble && (
        <p className="in-problem" role="alert">
          {trouble}
        </p>
      )}
      <Button htmlType="submit" type="primary" size="large" loading={busy}>
        {t(owner ? '设置新密码' : '下一步')}
      </Button>
      <p>
        {t('手机号码已停用或收不到短信？请拨打招聘公告中的咨询电话，由工作人员核实身份后重置。')}{' '}
        <a href="/public/index">{t('查看招聘公告')}</a>
      </p>
    </form>
  )
}

function Finding(): ReactNode {
  const t = useT()
  const site = useSite()
  const [account, setAccount] = useState<string>()
  if (account !== undefined)
    return (
      <Nothing title={t('新密码已设置，请登录。')}>
        <Button type="primary" size="large" href={`/login?${new URLSearchParams({ account })}`}>
          {t('去登录')}
        </Button>
      </Nothing>
    )
  return (
    <Loaded query={site}>
      {found =>
        found.smsMode ? (
          <FindForm site={found} onDone={setAccount} />
        ) : (
          <Nothing title={t('本系统未启用短信，请由工作人员核实身份后重置密码。')}>
            <p>{t('考生请拨打招聘公告中的咨询电话，工作人员请联系管理员。')}</p>
            <Button size="large" href="/public/index">
              {t('查看招聘公告')}
            </Button>
          </Nothing>
        )
      }
    </Loaded>
  )
}

/** A new password for whoever has lost it: by a code on the phone, by staff otherwise. */
export default function FindPasswordPage(): ReactNode {
  return (
    <PublicFrame>
      <Finding />
    </PublicFrame>
  )
}
