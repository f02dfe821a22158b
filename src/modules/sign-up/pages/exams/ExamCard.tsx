import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import type { ExamLine } from '../../contract.ts'
import { phaseTone, stateOf } from '../parts/states.ts'

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
      <div className="my-words">
        {exam.phases.map(phase => (
          <Badge key={phase} tone={phaseTone(phase)}>
            {t(phase)}
          </Badge>
        ))}
        {exam.deadline && (
          <span className="my-quiet">
            {t('距{{what}}', { what: t(exam.deadline.label) })} <Countdown until={exam.deadline.at} />
          </span>
        )}
      </div>
      <p className="my-quiet">
        {t('报名 {{from}} 至 {{to}}', { from: momentText(exam.signStartTime), to: momentText(exam.signEndTime) })}
      </p>
      <p className="my-quiet">
        {[
          t('{{n}} 个岗位', { n: exam.postNum }),
          t('计划招聘 {{n}} 人', { n: exam.planTotal }),
          exam.signNum !== '' && t('已报名 {{n}} 人', { n: exam.signNum }),
          exam.examStartTime && t('考试 {{at}}', { at: momentText(exam.examStartTime) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </Link>
  )
}
