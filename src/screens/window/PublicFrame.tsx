import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { useSession } from '../providers/use-session.ts'
import { Fold } from './Fold.tsx'
import mark from './mark.svg'
import { Offline } from './Offline.tsx'
import { SwitchItems } from './SwitchItems.tsx'
import { PRODUCT } from './title.ts'
import '../candidate/candidate.css'
import '../candidate/inputs/inputs.css'
import './public.css'

/** One for all public pages, so that going back shows what was there at once. */
const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

const places = [
  ['/public/index', '招聘公告'],
  ['/public/news', '新闻资讯'],
  ['/public/files', '下载专区'],
  ['/public/verify', '准考证核验'],
  ['/problem/problem', '常见问题'],
] as const

/** Three bars, drawn: not every font has a sign for them. */
const Bars = (): ReactNode => (
  <svg className="fold-bars" viewBox="0 0 18 14" width={18} height={14} aria-hidden>
    <path d="M0 1h18M0 7h18M0 13h18" stroke="currentColor" strokeWidth={2} />
  </svg>
)

/** What stands around a page for everybody: the product's name, the way in, the other pages, language and light; on a phone one row, the rest behind three bars. */
export function PublicFrame({ children }: { children: ReactNode }): ReactNode {
  const t = useT()
  const person = useSession()
  return (
    <QueryClientProvider client={client}>
      <header className="public-top">
        <Link to="/public/index" className="public-brand">
          <img src={mark} alt="" width={32} height={32} />
          <strong>{t(PRODUCT)}</strong>
        </Link>
        <a className="public-in" href={person ? '/' : '/login'}>
          {person ? t('进入系统') : t('登录')}
        </a>
        <Fold className="public-menu" face={<Bars />} label={t('菜单')}>
          <nav aria-label={t('主导航')}>
            {places.map(([to, word]) => (
              <Link key={to} to={to} className="fold-item">
                {t(word)}
              </Link>
            ))}
            {/* Its pages come from the server as they are, and are no part of the application. */}
            <a href="/public/publicity" className="fold-item">
              {t('公示')}
            </a>
          </nav>
          <span className="public-gap" />
          <SwitchItems />
        </Fold>
      </header>
      <Offline />
      <main id="main" className="public my">
        {children}
      </main>
    </QueryClientProvider>
  )
}
