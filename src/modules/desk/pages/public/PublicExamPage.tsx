import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { publicExam } from '../../../notices/contract.ts'
import { ExamHead } from '../../../sign-up/pages/exams/ExamHead.tsx'
import { PositionList } from '../../../sign-up/pages/exams/PositionList.tsx'

function ExamOf({ id }: { id: string }): ReactNode {
  const t = useT()
  const exam = useContract(publicExam, { id })
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
