import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT, useVerb } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useExamForm } from '../form/exam-form.ts'
import { ExamBar } from './ExamBar.tsx'
import { ExamHead } from './ExamHead.tsx'
import { PositionList } from './PositionList.tsx'

/** One exam: its days and its positions to choose from. */
export default function ExamPage(): ReactNode {
  const t = useT()
  const verb = useVerb()
  const navigate = useNavigate()
  const { examId = '' } = useParams()
  const query = useExamForm(examId)
  return (
    <div className="my">
      <Loaded query={query}>
        {form => {
          const mine = form.mySignup || undefined
          const isLive = mine !== undefined && mine.signStatus !== SignStatus.withdrawn
          const mayChoose = form.canEdit && (!isLive || form.editScope.length === 0)
          const compare = form.applicant.complete ? { examId, content: mine?.content || {} } : undefined
          return (
            <>
              <ExamHead exam={form.exam} desc={form.exam.examDesc} onTime={() => void query.refetch()} />
              <h2>{t('招聘岗位')}</h2>
              <PositionList
                positions={form.positions}
                numTime={form.numTime}
                chosen={isLive ? mine.code : undefined}
                action={verb(isLive ? '改选' : '报名')}
                compare={compare}
                onChoose={
                  mayChoose
                    ? one =>
                        void navigate(
                          `/signup/form/${examId}?${new URLSearchParams({ ...(isLive && { edit: '1' }), code: one.code })}`,
                        )
                    : undefined
                }
              />
              <ExamBar examId={examId} mine={mine} canEdit={form.canEdit} reason={form.editReason} />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
