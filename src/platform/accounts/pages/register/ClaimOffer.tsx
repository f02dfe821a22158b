import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../../i18n/i18n.ts'

/** Where the phone of a claim waits for the page of its state: it does not belong into an address. */
export const claimPhone = 'juxian-claim-phone'

interface Props {
  busy: boolean
  onClaim: (reason: string) => void
}

/** Offered where an ID number is somebody's already: its owner claims it with what was typed so far, and with papers. */
export function ClaimOffer({ busy, onClaim }: Props): ReactNode {
  const t = useT()
  const [reason, setReason] = useState('')
  return (
    <fieldset className="in-field" style={{ margin: 0 }}>
      <legend>{t('证件号已被注册？我是本人，申请认领')}</legend>
      <p className="my-quiet">
        {t('请在上面选择身份证两面的照片，并写明情况。工作人员核对后，证件号码归您，您即可用所填账号和密码登录。')}
      </p>
      <label htmlFor="claim-reason">{t('为什么号码是您的')}</label>
      <textarea
        id="claim-reason"
        className="in"
        rows={3}
        maxLength={500}
        value={reason}
        onChange={event => setReason(event.target.value)}
      />
      <Button size="large" loading={busy} disabled={!reason.trim()} onClick={() => onClaim(reason.trim())}>
        {t('申请认领')}
      </Button>
    </fieldset>
  )
}

/** What is said of a claim that was taken: its number, and where its state is to be seen. */
export function Claimed({ claimId, phone }: { claimId: string; phone: string }): ReactNode {
  const t = useT()
  const keep = (): void => sessionStorage.setItem(claimPhone, phone)
  return (
    <div role="status" className="my-card">
      <h1>{t('认领申请已提交')}</h1>
      <p>{t('认领编号：{{id}}', { id: claimId })}</p>
      <p>{t('请记下编号。工作人员审核通过后，即可用所填账号和密码登录。')}</p>
      <Button size="large" href={`/claim?${new URLSearchParams({ id: claimId })}`} onClick={keep}>
        {t('查看认领进度')}
      </Button>
    </div>
  )
}
