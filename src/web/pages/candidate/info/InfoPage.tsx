import { lazy, type ReactNode, Suspense } from 'react'
import { useT } from '../../../i18n.ts'
import { isCandidate, session } from '../../../session.ts'
import { OutsideAccounts } from '../../outside/OutsideAccounts.tsx'
import '../candidate.css'
import '../inputs/inputs.css'
import { Loaded } from '../parts/Loaded.tsx'
import { useAnswer } from '../parts/queries.ts'
import { ChangeRequests } from './ChangeRequests.tsx'
import { ContactForm } from './ContactForm.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import type { Profile } from './wire.ts'

// Candidates have none: it stays out of what their phones load.
const SecondFactor = lazy(() => import('../../info/SecondFactor.tsx'))

/** One's own data, ways to be reached, and password; a candidate may ask for a change of name and ID number. */
export default function InfoPage(): ReactNode {
  const t = useT()
  const profile = useAnswer<Profile>('/blade-system/user/info')
  return (
    <div className="my my-narrow">
      <h1>{t('我的资料')}</h1>
      <Loaded query={profile}>
        {data => (
          <>
            <OwnData of={data} onChange={() => void profile.refetch()} />
            {isCandidate(session.get()) && <ChangeRequests onChange={() => void profile.refetch()} />}
            <ContactForm key={`${data.phone} ${data.email}`} of={data} onChange={() => void profile.refetch()} />
          </>
        )}
      </Loaded>
      <PasswordForm />
      {!isCandidate(session.get()) && (
        <Suspense fallback={null}>
          <SecondFactor />
        </Suspense>
      )}
      <OutsideAccounts />
    </div>
  )
}
