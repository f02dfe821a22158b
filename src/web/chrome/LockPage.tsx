import { LogoutOutlined, UnlockOutlined, UserOutlined } from '@ant-design/icons'
import { Avatar, Button, Form, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useT } from '../i18n.ts'
import { lock } from '../lock.ts'
import { useLocked } from '../providers/use-locked.ts'
import { useSession } from '../providers/use-session.ts'
import './lock.css'
import { opens } from './lock-mark.ts'
import { useSignOut } from './sign-out.ts'

/** What the guard leaves with the address `/lock`. */
interface LockState {
  /** Path and query of the page that was open. */
  from?: string
}

/** The locked screen: who it belongs to, the lock password, and the way out. */
export default function LockPage(): ReactNode {
  const t = useT()
  const person = useSession()
  const { state } = useLocation() as { state: LockState | null }
  const locked = useLocked()
  const leave = useSignOut()
  const [wrong, setWrong] = useState(false)
  // Unlocked here or in another tab: back to where this one was.
  if (!locked) return <Navigate to={state?.from ?? '/'} replace />
  const unlock = async ({ password }: { password: string }): Promise<void> => {
    if (!(await opens(lock.mark(), password))) return setWrong(true)
    lock.off()
  }
  return (
    <main className="locked">
      <Avatar size={88} src={person?.avatar || undefined} icon={<UserOutlined />} alt="" />
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
        <Button type="primary" htmlType="submit" icon={<UnlockOutlined />} block>
          {t('解锁')}
        </Button>
      </Form>
      <Button type="text" icon={<LogoutOutlined />} onClick={leave}>
        {t('退出登录')}
      </Button>
    </main>
  )
}
