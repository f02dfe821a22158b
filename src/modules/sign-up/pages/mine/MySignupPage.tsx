import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Signups } from './Signups.tsx'

/** All sign-ups of a person, newest first. */
export default function MySignupPage(): ReactNode {
  const t = useT()
  return (
    <div className="my">
      <h1>{t('我的报名')}</h1>
      <Signups most={50} />
    </div>
  )
}
