import { DownOutlined } from '@ant-design/icons'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import { useSession } from '../../screens/providers/use-session.ts'
import { Brand } from './Brand.tsx'
import { CandidateNav } from './CandidateNav.tsx'
import './chrome.css'
import './candidate.css'
import { Fold } from '../../screens/window/Fold.tsx'
import { Offline } from '../../screens/window/Offline.tsx'
import { QUERIES } from '../../screens/window/queries.ts'
import { SwitchItems } from '../../screens/window/SwitchItems.tsx'
import { useSignOut } from '../../screens/window/sign-out.ts'
import { NoticeBell } from './NoticeBell.tsx'
import { PagePlace } from './PagePlace.tsx'
import { useUnpaidNotices } from './unpaid.ts'

/** Who is signed in, with what belongs to the person: own data, language, light, and the way out by its word. */
function Me(): ReactNode {
  const t = useT()
  const person = useSession()
  const leave = useSignOut()
  const name = person?.real_name || person?.nick_name || person?.account
  const face = (
    <>
      <span className="me-name">{name}</span>
      <span className="me-word">{t('我')}</span>
      <DownOutlined aria-hidden className="me-arrow" />
    </>
  )
  return (
    <Fold face={face}>
      <Link to="/info/index" className="fold-item">
        {t('我的资料')}
      </Link>
      <SwitchItems />
      <button type="button" className="fold-item" onClick={leave}>
        {t('退出登录')}
      </button>
    </Fold>
  )
}

/**
 * The candidate's window, made for a phone: product name above, pages in the thumb's reach, one column on a desk. Its pages ask
 * the server themselves; what Refine is for, generated lists and forms, is the console's.
 */
export default function CandidateLayout(): ReactNode {
  const t = useT()
  const [client] = useState(() => new QueryClient(QUERIES))
  const { rights } = useRights()
  useUnpaidNotices()
  return (
    <QueryClientProvider client={client}>
      <a className="skip" href="#main">
        {t('跳到内容')}
      </a>
      <div className="candidate">
        <header className="candidate-top">
          <Brand />
          <CandidateNav routes={rights?.routes ?? []} />
          <span className="top-gap" />
          <NoticeBell />
          <Me />
        </header>
        <Offline />
        <PagePlace />
      </div>
    </QueryClientProvider>
  )
}
