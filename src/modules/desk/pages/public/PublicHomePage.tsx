import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useServerNow } from '../../../../screens/candidate/clock.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { publicExams, publicNotices } from '../../../notices/contract.ts'
import { NoticeRows } from '../../../notices/pages/candidate/NoticeRows.tsx'
import { ExamCard } from '../../../sign-up/pages/exams/ExamCard.tsx'

function Clock(): ReactNode {
  const t = useT()
  const now = useServerNow(10_000)
  return <p className="my-quiet">{t('系统时间 {{at}}', { at: momentText(new Date(now).toISOString()) })}</p>
}

function Exams(): ReactNode {
  const t = useT()
  const exams = useContract(publicExams, { current: 1, size: 20 })
  return (
    <>
      <h2>{t('招聘考试')}</h2>
      <Loaded query={exams}>
        {({ records }) =>
          records.length > 0 ? (
            records.map(one => <ExamCard key={one.examId} exam={one} to="/public/exam" />)
          ) : (
            <Nothing title={t('目前没有考试，请留意公告')} />
          )
        }
      </Loaded>
    </>
  )
}

function Notices(): ReactNode {
  const t = useT()
  const notices = useContract(publicNotices, { current: 1, size: 20 })
  return (
    <>
      <h2>{t('公告')}</h2>
      <Loaded query={notices}>
        {({ records }) =>
          records.length > 0 ? <NoticeRows of={records} to="/public/notice" /> : <Nothing title={t('还没有公告')} />
        }
      </Loaded>
    </>
  )
}

/** What anybody may know: notices and exams with their days. */
export default function PublicHomePage(): ReactNode {
  const t = useT()
  return (
    <PublicFrame>
      <div className="public-lead">
        <h1>{t('卫生健康系统公开招聘')}</h1>
        <Clock />
      </div>
      <Exams />
      <Notices />
    </PublicFrame>
  )
}
