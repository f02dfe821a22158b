import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../i18n.ts'
import '../candidate.css'
import { NextStep } from '../home/NextStep.tsx'
import { Loaded, Nothing } from '../parts/Loaded.tsx'
import { useAnswer } from '../parts/queries.ts'
import type { Page } from '../parts/wire.ts'
import type { Mine } from './wire.ts'

/** All sign-ups of a person, newest first. */
export default function MySignupPage(): ReactNode {
  const t = useT()
  const mine = useAnswer<Page<Mine>>('/blade-signup/signup/myExamList', { current: 1, size: 50 })
  return (
    <div className="my">
      <h1>{t('我的报名')}</h1>
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
    </div>
  )
}
