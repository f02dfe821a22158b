import { Button, Modal, Skeleton } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { confirmNotice, type Notice, noticeInfo } from '../../contract.ts'
import { HungFiles } from '../HungFiles.tsx'

/** One notice to read; where it asks for that, also to confirm: then `onConfirmed` is waited for. */
export default function NoticeDialog({
  id,
  onClose,
  onConfirmed,
}: {
  id: string
  onClose: () => void
  onConfirmed: () => Promise<void>
}): ReactNode {
  const t = useT()
  const [notice, setNotice] = useState<Notice>()
  const [isBusy, setBusy] = useState(false)
  // The refusal says why there is nothing to read.
  const giveUp = useEffectEvent(() => onClose())
  useEffect(() => {
    call(noticeInfo, { id }).then(setNotice, () => giveUp())
  }, [id])
  const confirm = async (): Promise<void> => {
    setBusy(true)
    try {
      await call(confirmNotice, { id })
      await onConfirmed()
      onClose()
    } catch {
      // The refusal has been shown; the notice stays.
      setBusy(false)
    }
  }
  const isOpen = notice?.needSure === 1 && notice.sure !== 1
  const button = (
    <Button type="primary" loading={isBusy} onClick={() => void confirm()}>
      {t('我已阅读并确认')}
    </Button>
  )
  return (
    <Modal open title={notice?.title ?? t('通知')} onCancel={onClose} footer={isOpen ? button : null} width={720}>
      {notice ? (
        <>
          <p className="notice-time">{notice.releaseTime}</p>
          <SafeHtml html={notice.content} />
          <HungFiles files={notice.files} />
        </>
      ) : (
        <Skeleton active />
      )}
    </Modal>
  )
}
