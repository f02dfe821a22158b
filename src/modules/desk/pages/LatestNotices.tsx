import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadPart } from '../../../screens/window/lazy-page.ts'
import '../../../screens/window/notices.css'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { NoticeLine } from '../../notices/contract.ts'
import { askNotices, markRead } from '../../notifications/pages/parts/reading.ts'
import { useNotices } from '../../notifications/pages/parts/unread.ts'

const NoticeDialog = lazy(() => loadPart(() => import('../../notices/pages/parts/NoticeDialog.tsx')))

/** The latest notices, unread ones with a dot: each opens and is read then. */
export function LatestNotices({
  of,
}: {
  of: readonly Pick<NoticeLine, 'id' | 'title' | 'releaseTime' | 'needSure' | 'read' | 'sure'>[]
}): ReactNode {
  const t = useT()
  const unread = useNotices()
  const [opened, open] = useState<string>()
  const [seen, see] = useState<readonly string[]>([])
  const read = (id: string): void => {
    open(id)
    see([...seen, id])
    void markRead({ id, kind: 'notice' }, unread)
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
          <NoticeDialog id={opened} onClose={() => open(undefined)} onConfirmed={askNotices} />
        </Suspense>
      )}
    </ul>
  )
}
