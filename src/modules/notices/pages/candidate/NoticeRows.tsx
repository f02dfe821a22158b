import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { dayText } from '../../../../screens/candidate/times.ts'
import type { NoticeLine } from '../../contract.ts'

/** Notices as lines; what was not read yet carries a dot. */
export function NoticeRows({ of, to = '/signup/notice' }: { of: readonly NoticeLine[]; to?: string }): ReactNode {
  const t = useT()
  return (
    <ul className="my-rows">
      {of.map(one => (
        <li key={one.id}>
          <Link to={`${to}/${one.id}`}>
            <span className={one.read === 0 ? 'my-unread' : undefined}>
              {one.isTop === 1 && <b>{t('［置顶］')}</b>}
              {one.title}
              {one.needSure === 1 && one.sure === 0 && (
                <small style={{ color: 'var(--jx-warn)' }}> {t('须确认')}</small>
              )}
            </span>
            <time>{dayText(one.releaseTime)}</time>
          </Link>
        </li>
      ))}
    </ul>
  )
}
