import { LogoutOutlined, UnlockOutlined, UserOutlined } from '@ant-design/icons'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Avatar, Button, Form, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { lock } from '../../platform/http/browser/lock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { isAddress } from '../../screens/fields/attach.ts'
import { useLocked } from '../../screens/providers/use-locked.ts'
import { useSession } from '../../screens/providers/use-session.ts'
import './lock.css'
import Portrait from '../../screens/window/Portrait.tsx'
import { useSignOut } from '../../screens/window/sign-out.ts'
import { opens } from './lock-mark.ts'

/** What the guard leaves with the address `/lock`. */
interface LockState {
  /** Path and query of the page that was open. */
  from?: string
}

/** The window's own store stands behind the locked screen, out of reach. */
const pictures = new QueryClient()

/** Whose the window is: a picture of ours is fetched with the token, one from elsewhere has its address. */
function Face({ avatar }: { avatar: string }): ReactNode {
  if (avatar && !isAddress(avatar)) return <Portrait id={avatar} size={FACE} />
  return <Avatar size={FACE} src={avatar || undefined} icon={<UserOutlined aria-hidden />} alt="" />
}

/** Pixels of the picture. */
const FACE = 88

/** The locked screen: who it belongs to, the lock password, and the way out. */
export default function LockPage(): ReactNode {
  const t = useT()
  const person = useSession()
  const { state } = useLocation() as { state: LockState | null }
  const locked = useLocked()
  const leave = useSignOut()
  const [wrong, setWrong] = useState(false)
  // Unlocked here or in another tab: back to where this one was.
  if (!locked) return <Navigate to={state?.from ?? '/'} state={{ unlocked: true }} replace />
  const unlock = async ({ password }: { password: string }): Promise<void> => {
    if (!(await opens(lock.mark(), password))) return setWrong(true)
    lock.off()
  }
  return (
    <main className="locked">
      <QueryClientProvider client={pictures}>
        <Face avatar={person?.avatar ?? ''} />
      </QueryClientProvider>
      <h1>{person?.nick_name || person?.account}</h1>
      <Form layout="vertical" onFinish={unlock} requiredMark={false} onValuesChange={() => setWrong(false)}>
        <Form.Item
          name="password"
          label={t('锁屏密码')}
          rules={[{ required: true, message: t('锁屏密码不能为空') }]}
          {...(wrong && { validateStatus: 'error', help: t('锁屏密码错误') })}
        >
          <Input.Password autoFocus autoComplete="off" />
        </Form.Item>
        <Button type="primary" htmlType="submit" icon={<UnlockOutlined aria-hidden />} block>
          {t('解锁')}
        </Button>
      </Form>
      <Button type="text" icon={<LogoutOutlined aria-hidden />} onClick={leave}>
        {t('退出登录')}
      </Button>
    </main>
  )
}
