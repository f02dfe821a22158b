import { Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { phoneProblem } from '../../../engine/format.ts'
import { passwordProblem } from '../../../engine/password.ts'
import { ApiError, call } from '../../http.ts'
import { useT } from '../../i18n.ts'
import { Entry } from '../candidate/parts/Entry.tsx'
import { encrypted } from '../candidate/parts/encrypted.ts'
import { Loaded, Nothing } from '../candidate/parts/Loaded.tsx'
import { PasswordRules } from '../candidate/parts/PasswordRules.tsx'
import { PhoneCode } from '../info/PhoneCode.tsx'
import { usePhoneCode } from '../info/use-phone-code.ts'
import { type Site, useSite } from '../info/use-site.ts'
import { PublicFrame } from '../public/PublicFrame.tsx'
import { candidate } from './fields.ts'

const blank = { phone: '', smsCode: '', password: '', password2: '' }
type Fields = typeof blank

/** Fields that refusals are about. */
const fieldOf: Record<number, keyof Fields> = { 20007: 'smsCode', 20009: 'password', 20015: 'password2' }

const checks: { readonly [K in keyof Fields]: (fields: Fields) => string | null } = {
  phone: ({ phone }) => phoneProblem(phone),
  smsCode: ({ smsCode }) => (/^\d{6}$/.test(smsCode) ? null : '请输入短信验证码'),
  password: ({ password }) => (password ? passwordProblem(password, candidate, []) : '请输入密码'),
  password2: ({ password, password2 }) => (password === password2 ? null : '两次密码输入不一致'),
}
const names = Object.keys(blank) as (keyof Fields)[]

function useFinding({ captchaMode }: Site, onDone: (account: string) => void) {
  const t = useT()
  const proof = usePhoneCode('password', captchaMode)
  const [fields, setFields] = useState(blank)
  const [problems, setProblems] = useState<Partial<Fields>>({})
  const [trouble, setTrouble] = useState('')
  const [busy, setBusy] = useState(false)
  const blame = (field: keyof Fields, text: string): void => {
    setProblems({ [field]: t(text) })
    document.getElementById(field)?.focus()
  }
  const send = async (): Promise<void> => {
    const { keyId, texts } = await encrypted([fields.password, fields.password2])
    const [password, password2] = texts
    const { phone, smsCode } = fields
    const data = { phone, smsCode, codeId: proof.idFor(phone), password, password2, keyId }
    const { account } = await call<{ account: string }>('POST', '/blade-system/user/find-password', {
      data,
      pass: 'all',
    })
    onDone(account)
  }
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setTrouble('')
    const wrong = names.find(name => checks[name](fields) !== null)
    if (wrong) return blame(wrong, checks[wrong](fields) ?? '')
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
  return { fields, problems, trouble, busy, submit, set, proof }
}

function FindForm({ site, onDone }: { site: Site; onDone: (account: string) => void }): ReactNode {
  const t = useT()
  const { fields, problems, trouble, busy, submit, set, proof } = useFinding(site, onDone)
  const entry = (id: keyof Fields, label: string, more: Record<string, unknown>): ReactNode => (
    <Entry
      {...{ id, label: t(label), value: fields[id], problem: problems[id] }}
      onChange={event => set(id, event.target.value)}
      {...more}
    />
  )
  const secret = { type: 'password', autoComplete: 'new-password', maxLength: 128 }
  return (
    <form className="public-form" onSubmit={event => void submit(event)} noValidate>
      <h1>{t('找回密码')}</h1>
      <p className="my-quiet">{t('用账号绑定的手机号码接收验证码，然后设置新密码。')}</p>
      {entry('phone', '手机号码', { inputMode: 'tel', autoComplete: 'tel', maxLength: 20 })}
      <PhoneCode
        {...{
          phone: fields.phone,
          code: fields.smsCode,
          problem: problems.smsCode,
          of: proof,
          sandbox: site.smsSandbox,
        }}
        onCode={code => set('smsCode', code)}
      />
      {entry('password', '新密码', { ...secret, hint: 'password-rules' })}
      <PasswordRules {...{ id: 'password-rules', password: fields.password, userType: candidate, names: [] }} />
      {entry('password2', '确认密码', secret)}
      {trouble && (
        <p className="in-problem" role="alert">
          {trouble}
        </p>
      )}
      <Button htmlType="submit" type="primary" size="large" loading={busy}>
        {t('设置新密码')}
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
