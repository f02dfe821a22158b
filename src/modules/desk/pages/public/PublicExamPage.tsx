import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { isCandidate, session } from '../../../../platform/http/browser/session.ts'
import { useT, useVerb } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import type { Position } from '../../../exams/contract.ts'
import { publicExam } from '../../../notices/contract.ts'
import { type Mine, mySignups } from '../../../sign-up/contract.ts'
import { ExamBar } from '../../../sign-up/pages/exams/ExamBar.tsx'
import { ExamHead } from '../../../sign-up/pages/exams/ExamHead.tsx'
import { PositionList } from '../../../sign-up/pages/exams/PositionList.tsx'

/** The own sign-up of a candidate who is signed in. */
function useMine(examId: string): Mine | undefined {
  const mine = useContract(mySignups, { current: 1, size: 50 }, { enabled: isCandidate(session.get()) })
  return mine.data?.records.find(one => one.examId === examId)
}

/** Goes into the form with a position; an account is asked for on the way. */
const choose = (examId: string, { code }: Position): void =>
  location.assign(`/signup/form/${examId}?${new URLSearchParams({ code })}`)

function ExamOf({ id }: { id: string }): ReactNode {
  const t = useT()
  const verb = useVerb()
  const exam = useContract(publicExam, { id })
  const mine = useMine(id)
  const isLive = mine !== undefined && mine.signStatus !== SignStatus.withdrawn
  const isOpen = exam.data?.phases.includes('报名中') ?? false
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
          <PositionList
            positions={data.positions}
            numTime={data.serverTime}
            action={verb('报名')}
            onChoose={isOpen && !isLive ? one => choose(id, one) : undefined}
          />
          <ExamBar examId={id} mine={mine} canEdit={isOpen} />
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
