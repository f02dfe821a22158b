import { Skeleton } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { flatten, type MenuNode, useRights } from '../../../screens/providers/rights.ts'
import { useSession } from '../../../screens/providers/use-session.ts'
import { menuIcon } from '../../../screens/window/icons.tsx'
import { openingOf } from '../../../screens/window/menu-path.ts'
import { type StaffDesk, staffDesk } from '../contract.ts'
import { LatestNotices } from './LatestNotices.tsx'
import { RunningExam } from './RunningExam.tsx'
import { StartList } from './StartList.tsx'
import { Todos } from './Todos.tsx'
import './home.css'

/** Pages shown of each branch of the menu. */
const SHOWN = 5

function greeting(hour: number): string {
  if (hour < 6) return '夜深了，注意休息'
  if (hour < 12) return '早上好'
  if (hour < 14) return '中午好'
  return hour < 18 ? '下午好' : '晚上好'
}

function Branch({ node }: { node: MenuNode }): ReactNode {
  const t = useT()
  const pages = flatten(node.children ?? []).filter(one => !one.children?.length && one.path)
  return (
    <section className="home-branch">
      <h2>
        <span className="home-icon">{menuIcon(node.source, node.code)}</span>
        {t(node.name)}
      </h2>
      <ul>
        {pages.slice(0, SHOWN).map(page => (
          <li key={page.id}>
            <Link to={openingOf(page).to}>{t(page.name)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What waits for this person, the exams that run, the latest notices: from one call. */
function Work({ of }: { of: StaffDesk }): ReactNode {
  const t = useT()
  return (
    <>
      {of.start && <StartList of={of.start} />}
      {(of.todo.length > 0 || !of.start) && (
        <>
          <h2 className="home-title">{t('待办')}</h2>
          <Todos of={of.todo} now={of.serverTime} />
        </>
      )}
      {of.exams.length > 0 && (
        <>
          <h2 className="home-title">{t('进行中的考试')}</h2>
          <div className="home-exams">
            {of.exams.map(exam => (
              <RunningExam key={exam.id} of={exam} now={of.serverTime} />
            ))}
          </div>
        </>
      )}
      {of.notices.length > 0 && (
        <>
          <h2 className="home-title">{t('最新通知')}</h2>
          <LatestNotices of={of.notices} />
        </>
      )}
    </>
  )
}

/** The ways into the work: the branches of the person's menu. */
function Ways(): ReactNode {
  const t = useT()
  const { rights } = useRights()
  const branches = useMemo(() => rights?.routes.filter(node => node.children?.length) ?? [], [rights])
  return (
    <>
      <h2 className="home-title">{t('常用入口')}</h2>
      <div className="home-branches">
        {branches.map(node => (
          <Branch key={node.id} node={node} />
        ))}
      </div>
    </>
  )
}

/** Where staff arrive: what waits for them, the exams that run, notices, and the ways into their work. */
export default function HomePage(): ReactNode {
  const t = useT()
  const person = useSession()
  // A call that failed has said why; the ways into the work stand on their own.
  const { data, isPending } = useEndpoint(staffDesk, {})
  const name = person?.nick_name || person?.real_name || person?.account || ''
  return (
    <div className="home">
      <h1>{t('{{greeting}}，{{name}}', { greeting: t(greeting(new Date().getHours())), name })}</h1>
      {data && <Work of={data} />}
      {/* What stands below what is still to come would be pushed down under the finger that goes for it. */}
      {isPending ? <Skeleton active title={false} paragraph={{ rows: 8 }} /> : <Ways />}
    </div>
  )
}
