import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import '../form/form.css'
import { type SignState, stateOf } from '../parts/states.ts'

interface Props {
  examId: string
  /** The person's own sign-up for the exam. */
  mine?: SignState & { id: string }
  /** Whether something can be filled in or changed now. */
  canEdit: boolean
  /** Why not. */
  reason?: string
}

/** At the foot of an exam, from the first screen on: the way into its form, or where the own sign-up stands and the way to it. */
export function ExamBar({ examId, mine, canEdit, reason }: Props): ReactNode {
  const t = useT()
  const own = mine && mine.signStatus !== SignStatus.withdrawn ? mine : undefined
  const state = own && stateOf(own)
  const isDraft = own?.signStatus === SignStatus.draft
  if (!own && !canEdit && !reason) return null
  return (
    <footer className="sign-foot">
      <p>{state ? <Badge tone={state[1]}>{t(state[0])}</Badge> : !canEdit && reason}</p>
      <div className="sign-buttons">
        {own && !isDraft && canEdit && (
          <Link to={`/signup/form/${examId}?edit=1`}>
            <Button size="large">{t('修改报名')}</Button>
          </Link>
        )}
        {own && !isDraft && (
          <Link to={`/signup/mySignup/${own.id}`}>
            <Button type="primary" size="large">
              {t('查看我的报名')}
            </Button>
          </Link>
        )}
        {canEdit && (!own || isDraft) && (
          <Link to={`/signup/form/${examId}`} reloadDocument={location.pathname.startsWith('/public/')}>
            <Button type="primary" size="large">
              {t(isDraft ? '继续填写' : '选择岗位并报名')}
            </Button>
          </Link>
        )}
      </div>
    </footer>
  )
}
