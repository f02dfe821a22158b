import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../i18n.ts'
import { Loaded, Nothing } from '../candidate/parts/Loaded.tsx'
import { useSite } from '../info/use-site.ts'
import { PublicFrame } from '../public/PublicFrame.tsx'
import { RegisterForm } from './RegisterForm.tsx'

function Registered({ account, isAudited }: { account: string; isAudited: boolean }): ReactNode {
  const t = useT()
  return (
    <Nothing title={t(isAudited ? '注册申请已提交，请耐心等待管理员通过。通过后即可登录。' : '注册成功，请登录。')}>
      <Button type="primary" size="large" href={`/login?${new URLSearchParams({ account })}`}>
        {t('去登录')}
      </Button>
    </Nothing>
  )
}

function Registering(): ReactNode {
  const t = useT()
  const site = useSite()
  const [done, setDone] = useState<{ account: string; isAudited: boolean }>()
  if (done) return <Registered {...done} />
  return (
    <Loaded query={site}>
      {found =>
        found.registerMode ? (
          <RegisterForm site={found} onDone={setDone} />
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
