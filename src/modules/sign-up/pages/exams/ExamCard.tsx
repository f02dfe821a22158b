import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Timed } from '../../../../screens/candidate/Timed.tsx'
import type { ExamLine } from '../../contract.ts'
import { stateOf } from '../parts/states.ts'
import { ExamPhases } from './ExamPhases.tsx'

/** An exam as one card: phase, days, places, and one's own state in it. The whole card leads to it. */
export function ExamCard({ exam, to = '/signup/exam' }: { exam: ExamLine; to?: string }): ReactNode {
  const t = useT()
  const mine = exam.mySign ? stateOf(exam.mySign) : undefined
  return (
    <Link className="my-card" to={`${to}/${exam.examId}`}>
      <div className="my-head">
        <h2>{exam.examName}</h2>
        {mine && <Badge tone={mine[1]}>{t(mine[0])}</Badge>}
      </div>
      <ExamPhases exam={exam} />
      <p className="my-quiet">
        <Timed text={'报名 {{from}} 至 {{to}}'} at={{ from: exam.signStartTime, to: exam.signEndTime }} />
      </p>
      <p className="my-quiet">
        {[
          t('{{n}} 个岗位', { n: exam.postNum }),
          t('计划招聘 {{n}} 人', { n: exam.planTotal }),
          exam.signNum !== '' && t('已报名 {{n}} 人', { n: exam.signNum }),
        ]
          .filter(Boolean)
          .join('\u00a0· ')}
        {exam.examStartTime && (
          <>
            {'\u00a0· '}
            <Timed text={'考试 {{at}}'} at={{ at: exam.examStartTime }} />
          </>
        )}
      </p>
    </Link>
  )
}
