import { Button, Spin } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams } from 'react-router-dom'
import { Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { takeReturnState } from '../../../http/browser/sign-in-return.ts'
import { useT } from '../../../i18n/i18n.ts'
import { comeBack, type Outcome } from './come-back.ts'
import { GuestRegister } from './GuestRegister.tsx'

interface Return {
  outcome: Promise<Outcome>
  /** Where to try again. */
  from: string
}

let returning: Return | undefined

/** What came back serves once, however often the page is drawn; the address does not keep it. */
function begin(source: string): Return {
  const trip = takeReturnState()
  const query = new URLSearchParams(location.search)
  history.replaceState(null, '', location.pathname)
  const from = trip?.links ? trip.to : `/login?${new URLSearchParams({ redirect: trip?.to ?? '/' })}`
  return { outcome: comeBack(source, query, trip), from }
}

/** Where people come back to from a provider: they are in, are asked for an account, or are told why not. */
export default function ReturnPage(): ReactNode {
  const t = useT()
  const { source = '' } = useParams()
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    returning ??= begin(source)
    void returning.outcome.then(found => ('to' in found ? location.replace(found.to) : setOutcome(found)))
  }, [source])
  const from = returning?.from ?? '/login'
  return (
    <PublicFrame>
      {outcome && 'problem' in outcome ? (
        <div role="alert">
          <Nothing title={t(outcome.problem)}>
            <Button type="primary" size="large" href={from}>
              {t(from.startsWith('/login') ? '返回登录' : '返回')}
            </Button>
          </Nothing>
        </div>
      ) : outcome && 'guest' in outcome ? (
        <GuestRegister guest={outcome.guest} />
      ) : (
        <Nothing title={t('正在登录…')}>
          <Spin />
        </Nothing>
      )}
    </PublicFrame>
  )
}
