import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadPart } from '../../chrome/lazy-page.ts'
import '../../chrome/notices.css'
import { type NoticeLine, useNotices } from '../../chrome/notices.ts'
import { markRead } from '../../chrome/reading.ts'
import { useT } from '../../i18n.ts'

const NoticeDialog = lazy(() => loadPart(() => import('../../chrome/NoticeDialog.tsx')))

/** The latest notices, unread ones with a dot: each opens and is read then. */
export function LatestNotices({ of }: { of: readonly NoticeLine[] }): ReactNode {
  const t = useT()
  const unread = useNotices()
  const [opened, open] = useState<string>()
  const [seen, see] = useState<readonly string[]>([])
  const read = (id: string): void => {
    open(id)
    see([...seen, id])
    void markRead(id, unread)
  }
  return (
    <ul className="home-notices">
      {of.map(one => (
        <li key={one.id}>
          <button type="button" className="notice" onClick={() => read(one.id)}>
            <span className="notice-title" data-unread={(one.read !== 1 && !seen.includes(one.id)) || undefined}>
              {one.title}
            </span>
            <span className="notice-time">
              <time>{one.releaseTime.slice(0, 10)}</time>
              {one.needSure === 1 && one.sure !== 1 && <em>{t('须确认')}</em>}
            </span>
          </button>
        </li>
      ))}
      {opened !== undefined && (
        <Suspense>
          <NoticeDialog id={opened} onClose={() => open(undefined)} />
        </Suspense>
      )}
    </ul>
  )
}
