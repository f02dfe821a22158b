import { App, Button } from 'antd'
import { type ReactNode, type SyntheticEvent, useState } from 'react'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { call } from '../../../http/browser/call.ts'
import { isCandidate, session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { changeProfile, type Profile } from '../../contract.ts'

/** Changes what one is called; a candidate's real name stands on the ID card and is not changed here. */
export function NameForm({ of, onChange }: { of: Profile; onChange: () => void }): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const [name, setName] = useState(of.name)
  const [realName, setRealName] = useState(of.realName)
  const [busy, setBusy] = useState(false)
  const fixed = isCandidate(session.get())
  const isSame = name.trim() === of.name && realName.trim() === of.realName
  const isEmpty = !name.trim() || (!fixed && !realName.trim())
  const save = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault()
    setBusy(true)
    const data = { name: name.trim(), ...(!fixed && { realName: realName.trim() }) }
    try {
      await call(changeProfile, data)
      session.update({ nick_name: data.name, ...(!fixed && { real_name: realName.trim() }) })
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
      <h2>{t('姓名与昵称')}</h2>
      {!fixed && (
        <Entry
          id={'realName'}
          label={t('真实姓名')}
          autoComplete={'name'}
          maxLength={20}
          value={realName}
          onChange={event => setRealName(event.target.value)}
        />
      )}
      <Entry
        id={'name'}
        label={t('昵称')}
        autoComplete={'nickname'}
        maxLength={20}
        value={name}
        onChange={event => setName(event.target.value)}
      />
      <Button htmlType={'submit'} type={'primary'} size={'large'} loading={busy} disabled={isSame || isEmpty}>
        {t('保存')}
      </Button>
    </form>
  )
}
