import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { mySignups } from '../../contract.ts'
import { NextStep } from '../parts/NextStep.tsx'

/** The newest sign-ups of a person with what is to be done next, or the way to the exams. */
export function Signups({ most }: { most: number }): ReactNode {
  const t = useT()
  const mine = useContract(mySignups, { current: 1, size: most })
  return (
    <Loaded query={mine}>
      {({ records }) =>
        records.length > 0 ? (
          records.map(one => <NextStep key={one.id} of={one} />)
        ) : (
          <Nothing title={t('您还没有报名，先看看有哪些考试')}>
            <Link to="/signup/examList">
              <Button type="primary" size="large">
                {t('考试报名')}
              </Button>
            </Link>
          </Nothing>
        )
      }
    </Loaded>
  )
}
