import type { ReactNode } from 'react'
import { ConfirmStatus, ResultFlag } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge, type Tone } from '../../../../screens/candidate/Badge.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { momentText } from '../../../../screens/candidate/times.ts'
import type { Score } from '../../contract.ts'
import './score.css'
import { AppealForm, AppealState } from './AppealPart.tsx'
import { ConfirmPart } from './ConfirmPart.tsx'

const flags: Readonly<Record<number, string>> = {
  [ResultFlag.absent]: '缺考',
  [ResultFlag.misconduct]: '违纪',
  [ResultFlag.zero]: '零分',
}

/** What a result comes to, in a word. */
function outcome({ resultFlag, isNext, isPass, confirmStatus, isPromoted }: Score): [string, Tone] {
  if (flags[resultFlag]) return [flags[resultFlag], 'bad']
  if (confirmStatus === ConfirmStatus.declined) return ['已放弃入围', 'quiet']
  if (confirmStatus === ConfirmStatus.missed) return ['逾期未确认', 'bad']
  if (isNext === 1) return [isPromoted ? '递补入围' : '入围', 'good']
  return isPass === 1 ? ['合格，未入围', 'quiet'] : ['未达合格线', 'quiet']
}

/** One score: what it is, where it stands, and what can be done about it. */
export function ScoreCard({ of, onChange }: { of: Score; onChange: () => void }): ReactNode {
  const t = useT()
  const [word, tone] = outcome(of)
  const isScored = of.resultFlag === ResultFlag.normal || of.resultFlag === ResultFlag.zero
  return (
    <section className="my-card" aria-label={`${of.examName} ${of.itemName}`}>
      <div className="my-head">
        <h2>
          {of.examName} · {of.itemName}
        </h2>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      {isScored && (
        <p className="my-amount">
          {of.score}
          {of.fullScore && <small className="score-full"> / {of.fullScore}</small>}
        </p>
      )}
      <Facts
        of={[
          [t('岗位'), `${of.unitName} ${of.postName || of.code}`],
          [t('准考证号'), of.ticketNo],
          [t('加分'), of.addScore],
          [t('岗位排名'), of.rankNo && t('第 {{n}} 名', { n: of.rankNo })],
          [t('总成绩'), of.totalScore],
          [t('公布时间'), momentText(of.releaseTime)],
        ]}
      />
      <ConfirmPart of={of} onChange={onChange} />
      {of.appeal && <AppealState of={of.appeal} onChange={onChange} />}
      {of.appealBlock && <p className="my-quiet">{of.appealBlock}</p>}
      {of.canAppeal && <AppealForm of={of} onChange={onChange} />}
    </section>
  )
}
