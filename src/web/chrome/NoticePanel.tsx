import { Button, Skeleton } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { isCandidate, session } from '../../platform/http/browser/session.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import '../../screens/window/notices.css'
import { fetchNotices, markAllRead, markRead } from '../../modules/notices/pages/parts/reading.ts'
import { askNotices, type NoticeLine, type NoticePage, useNotices } from '../../modules/notices/pages/parts/unread.ts'
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

/** Unread ones as they are known, or all of them, asked for; undefined while they come. */
function useLines(isAll: boolean): NoticePage | undefined {
  const unread = useNotices()
  const [all, setAll] = useState<NoticePage>()
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    void askNotices().then(() => setFresh(true))
  }, [])
  useEffect(() => {
    if (isAll) fetchNotices().then(setAll, () => setAll({ records: [], total: 0 }))
  }, [isAll])
  if (isAll) return all
  return isFresh || unread.records.length > 0 ? unread : undefined
}

function Line({ of, onOpen }: { of: NoticeLine; onOpen: (id: string) => void }): ReactNode {
  const t = useT()
  const inside = (
    <>
      <span className="notice-title" data-unread={of.read !== 1 || undefined}>
        {of.title}
      </span>
      <span className="notice-time">
        <time>{of.releaseTime.slice(0, 16)}</time>
        {of.needSure === 1 && of.sure !== 1 && <em>{t('须确认')}</em>}
      </span>
    </>
  )
  if (isCandidate(session.get()))
    return (
      <Link to={`/signup/notice/${of.id}`} className="notice" onClick={() => onOpen(of.id)}>
        {inside}
      </Link>
    )
  return (
    <button type="button" className="notice" onClick={() => onOpen(of.id)}>
      {inside}
    </button>
  )
}

function Lines({ of, onOpen }: { of: NoticePage | undefined; onOpen: (id: string) => void }): ReactNode {
  const t = useT()
  if (!of) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
  if (of.records.length === 0) return <Nothing small picture="letter" text={t('没有未读通知')} />
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

/** The unread notices, newest first: each opens and is read then; 全部已读 is for those that need no confirmation. */
export default function NoticePanel({ onClose }: { onClose: () => void }): ReactNode {
  const t = useT()
  const [isAll, setAll] = useState(false)
  const [read, setRead] = useState<string>()
  const unread = useNotices()
  const [isBusy, setBusy] = useState(false)
  const self = usePanel(read !== undefined, onClose)
  const lines = useLines(isAll)
  const isMine = isCandidate(session.get())
  const open = (id: string): void => {
    void markRead(id, unread)
    if (isMine) onClose()
    else setRead(id)
  }
  const readAll = (): void => {
    setBusy(true)
    // The refusal has been shown.
    void markAllRead()
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <div ref={self} className="notices" role="dialog" aria-label={t('通知')} tabIndex={-1}>
      <header>
        <strong>{t(isAll ? '全部通知' : '未读通知')}</strong>
        <Button size="small" type="link" loading={isBusy} disabled={isAll || !lines?.total} onClick={readAll}>
          {t('全部已读')}
        </Button>
      </header>
      <Lines of={lines} onOpen={open} />
      <footer>
        {isMine ? (
          <Link to="/signup/notice" onClick={onClose}>
            {t('全部通知')}
          </Link>
        ) : (
          <Button type="link" size="small" onClick={() => setAll(!isAll)}>
            {t(isAll ? '未读通知' : '全部通知')}
          </Button>
        )}
      </footer>
      {read !== undefined && (
        <Suspense>
          <NoticeDialog id={read} onClose={() => setRead(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
