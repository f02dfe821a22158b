import { LogoutOutlined } from '@ant-design/icons'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import { useSession } from '../../screens/providers/use-session.ts'
import { Brand } from './Brand.tsx'
import { CandidateNav } from './CandidateNav.tsx'
import './chrome.css'
import './candidate.css'
import { QUERIES } from '../../screens/window/queries.ts'
import { useSignOut } from '../../screens/window/sign-out.ts'
import { DarkSwitch, LanguageSwitch } from '../../screens/window/switches.tsx'
import { NoticeBell } from './NoticeBell.tsx'
import { PagePlace } from './PagePlace.tsx'
import { useUnpaidNotices } from './unpaid.ts'

function Top({ children }: { children: ReactNode }): ReactNode {
  const t = useT()
  const person = useSession()
  const leave = useSignOut()
  return (
    <header className="candidate-top">
      <Brand />
      {children}
      <span className="top-gap" />
      <NoticeBell />
      <LanguageSwitch />
      <DarkSwitch />
      <span className="candidate-name">{person?.real_name || person?.nick_name || person?.account}</span>
      <Button
        type="text"
        icon={<LogoutOutlined aria-hidden />}
        aria-label={t('退出登录')}
        title={t('退出登录')}
        onClick={leave}
      />
    </header>
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
        <Top>
          <CandidateNav routes={rights?.routes ?? []} />
        </Top>
        <PagePlace />
      </div>
    </QueryClientProvider>
  )
}
