import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { timeOf } from '../../../../platform/http/browser/clock.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { type Mine, mySignups } from '../../contract.ts'
import { NextStep } from '../parts/NextStep.tsx'
import { steps } from '../parts/states.ts'

/** What is to be done comes first, the nearest deadline before others; then what is waited for. */
function inTurn(records: readonly Mine[]): Mine[] {
  const dayOf = ({ nextStep, deadline, line = [] }: Mine): number => {
    const time = timeOf(steps[nextStep] ? deadline : line.find(one => one.state === 'here')?.time)
    return Number.isNaN(time) ? Number.MAX_SAFE_INTEGER : time
  }
  const rank = ({ nextStep }: Mine): number => (steps[nextStep] ? 0 : nextStep === 'DONE' ? 2 : 1)
  return [...records].sort((a, b) => rank(a) - rank(b) || dayOf(a) - dayOf(b))
}

/** The sign-ups of a person with their ways, those of exams that are over folded; without any the way to the exams. */
export function Signups({ most }: { most: number }): ReactNode {
  const t = useT()
  const mine = useContract(mySignups, { current: 1, size: most })
  return (
    <Loaded query={mine}>
      {({ records }) => {
        const live = inTurn(records.filter(one => !one.isOver))
        const past = records.filter(one => one.isOver)
        if (records.length === 0)
          return (
            <Nothing title={t('您还没有报名，先看看有哪些考试')}>
              <Link to="/signup/examList">
                <Button type="primary" size="large">
                  {t('考试报名')}
                </Button>
              </Link>
            </Nothing>
          )
        return (
          <>
            {live.map(one => (
              <NextStep key={one.id} of={one} />
            ))}
            {past.length > 0 && (
              <details className="my-past">
                <summary>{t('已结束的报名（{{n}}）', { n: past.length })}</summary>
                <div className="my">
                  {past.map(one => (
                    <NextStep key={one.id} of={one} />
                  ))}
                </div>
              </details>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
