import { BellOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useFreshNotices, useNotices } from '../../modules/notifications/pages/parts/unread.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'

/** Only who opens it needs it. */
const NoticePanel = lazy(() => loadPart(() => import('./NoticePanel.tsx')))

/** Notices counted in the badge at most. */
const COUNTED = 99

/** The id of the button, for whoever opens the notices by the keyboard. */
export const NOTICES_BUTTON = 'notices-button'

/** The bell of the top bar: how many messages and notices are unread, and the panel that lists them. */
export function NoticeBell(): ReactNode {
  const t = useT()
  const { total } = useNotices()
  const [open, setOpen] = useState(false)
  useFreshNotices()
  const label = total > 0 ? t('消息，{{n}} 条未读', { n: total }) : t('消息')
  return (
    <span className="bell">
      <Button
        id={NOTICES_BUTTON}
        type="text"
        icon={<BellOutlined aria-hidden />}
        title={label}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      />
      {total > 0 && <b aria-hidden>{total > COUNTED ? `${COUNTED}+` : total}</b>}
      {open && (
        <Suspense>
          <NoticePanel onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </span>
  )
}
