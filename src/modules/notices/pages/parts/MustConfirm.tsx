import { Button, Modal } from 'antd'
import { type ReactNode, type UIEvent, useEffect, useRef, useState } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { scrollBox } from '../../../../screens/scroll-stop.ts'
import { confirmNotice, type Notice } from '../../contract.ts'

/** Milliseconds after which a notice counts as read without scrolling to its end. */
const READING = 5000
/** Pixels short of the end that still count as the end. */
const NEARLY = 8

/** True once a notice was on screen for five seconds, or its end was reached by scrolling. */
function useRead(id: string) {
  const [read, setRead] = useState('')
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const timer = setTimeout(() => setRead(id), READING)
    return () => clearTimeout(timer)
  }, [id])
  const onScroll = (event: UIEvent<HTMLDivElement>): void => {
    const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
    if (scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - NEARLY) setRead(id)
  }
  return { isRead: read === id, box, onScroll }
}

/** Notices that must be confirmed, one after another. Closing puts it off; `onDone` is called when all are confirmed. */
export function MustConfirm({
  notices,
  onDone,
  onClose,
}: {
  notices: readonly Pick<Notice, 'id' | 'title' | 'content' | 'releaseTime'>[]
  onDone: () => void
  onClose?: () => void
}): ReactNode {
  const t = useT()
  const [sure, setSure] = useState<readonly string[]>([])
  const [put, setPut] = useState(false)
  const [busy, setBusy] = useState(false)
  const left = notices.filter(one => !sure.includes(one.id))
  const notice = left[0]
  const { isRead, box, onScroll } = useRead(notice?.id ?? '')
  const hold = (self: HTMLDivElement | null): void => {
    box.current = self
    scrollBox(self)
  }
  const confirm = async (): Promise<void> => {
    if (!notice) return
    setBusy(true)
    try {
      await call(confirmNotice, { id: notice.id })
      setSure([...sure, notice.id])
      box.current?.scrollTo(0, 0)
      if (left.length === 1) onDone()
    } catch {
      // The refusal has been shown; the notice stays.
    } finally {
      setBusy(false)
    }
  }
  const close = (): void => {
    setPut(true)
    onClose?.()
  }
  return (
    <Modal
      open={notice !== undefined && !put}
      title={notice?.title}
      onCancel={close}
      mask={{ closable: false }}
      footer={
        <Button type="primary" size="large" block disabled={!isRead} loading={busy} onClick={() => void confirm()}>
          {isRead ? t('我已阅读并确认') : t('请阅读全文')}
        </Button>
      }
    >
      <p className="my-quiet">
        {momentText(notice?.releaseTime)} {left.length > 1 && t('还有 {{n}} 条', { n: left.length - 1 })}
      </p>
      <section className="my-reading" ref={hold} onScroll={onScroll} aria-label={notice?.title}>
        <SafeHtml html={notice?.content} />
      </section>
    </Modal>
  )
}
