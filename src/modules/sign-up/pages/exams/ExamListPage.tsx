import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { examList } from '../../contract.ts'
import { ExamCard } from './ExamCard.tsx'

/** The exams a candidate may sign up for or has a part in. */
export default function ExamListPage(): ReactNode {
  const t = useT()
  const exams = useContract(examList, { current: 1, size: 50 })
  return (
    <div className="my">
      <h1>{t('考试报名')}</h1>
      <Loaded query={exams}>
        {({ records }) =>
          records.length > 0 ? (
            records.map(one => <ExamCard key={one.examId} exam={one} />)
          ) : (
            <Nothing title={t('目前没有考试，请留意公告')} />
          )
        }
      </Loaded>
    </div>
  )
}
