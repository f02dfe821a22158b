import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { phoneProblem } from '../../../../engine/format.ts'
import { call } from '../../../http.ts'
import { useT } from '../../../i18n.ts'
import { Entry } from '../parts/Entry.tsx'
import type { Profile } from './wire.ts'

/** How a person can be reached. A phone number shown masked stays as it is unless another one is written. */
export function ContactForm({ of, onChange }: { of: Profile; onChange: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [phone, setPhone] = useState(of.phone)
  const [email, setEmail] = useState(of.email)
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const isSame = phone === of.phone && email === of.email
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const wrong = phone === of.phone ? null : phoneProblem(phone)
    setProblem(wrong ? t(wrong) : undefined)
    if (wrong) return
    setBusy(true)
    try {
      const data = { email, ...(phone !== of.phone && { phone }) }
      await call('POST', '/blade-system/user/update-info', { data })
      void message.success(t('保存成功'))
      onChange()
    } catch {
      // The refusal has been shown; what was typed stays.
    } finally {
      setBusy(false)
    }
  }
  return (
    <form className="my-card" onSubmit={event => void save(event)} noValidate>
      <h2>{t('联系方式')}</h2>
      <Entry
        id="phone"
        label={t('手机号码')}
        inputMode="tel"
        autoComplete="tel"
        maxLength={11}
        value={phone}
        problem={problem}
        onFocus={() => phone.includes('*') && setPhone('')}
        onBlur={() => phone === '' && setPhone(of.phone)}
        onChange={event => setPhone(event.target.value)}
      />
      <Entry
        id="email"
        label={t('电子邮箱')}
        type="email"
        autoComplete="email"
        maxLength={100}
        value={email}
        onChange={event => setEmail(event.target.value)}
      />
      <Button htmlType="submit" type="primary" size="large" disabled={isSame} loading={busy}>
        {t('保存')}
      </Button>
    </form>
  )
}
