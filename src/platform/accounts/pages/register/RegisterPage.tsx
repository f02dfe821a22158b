import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { leaveFor } from '../../../../screens/providers/auth.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { PublicFrame } from '../../../../screens/window/PublicFrame.tsx'
import { ownPath } from '../../../http/browser/own-path.ts'
import { session, type TokenAnswer } from '../../../http/browser/session.ts'
import { useT } from '../../../i18n/i18n.ts'
import { useSite } from '../own/use-site.ts'
import { type Done, RegisterForm } from './RegisterForm.tsx'

/** The sign-in page's address, with where one wanted to go and the account that was made. */
function signInAddress(account?: string): string {
  const redirect = new URLSearchParams(location.search).get('redirect')
  const query = new URLSearchParams({ ...(account && { account }), ...(redirect && { redirect }) })
  return query.size > 0 ? `/login?${query}` : '/login'
}

function Registered({ account, isAudited }: Done): ReactNode {
  const t = useT()
  return (
    <Nothing title={t(isAudited ? '注册申请已提交，请耐心等待管理员通过。通过后即可登录。' : '注册成功，请登录。')}>
      <Button type="primary" size="large" href={signInAddress(account)}>
        {t('去登录')}
      </Button>
    </Nothing>
  )
}

/** Goes on, signed in, to where one wanted to go before an account was needed. */
function goOn(entered: TokenAnswer): void {
  session.begin(entered)
  localStorage.setItem('juxian-last-type', String(entered.userType ?? 1))
  leaveFor(ownPath(new URLSearchParams(location.search).get('redirect')))
}

function Registering(): ReactNode {
  const t = useT()
  const site = useSite()
  const [done, setDone] = useState<Done>()
  if (done) return done.entered ? <PageSkeleton /> : <Registered {...done} />
  const finish = (made: Done): void => {
    setDone(made)
    if (made.entered) goOn(made.entered)
  }
  return (
    <Loaded query={site}>
      {found =>
        found.registerMode ? (
          <RegisterForm site={found} signIn={signInAddress()} onDone={finish} />
        ) : (
          <Nothing title={t('系统未开放注册')}>
            <p>{t('账号由考试组织单位统一开通，请拨打招聘公告中的咨询电话。')}</p>
            <Button size="large" href="/public/index">
              {t('查看招聘公告')}
            </Button>
          </Nothing>
        )
      }
    </Loaded>
  )
}

/** Making an account, where the site is open for it. */
export default function RegisterPage(): ReactNode {
  return (
    <PublicFrame>
      <Registering />
    </PublicFrame>
  )
}
