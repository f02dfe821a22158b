import { LogoutOutlined, UnlockOutlined, UserOutlined } from '@ant-design/icons'
import { Avatar, Button, Form, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { Navigate, useNavigate } from 'react-router-dom'
import { useT } from '../i18n.ts'
import { lock } from '../lock.ts'
import { useSession } from '../providers/use-session.ts'
import './lock.css'
import { opens } from './lock-mark.ts'
import { useSignOut } from './sign-out.ts'

/** The locked screen: who it belongs to, the lock password, and the way out. */
export default function LockPage(): ReactNode {
  const t = useT()
  const person = useSession()
  const navigate = useNavigate()
  const leave = useSignOut()
  const [wrong, setWrong] = useState(false)
  if (!lock.isOn()) return <Navigate to="/" replace />
  const unlock = async ({ password }: { password: string }): Promise<void> => {
    if (!(await opens(lock.mark(), password))) return setWrong(true)
    lock.off()
    void navigate('/', { replace: true })
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
