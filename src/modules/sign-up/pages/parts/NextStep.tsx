import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { ExamineStatus } from '#schemas/dictionaries/sign-up'
import { serverNow, timeOf } from '../../../../platform/http/browser/clock.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import { Timed } from '../../../../screens/candidate/Timed.tsx'
import { yuan } from '../../../../screens/fields/money.ts'
import type { Mine, Station } from '../../contract.ts'
import { ExemptNote } from './ExemptNote.tsx'
import { Line } from './Line.tsx'
import { stateOf, steps } from './states.ts'

/** What is waited for at a station: with its moment ahead, and without one. */
const waits: Readonly<Record<Station['station'], readonly [ahead: string, now: string]>> = {
  SIGN: ['报名 {{at}} 截止', '报名已截止'],
  EXAMINE: ['等待审核，{{at}} 前有结果', '等待审核结果'],
  CHOOSE_POST: ['改报 {{at}} 开始', '等待改报审核'],
  PAY: ['缴费 {{at}} 开始', '等待缴费通知'],
  TICKET: ['准考证 {{at}} 起可下载', '等待准考证发布'],
  STAGE: ['{{name}} {{at}} 开始，请按时参加', '{{name}}正在进行'],
  SCORE: ['成绩 {{at}} 公布', '等待成绩公布'],
  PUBLICITY: ['公示 {{at}} 开始', '公示中'],
}

function Waiting({ of: { station, name, state, reason, time } }: { of: Station }): ReactNode {
  const t = useT()
  if (state === 'ended')
    return (
      <p className="my-note" data-tone="bad">
        {t('{{name}}：{{why}}', { name: t(name), why: t(reason) })}
      </p>
    )
  const [ahead, now] = waits[station]
  const isAhead = timeOf(time) > serverNow()
  return (
    <p className="my-quiet">
      <Timed text={isAhead ? ahead : now} at={isAhead ? { at: time } : {}} vars={{ name: t(name) }} />
    </p>
  )
}

/** The one thing to do for a sign-up with its deadline, or what is waited for and until when, or why it has ended. @param to without it no button is drawn */
export function Todo({ of, to, onEnd }: { of: Mine; to?: string; onEnd?: () => void }): ReactNode {
  const t = useT()
  const step = steps[of.nextStep]
  const here = of.line?.find(one => one.state === 'here' || one.state === 'ended')
  if (!step) return here ? <Waiting of={here} /> : <p className="my-quiet">{t('已办结')}</p>
  return (
    <>
      {Number(of.payAmount) > 0 && (
        <p className="my-due">
          {t('请缴费')} <strong>¥{yuan(of.payAmount)}</strong>
        </p>
      )}
      {of.isExemptAsked && <ExemptNote />}
      {to && (
        <Link to={to} className="my-main">
          <Button type="primary" size="large" block>
            {t(step.word)}
          </Button>
        </Link>
      )}
      {of.deadline && (
        <p className="my-quiet">
          <Timed text={step.until ?? '{{at}} 截止，还剩'} at={{ at: of.deadline }} />{' '}
          <Countdown until={of.deadline} onEnd={onEnd} />
        </p>
      )}
    </>
  )
}

/** One sign-up: its way, where it stands on it, the one thing to do next, and until when. */
export function NextStep({ of }: { of: Mine }): ReactNode {
  const t = useT()
  const [word, tone] = stateOf(of)
  const isEnded = of.line?.some(one => one.state === 'ended')
  const isAnswered = of.examine === ExamineStatus.returned || of.examine === ExamineStatus.rejected
  return (
    <section className="my-card">
      <div className="my-head">
        <h2>
          <Link to={`/signup/mySignup/${of.id}`}>{of.examName}</Link>
        </h2>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      <p className="my-quiet">
        {[of.unitName, [of.postName, of.code].filter(Boolean).join(' ')].filter(Boolean).join(' · ') ||
          t('还没有选择岗位')}
      </p>
      <Line of={of} />
      {isAnswered && !isEnded && of.examineRemark && (
        <p className="my-note" data-tone="warn">
          {t('审核意见：{{opinion}}', { opinion: of.examineRemark })}
        </p>
      )}
      <Todo of={of} to={steps[of.nextStep]?.to(of.examId, of.id)} />
    </section>
  )
}
