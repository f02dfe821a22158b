import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { useSession } from '../providers/use-session.ts'
import mark from './mark.svg'
import { DarkSwitch, LanguageSwitch } from './switches.tsx'
import { PRODUCT } from './title.ts'
import '../candidate/candidate.css'
import '../candidate/inputs/inputs.css'
import './public.css'

/** One for all public pages, so that going back shows what was there at once. */
const client = new QueryClient({ defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false } } })

/** What stands around a page for everybody: the product's name, the way in, language and light. */
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
        <nav aria-label={t('主导航')}>
          <Link to="/public/index">{t('招聘公告')}</Link>
          <Link to="/public/news">{t('新闻资讯')}</Link>
          <Link to="/public/files">{t('下载专区')}</Link>
          <Link to="/public/verify">{t('准考证核验')}</Link>
          <Link to="/problem/problem">{t('常见问题')}</Link>
        </nav>
        <span className="public-gap" />
        <LanguageSwitch />
        <DarkSwitch />
        <a className="public-in" href={person ? '/' : '/login'}>
          {person ? t('进入系统') : t('登录')}
        </a>
      </header>
      <main id="main" className="public my">
        {children}
      </main>
    </QueryClientProvider>
  )
}
