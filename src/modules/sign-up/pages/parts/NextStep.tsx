import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ExamineStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import type { Mine } from '../../contract.ts'
import { stateOf, steps } from './states.ts'

/** One sign-up: where it stands, the one thing to do next, and until when. */
export function NextStep({ of }: { of: Mine }): ReactNode {
  const t = useT()
  const [word, tone] = stateOf(of)
  const step = steps[of.nextStep]
  // Passed, and the next thing is the organiser's.
  const isPassed = of.examine === ExamineStatus.approved && of.nextStep === 'WAIT'
  const opinion = of.examine === ExamineStatus.returned || of.examine === ExamineStatus.rejected ? of.examineRemark : ''
  return (
    <section className="my-card">
      <div className="my-head">
        <h2>
          <Link to={`/signup/mySignup/${of.id}`}>{of.examName}</Link>
        </h2>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      <p className="my-quiet">{[of.unitName, of.postName].filter(Boolean).join(' · ') || t('还没有选择岗位')}</p>
      {opinion && (
        <p className="my-note" data-tone="warn">
          {t('审核意见：{{opinion}}', { opinion })}
        </p>
      )}
      <div className="my-actions">
        {step?.to && step.tone !== 'quiet' && (
          <Link to={step.to(of.examId, of.id)} className="my-wide">
            <Button type={step.tone === 'act' ? 'primary' : 'default'} size="large" block>
              {t(step.word)}
            </Button>
          </Link>
        )}
        {!step?.to && step && <span className="my-quiet">{t(isPassed ? '等待后续通知' : step.word)}</span>}
      </div>
      {of.deadline && step?.tone === 'act' && (
        <p className="my-quiet">
          {t('剩余')} <Countdown until={of.deadline} />
        </p>
      )}
    </section>
  )
}
