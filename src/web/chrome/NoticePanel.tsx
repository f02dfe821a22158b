import { Button, Skeleton } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isCandidate, session } from '../../platform/http/browser/session.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import '../../screens/window/notices.css'
import { askNotices, markAllRead, markRead, useMore } from '../../modules/notifications/pages/parts/reading.ts'
import { type NoticeLine, type NoticePage, useNotices } from '../../modules/notifications/pages/parts/unread.ts'
import { Nothing } from '../../screens/parts/Nothing.tsx'

/** Candidates have a page for it. */
const NoticeDialog = lazy(() => loadPart(() => import('../../modules/notices/pages/parts/NoticeDialog.tsx')))

/** Closes when one presses elsewhere, or Esc; the focus goes in, and back to the bell. */
function usePanel(isCovered: boolean, onClose: () => void) {
  const self = useRef<HTMLDivElement>(null)
  const leave = useEffectEvent((event: Event) => {
    if (isCovered) return
    const bell = self.current?.parentElement
    if (event instanceof KeyboardEvent) {
      if (event.key !== 'Escape') return
      bell?.querySelector('button')?.focus()
    } else if (bell?.contains(event.target as Node)) return
    onClose()
  })
  useEffect(() => {
    self.current?.focus()
    const listen = (event: Event): void => leave(event)
    for (const kind of ['pointerdown', 'keydown']) document.addEventListener(kind, listen)
    return () => {
      for (const kind of ['pointerdown', 'keydown']) document.removeEventListener(kind, listen)
    }
  }, [])
  return self
}

/** Unread lines as they are known, asked for anew, also when there are more; undefined while the first come. */
function useLines(): NoticePage | undefined {
  const unread = useNotices()
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    void askNotices().then(() => setFresh(true))
  }, [])
  useMore(unread.total, () => void askNotices())
  return isFresh || unread.records.length > 0 ? unread : undefined
}

function Line({ of, onOpen }: { of: NoticeLine; onOpen: (line: NoticeLine) => void }): ReactNode {
  const t = useT()
  const inside = (
    <>
      <span className="notice-title" data-unread={!of.read || undefined}>
        {of.title}
      </span>
      <span className="notice-time">
        <time>{of.time.slice(0, 16)}</time>
        {of.mustSure && <em>{t('须确认')}</em>}
      </span>
    </>
  )
  const address = of.kind === 'message' ? `/info/message/${of.id}` : of.opens
  if (address)
    return (
      <Link to={address} className="notice" onClick={() => onOpen(of)}>
        {inside}
      </Link>
    )
  return (
    <button type="button" className="notice" onClick={() => onOpen(of)}>
      {inside}
    </button>
  )
}

function Lines({ of, onOpen }: { of: NoticePage | undefined; onOpen: (line: NoticeLine) => void }): ReactNode {
  const t = useT()
  if (!of) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
  if (of.records.length === 0) return <Nothing small picture="letter" text={t('没有未读消息')} />
  return (
    <ul>
      {of.records.map(one => (
        <li key={one.id}>
          <Line of={one} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}

/** The unread messages and notices, newest first: each opens and is read then; 全部已读 is for what needs no confirmation. */
export default function NoticePanel({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT()
  const [read, setRead] = useState<string>()
  const unread = useNotices()
  const [isBusy, setBusy] = useState(false)
  const self = usePanel(read !== undefined, onClose)
  const lines = useLines()
  const isMine = isCandidate(session.get())
  const open = (line: NoticeLine): void => {
    void markRead(line, unread)
    if (isMine || line.kind === 'message') onClose()
    else setRead(line.id)
  }
  const readAll = (): void => {
    setBusy(true)
    // The refusal has been shown.
    void markAllRead()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <div ref={self} className="notices" role="dialog" aria-label={t('消息')} tabIndex={-1}>
      <header>
        <strong>{t('未读消息')}</strong>
        <Button size="small" type="link" loading={isBusy} disabled={!lines?.total} onClick={readAll}>
          {t('全部已读')}
        </Button>
      </header>
      <Lines of={lines} onOpen={open} />
      <footer>
        <Link to={isMine ? '/signup/notice' : '/info/inbox'} onClick={onClose}>
          {t('全部消息')}
        </Link>
      </footer>
      {read !== undefined && (
        <Suspense>
          <NoticeDialog id={read} onClose={() => setRead(undefined)} onConfirmed={askNotices} />
        </Suspense>
      )}
    </div>
  )
}
