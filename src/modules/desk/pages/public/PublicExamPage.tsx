import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { isCandidate, session } from '../../../../platform/http/browser/session.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { publicExam } from '../../../notices/contract.ts'
import { mySignups } from '../../../sign-up/contract.ts'
import { ExamBar } from '../../../sign-up/pages/exams/ExamBar.tsx'
import { ExamHead } from '../../../sign-up/pages/exams/ExamHead.tsx'
import { PositionList } from '../../../sign-up/pages/exams/PositionList.tsx'

/** The way into the form, or the own sign-up of a candidate who is signed in. */
function Bar({ examId, isOpen }: { examId: string; isOpen: boolean }): ReactNode {
  const mine = useContract(mySignups, { current: 1, size: 50 }, { enabled: isCandidate(session.get()) })
  return <ExamBar examId={examId} mine={mine.data?.records.find(one => one.examId === examId)} canEdit={isOpen} />
}

function ExamOf({ id }: { id: string }): ReactNode {
  const t = useT()
  const exam = useContract(publicExam, { id })
  return (
    <Loaded query={exam}>
      {data => (
        <>
          <ExamHead exam={data} desc={data.examDesc} onTime={() => void exam.refetch()} />
          {data.signNotice && (
            <details className="my-card">
              <summary>{t('报名须知')}</summary>
              <SafeHtml html={data.signNotice} />
            </details>
          )}
          <h2>{t('招聘岗位')}</h2>
          <PositionList positions={data.positions} numTime={data.serverTime} />
          <Bar examId={id} isOpen={data.phases.includes('报名中')} />
        </>
      )}
    </Loaded>
  )
}

/** One exam for anybody: its days, its rules and its positions. */
export default function PublicExamPage(): ReactNode {
  const { id = '' } = useParams()
  return (
    <PublicFrame>
      <ExamOf id={id} />
    </PublicFrame>
  )
}
