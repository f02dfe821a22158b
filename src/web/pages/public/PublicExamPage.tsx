import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { SafeHtml } from '../../fields/SafeHtml.tsx'
import { useT } from '../../i18n.ts'
import { ExamHead } from '../candidate/exams/ExamHead.tsx'
import { PositionList } from '../candidate/exams/PositionList.tsx'
import { Loaded } from '../candidate/parts/Loaded.tsx'
import { useAnswer } from '../candidate/parts/queries.ts'
import type { Exam, Position } from '../candidate/parts/wire.ts'
import { PublicFrame } from './PublicFrame.tsx'

interface PublicExam extends Exam {
  examDesc: string
  signNotice: string
  positions: Position[]
  serverTime: string
}

function ExamOf({ id }: { id: string }): ReactNode {
  const t = useT()
  const exam = useAnswer<PublicExam>('/public/exam', { id })
  return (
    <Loaded query={exam}>
      {data => (
        <>
          <ExamHead exam={data} desc={data.examDesc} onTime={() => void exam.refetch()}>
            {data.phases.includes('报名中') && (
              <Button type="primary" size="large" href={`/signup/exam/${id}`}>
                {t('登录报名')}
              </Button>
            )}
          </ExamHead>
          {data.signNotice && (
            <details className="my-card">
              <summary>{t('报名须知')}</summary>
              <SafeHtml html={data.signNotice} />
            </details>
          )}
          <h2>{t('招聘岗位')}</h2>
          <PositionList positions={data.positions} numTime={data.serverTime} />
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
