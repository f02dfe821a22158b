import { lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'react-router-dom'
import { OutsideAccounts } from '../../../auth/pages/outside/OutsideAccounts.tsx'
import { isCandidate, session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { ownProfile } from '../../contract.ts'
import { InfoTabs } from '../own/InfoTabs.tsx'
import { NameForm } from '../own/NameForm.tsx'
import '../../../../screens/candidate/candidate.css'
import '../../../../screens/candidate/inputs/inputs.css'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { ChangeRequests } from './ChangeRequests.tsx'
import { ContactForm } from './ContactForm.tsx'
import { OwnData } from './OwnData.tsx'
import { PasswordForm } from './PasswordForm.tsx'

const Channels = lazy(() => import('../own/Channels.tsx'))
// Candidates have none: it stays out of what their phones load.
const SecondFactor = lazy(() => import('../own/SecondFactor.tsx'))

function Own(): ReactNode {
  const t = useT()
  const profile = useContract(ownProfile, {})
  const reload = (): void => void profile.refetch()
  return (
    <>
      <Loaded query={profile}>
        {data => (
          <>
            <OwnData of={data} onChange={reload} />
            {isCandidate(session.get()) && <ChangeRequests onChange={reload} />}
            <NameForm key={`${data.name} ${data.realName}`} of={data} onChange={reload} />
            <ContactForm key={`${data.phone} ${data.email}`} of={data} onChange={reload} />
          </>
        )}
      </Loaded>
      <OutsideAccounts />
      {isCandidate(session.get()) && (
        <p className="my-card">
          <Link to="/info/data">{t('我的数据：查看、导出、删除')}</Link>
        </p>
      )}
    </>
  )
}

function Safety(): ReactNode {
  return (
    <>
      <PasswordForm />
      {!isCandidate(session.get()) && (
        <Suspense fallback={null}>
          <SecondFactor />
        </Suspense>
      )}
    </>
  )
}

/** One's own data and ways to be reached, and one's password; a candidate may ask for a change of name and ID number. */
export default function InfoPage(): ReactNode {
  const t = useT()
  return (
    <div className="my my-narrow">
      <h1>{t('我的资料')}</h1>
      <InfoTabs
        label="我的资料"
        of={[
          { key: 'info', title: '个人信息', shown: <Own /> },
          { key: 'password', title: '修改密码', shown: <Safety /> },
          {
            key: 'messages',
            title: '消息',
            shown: (
              <Suspense fallback={null}>
                <Channels />
              </Suspense>
            ),
          },
        ]}
      />
    </div>
  )
}
