import type { ReactNode } from 'react'
import { Entry } from '../../../../screens/candidate/Entry.tsx'
import { FormButtons } from '../../../../screens/candidate/FormButtons.tsx'
import { Qr } from '../../../../screens/candidate/Qr.tsx'
import { useT } from '../../../i18n/i18n.ts'
import { confirm, type NewFactor } from './factor.ts'
import { useSmallForm } from './use-small-form.ts'

interface Props {
  of: NewFactor
  /** Called with the recovery codes. */
  onDone: (codes: readonly string[]) => void
  onCancel: () => void
}

/** The secret as a picture and as letters, and the first code that proves that the app has it. */
export function ConfirmFactor({ of, onDone, onCancel }: Props): ReactNode {
  const t = useT()
  const { entry, submit, busy } = useSmallForm(['value'], async ({ value }) => {
    onDone((await confirm(value.trim())).recoveryCodes)
  })
  return (
    <form className="my" onSubmit={event => void submit(event)} noValidate>
      <div className="factor-setup">
        <Qr text={of.uri} label={t('绑定二维码')} />
        <div className="my">
          <p>{t('用验证器应用（如 Microsoft Authenticator、Google Authenticator、腾讯身份验证器）扫描二维码。')}</p>
          <p className="my-quiet">{t('不能扫码时，在应用中手动输入密钥：')}</p>
          <p className="factor-secret">{of.secret.replace(/(.{4})(?=.)/g, '$1 ')}</p>
        </div>
      </div>
      <Entry
        id="firstCode"
        label={t('应用显示的 6 位数字')}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        {...entry('value')}
      />
      <FormButtons action="确认绑定" busy={busy} onCancel={onCancel} />
    </form>
  )
}
