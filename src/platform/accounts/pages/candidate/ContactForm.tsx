import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { phoneProblem } from '../../../../engine/format.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { encrypted } from '../../../../screens/candidate/encrypted.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { call } from '../../../http/browser/call.ts'
import { ApiError } from '../../../http/browser/http.ts'
import { useT } from '../../../i18n/i18n.ts'
import { changeProfile, type Profile } from '../../contract.ts'
import { PhoneCode } from '../own/PhoneCode.tsx'
import { usePhoneCode } from '../own/use-phone-code.ts'
import { type Site, useSite } from '../own/use-site.ts'

/** Fields that a refusal is about. */
const fieldOf: Record<number, keyof typeof blank> = {
  [REFUSAL.auth.smsCodeWrong]: 'smsCode',
  [REFUSAL.accounts.phoneTaken]: 'phone',
  [REFUSAL.auth.passwordRequired]: 'password',
  [REFUSAL.auth.passwordWrong]: 'password',
  [REFUSAL.accounts.emailNeedsPassword]: 'password',
}
const blank = { phone: '', email: '', smsCode: '', password: '' }

type Fields = typeof blank
/** How somebody can be reached now. */
type Reached = Pick<Profile, 'phone' | 'email'>

/** What has to be proved for what was changed, and what is wrong with it. */
function askedFor(of: Reached, fields: Fields, { smsMode, asksProof = true }: Site) {
  const isPhoneNew = fields.phone !== of.phone
  const byCode = isPhoneNew && smsMode
  const byPassword = asksProof && (fields.email !== of.email || (isPhoneNew && !smsMode))
  const problems: Partial<Fields> = {}
  const wrong = isPhoneNew ? phoneProblem(fields.phone) : null
  if (wrong) problems.phone = wrong
  if (byCode && !/^\d{6}$/.test(fields.smsCode)) problems.smsCode = '请输入短信验证码'
  if (byPassword && !fields.password) problems.password = '请输入密码'
  return { isPhoneNew, byCode, byPassword, problems }
}

async function change(of: Reached, { phone, email, smsCode, password }: Fields, codeId: string): Promise<void> {
  const sent = password ? await encrypted([password]) : undefined
  const proof = { ...(codeId && { codeId, smsCode }), ...(sent && { keyId: sent.keyId, password: sent.texts[0] }) }
  const data = { email, ...(phone !== of.phone && { phone }), ...proof }
  await call(changeProfile, data, { pass: Object.keys(fieldOf).map(Number) })
}

function useContact(of: Reached, site: Site, onChange: () => void) {
  const t = useT()
  const { message } = App.useApp()
  const [fields, setFields] = useState<Fields>({ ...blank, phone: of.phone, email: of.email })
  const [problems, setProblems] = useState<Partial<Fields>>({})
  const [busy, setBusy] = useState(false)
  const asked = askedFor(of, fields, site)
  const proof = usePhoneCode('phone', asked.byCode && site.captchaMode)
  const set = (name: keyof Fields, value: string): void => {
    setFields({ ...fields, [name]: value })
    setProblems({ ...problems, [name]: undefined })
  }
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setProblems(asked.problems)
    if (Object.keys(asked.problems).length > 0) return
    setBusy(true)
    try {
      await change(of, fields, asked.byCode ? proof.idFor(fields.phone) : '')
      void message.success(t('保存成功'))
      onChange()
    } catch (error) {
      // What was typed stays. Other refusals have been shown.
      const field = error instanceof ApiError ? fieldOf[error.code] : undefined
      if (field) setProblems({ [field]: (error as ApiError).message })
    } finally {
      setBusy(false)
    }
  }
  return { fields, problems, busy, asked, proof, set, save }
}

function Contact({ of, site, onChange }: { of: Reached; site: Site; onChange: () => void }): ReactNode {
  const t = useT()
  const { fields, problems, busy, asked, proof, set, save } = useContact(of, site, onChange)
  const entry = (id: 'phone' | 'email' | 'password', label: string, more: Record<string, unknown>): ReactNode => (
    <Entry
      id={id}
      label={t(label)}
      value={fields[id]}
      problem={problems[id] && t(problems[id])}
      onChange={event => set(id, event.target.value)}
      {...more}
    />
  )
  const phone = {
    inputMode: 'tel',
    autoComplete: 'tel',
    maxLength: 11,
    onFocus: () => fields.phone.includes('*') && set('phone', ''),
    onBlur: () => fields.phone === '' && set('phone', of.phone),
  }
  return (
    <form className="my-card" onSubmit={event => void save(event)} noValidate>
      <h2>{t('联系方式')}</h2>
      {entry('phone', '手机号码', phone)}
      {asked.byCode && fields.phone !== '' && (
        <PhoneCode
          phone={fields.phone}
          code={fields.smsCode}
          of={proof}
          sandbox={site.smsSandbox}
          problem={problems.smsCode && t(problems.smsCode)}
          onCode={code => set('smsCode', code)}
        />
      )}
      {entry('email', '电子邮箱', { type: 'email', autoComplete: 'email', maxLength: 100 })}
      {asked.byPassword && (
        <>
          <p className="my-quiet">{t('更换联系方式须确认是本人，请输入登录密码')}</p>
          {entry('password', '登录密码', { type: 'password', autoComplete: 'current-password' })}
        </>
      )}
      <Button
        htmlType={'submit'}
        type={'primary'}
        size={'large'}
        loading={busy}
        disabled={!asked.isPhoneNew && fields.email === of.email}
      >
        {t('保存')}
      </Button>
    </form>
  )
}

/**
 * How a person can be reached. A phone number shown masked stays as it is unless another one is written; another one takes a code
 * sent to it, another e-mail the own password.
 */
export function ContactForm({ of, onChange }: { of: Reached; onChange: () => void }): ReactNode {
  const site = useSite()
  return <Loaded query={site}>{found => <Contact of={of} site={found} onChange={onChange} />}</Loaded>
}
