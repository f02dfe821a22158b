import { Alert, App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { call } from '../../../http.ts'
import { useT } from '../../../i18n.ts'
import { useSession } from '../../../providers/use-session.ts'
import { session } from '../../../session.ts'
import { Entry } from '../parts/Entry.tsx'
import { encrypted } from '../parts/encrypted.ts'

const blank = { oldPassword: '', newPassword: '', newPassword1: '' }

type Fields = typeof blank

/** The first thing wrong with what was typed, by field. */
function problemsOf(fields: Fields): Partial<Fields> {
  if (!fields.oldPassword) return { oldPassword: '请输入原密码' }
  if (fields.newPassword.length < 8 || !/[a-z]/i.test(fields.newPassword) || !/\d/.test(fields.newPassword)) {
    return { newPassword: '新密码至少 8 位，须含字母和数字' }
  }
  return fields.newPassword === fields.newPassword1 ? {} : { newPassword1: '两次密码输入不一致' }
}

/** Changes one's own password; one's other sessions end. */
export function PasswordForm(): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [fields, setFields] = useState(blank)
  const [problems, setProblems] = useState<Partial<Fields>>({})
  const [busy, setBusy] = useState(false)
  const given = Number(useSession()?.detail?.mustChangePwd ?? 0) === 1
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    const wrong = problemsOf(fields)
    setProblems(wrong)
    if (Object.keys(wrong).length > 0) return
    setBusy(true)
    try {
      const { keyId, texts } = await encrypted([fields.oldPassword, fields.newPassword, fields.newPassword1])
      const [oldPassword, newPassword, newPassword1] = texts
      const data = { oldPassword, newPassword, newPassword1, keyId }
      await call('POST', '/blade-system/user/update-password', { data })
      setFields(blank)
      session.update({ detail: { ...session.get()?.detail, mustChangePwd: 0 } })
      void message.success(t('密码已修改，其他设备需重新登录'))
    } catch {
      // The refusal has been shown.
    } finally {
      setBusy(false)
    }
  }
  const entry = (id: keyof Fields, label: string, autoComplete: string): ReactNode => (
    <Entry
      id={id}
      label={t(label)}
      type="password"
      autoComplete={autoComplete}
      maxLength={64}
      value={fields[id]}
      problem={problems[id] && t(problems[id])}
      onChange={event => setFields({ ...fields, [id]: event.target.value })}
    />
  )
  return (
    <form className="my-card" onSubmit={event => void save(event)} noValidate>
      <h2>{t('修改密码')}</h2>
      {given && <Alert type="warning" showIcon title={t('请先修改密码')} />}
      {entry('oldPassword', '原密码', 'current-password')}
      {entry('newPassword', '新密码', 'new-password')}
      {entry('newPassword1', '确认新密码', 'new-password')}
      <Button htmlType="submit" size="large" loading={busy}>
        {t('修改密码')}
      </Button>
    </form>
  )
}
