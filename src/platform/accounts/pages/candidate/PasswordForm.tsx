import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { UserType } from '#schemas/dictionaries/administration'
import { longestPassword, passwordProblem } from '../../../../engine/password.ts'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { readable } from '../../../../screens/candidate/encrypted.ts'
import { PasswordRules } from '../../../../screens/candidate/PasswordRules.tsx'
import { useSession } from '../../../../screens/providers/use-session.ts'
import { call } from '../../../http/browser/call.ts'
import type { ApiError } from '../../../http/browser/http.ts'
import { session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { changePassword } from '../../contract.ts'

const blank = { oldPassword: '', newPassword: '', newPassword1: '' }

type Fields = typeof blank

/** The first thing wrong with what was typed, by field. */
function problemsOf(fields: Fields, userType: number, names: readonly string[]): Partial<Fields> {
  if (!fields.oldPassword) return { oldPassword: '请输入原密码' }
  const newPassword = passwordProblem(fields.newPassword, userType, names)
  if (newPassword) return { newPassword }
  return fields.newPassword === fields.newPassword1 ? {} : { newPassword1: '两次密码输入不一致' }
}

/** Codes of refusals that say which field is wrong. */
const wrongPassword = REFUSAL.accounts.oldPasswordWrong
const weakPassword = REFUSAL.accounts.passwordTooWeak
const places: Readonly<Record<number, keyof Fields>> = { [wrongPassword]: 'oldPassword', [weakPassword]: 'newPassword' }

/** Changes one's own password; one's other sessions end. */
export function PasswordForm({ onDone }: { onDone?: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [fields, setFields] = useState(blank)
  const [problems, setProblems] = useState<Partial<Fields>>({})
  const [busy, setBusy] = useState(false)
  const who = useSession()
  const userType = Number(who?.userType ?? UserType.staff)
  const names = who?.account ? [who.account] : []
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const wrong = problemsOf(fields, userType, names)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const { keyId, texts } = await readable([fields.oldPassword, fields.newPassword, fields.newPassword1])
      const [oldPassword = '', newPassword = '', newPassword1 = ''] = texts
      // A form is read by every server of this family; in the address passwords would stand in logs.
      const options = { as: 'form', pass: Object.keys(places).map(Number) } as const
      await call(changePassword, { oldPassword, newPassword, newPassword1, keyId }, options)
      setFields(blank)
      session.update({ detail: { ...session.get()?.detail, mustChangePwd: 0 } })
      void message.success(t('密码已修改，其他设备需重新登录'))
      onDone?.()
    } catch (error) {
      const { code, message: msg } = error as ApiError
      const place = places[code]
      // Any other refusal has been shown.
      if (place) setProblems({ [place]: msg })
    } finally {
      setBusy(false)
    }
  }
  const entry = (id: keyof Fields, label: string, autoComplete: string, hint?: string): ReactNode => (
    <Entry
      id={id}
      label={t(label)}
      type="password"
      autoComplete={autoComplete}
      maxLength={longestPassword}
      hint={hint}
      value={fields[id]}
      problem={problems[id] && t(problems[id])}
      onChange={event => setFields({ ...fields, [id]: event.target.value })}
    />
  )
  return (
    <form className="my-card" onSubmit={event => void save(event)} noValidate>
      <h2>{t('修改密码')}</h2>
      {entry('oldPassword', '原密码', 'current-password')}
      {entry('newPassword', '新密码', 'new-password', 'newPassword-rules')}
      <PasswordRules id="newPassword-rules" password={fields.newPassword} userType={userType} names={names} />
      {entry('newPassword1', '确认新密码', 'new-password')}
      <Button type="primary" htmlType="submit" size="large" loading={busy}>
        {t('修改密码')}
      </Button>
    </form>
  )
}
