import { Button } from 'antd'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { useSession } from '../../../../screens/providers/use-session.ts'
import { useSignOut } from '../../../../screens/window/sign-out.ts'
import { ownPath } from '../../../http/browser/own-path.ts'
import { session } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import '../../../../screens/candidate/inputs/inputs.css'
import { PasswordForm } from '../candidate/PasswordForm.tsx'
import './info.css'

const SecondFactor = lazy(() => import('./SecondFactor.tsx'))

const owes = (name: 'mustChangePwd' | 'mustEnrol'): boolean => Number(session.get()?.detail?.[name] ?? 0) === 1

/**
 * What somebody must do before anything else: change a password that others know, set up a second factor. It stands outside
 * the window of the application, whose calls are refused until then, and goes on to the page that was wanted.
 */
export default function OwedPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const leave = useSignOut()
  const [query] = useSearchParams()
  const person = useSession()
  // Recovery codes are shown after the last step: nobody is taken away from them.
  const [enrols] = useState(() => owes('mustEnrol'))
  const goOn = (): void => void navigate(ownPath(query.get('redirect')), { replace: true })
  const changed = (): void => {
    if (!enrols) goOn()
  }
  const roles = ((person?.detail?.roleNames as string[] | undefined) ?? []).map(name => t(name)).join('、')
  const mustChange = owes('mustChangePwd')
  return (
    <main className="my my-narrow info-owed" id="main">
      <h1>{t(mustChange ? '请先修改密码' : '请先绑定动态验证码')}</h1>
      <p className="my-quiet">{[person?.nick_name || person?.account, roles].filter(Boolean).join(' · ')}</p>
      {mustChange && <p>{t('这个密码由别人设定，或者已经不符合要求。改成只有您知道的密码后继续。')}</p>}
      {mustChange && <PasswordForm onDone={changed} />}
      {!mustChange && enrols && (
        <Suspense fallback={null}>
          <SecondFactor />
        </Suspense>
      )}
      {!mustChange && !owes('mustEnrol') && (
        <Button type="primary" size="large" onClick={goOn}>
          {t('继续')}
        </Button>
      )}
      <Button type="text" onClick={leave}>
        {t('退出登录')}
      </Button>
    </main>
  )
}
