import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useSession } from '../../../../screens/providers/use-session.ts'
import '../../../../screens/candidate/candidate.css'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { loadPart } from '../../../../screens/window/lazy-page.ts'
import { noticeIndex } from '../../../notices/contract.ts'
import { NoticeRows } from '../../../notices/pages/candidate/NoticeRows.tsx'
import { examList } from '../../../sign-up/contract.ts'
import { ExamCard } from '../../../sign-up/pages/exams/ExamCard.tsx'
import { Signups } from '../../../sign-up/pages/mine/Signups.tsx'

/** Few have something to confirm. */
const MustConfirm = lazy(() =>
  loadPart(async () => ({ default: (await import('../../../notices/pages/parts/MustConfirm.tsx')).MustConfirm })),
)

/** Latest notices shown at home. */
const NOTICES = 5

function OpenExams(): ReactNode {
  const t = useT()
  const exams = useContract(examList, { current: 1, size: 20 })
  const open = exams.data?.records.filter(one => one.phases.includes('报名中') && !one.mySign) ?? []
  if (open.length === 0) return null
  return (
    <>
      <h2>{t('正在报名')}</h2>
      {open.map(one => (
        <ExamCard key={one.examId} exam={one} />
      ))}
    </>
  )
}

/** Where candidates arrive: what to do next, what must be read, what is open. */
export default function HomePage(): ReactNode {
  const t = useT()
  const person = useSession()
  const notices = useContract(noticeIndex, {})
  const name = person?.real_name || person?.nick_name || person?.account || ''
  return (
    <div className="my">
      <h1>{t('{{name}}，您好', { name })}</h1>
      <Signups most={10} />
      <OpenExams />
      {notices.data && notices.data.latest.length > 0 && (
        <>
          <div className="my-head">
            <h2>{t('最新通知')}</h2>
            <Link to="/signup/notice">{t('全部消息')}</Link>
          </div>
          <NoticeRows of={notices.data.latest.slice(0, NOTICES)} />
        </>
      )}
      {notices.data && notices.data.mustSure.length > 0 && (
        <Suspense>
          <MustConfirm notices={notices.data.mustSure} onDone={() => void notices.refetch()} />
        </Suspense>
      )}
    </div>
  )
}
