import type { ReactNode } from 'react'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { FormButtons } from '../../../../screens/candidate/FormButtons.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { useSmallForm } from './use-small-form.ts'

interface Props {
  /** What is about to happen. */
  hint: string
  /** Whether a code of the present factor is asked for too. */
  withCode: boolean
  action: string
  danger?: boolean
  onSend: (password: string, value: string) => Promise<void>
  onCancel: () => void
}

/** Asks for the own password, and for a code where there is a factor. */
export function ProofForm({ hint, withCode, action, danger, onSend, onCancel }: Props): ReactNode {
  const t = useT()
  const { entry, submit, busy } = useSmallForm(withCode ? ['password', 'value'] : ['password'], typed =>
    onSend(typed.password, typed.value),
  )
  return (
    <form className="my" onSubmit={event => void submit(event)} noValidate>
      <p className="my-quiet">{t(hint)}</p>
      <Entry
        id="factorPassword"
        label={t('登录密码')}
        type="password"
        autoComplete="current-password"
        maxLength={64}
        {...entry('password')}
      />
      {withCode && (
        <Entry
          id="factorValue"
          label={t('动态验证码或恢复码')}
          autoComplete="one-time-code"
          maxLength={20}
          {...entry('value')}
        />
      )}
      <FormButtons action={action} danger={danger} busy={busy} onCancel={onCancel} />
    </form>
  )
}
