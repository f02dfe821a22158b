import { CloudDownloadOutlined, DownOutlined, LogoutOutlined, UserOutlined } from '@ant-design/icons'
import { Avatar, Dropdown } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '../http.ts'
import { useT } from '../i18n.ts'
import { useSession } from '../providers/use-session.ts'
import { useSignOut } from './sign-out.ts'

interface Role {
  roleName: string
  roleAlias: string
}

/** Names of the person's roles, found by alias in the role list; the aliases where the list may not be read. */
function useRoleName(aliases: string): string {
  const t = useT()
  const [roles, setRoles] = useState<Role[]>([])
  useEffect(() => {
    call<Role[]>('GET', '/blade-system/role/getRoleList', { params: { isAll: 1 }, pass: 'all' }).then(
      setRoles,
      () => undefined,
    )
  }, [])
  const nameOf = (alias: string): string => t(roles.find(role => role.roleAlias === alias)?.roleName ?? alias)
  return aliases.split(',').filter(Boolean).map(nameOf).join('、')
}

/** Who is signed in, with 个人信息 and 退出登录. */
export function PersonMenu(): ReactNode {
  const t = useT()
  const person = useSession()
  const navigate = useNavigate()
  const leave = useSignOut()
  const role = useRoleName(person?.role_name ?? '')
  const items = [
    { key: 'info', icon: <UserOutlined />, label: t('个人信息'), onClick: () => void navigate('/info/index') },
    {
      ...{ key: 'exports', icon: <CloudDownloadOutlined />, label: t('导出任务') },
      onClick: () => void navigate('/exam/exporttask'),
    },
    { type: 'divider' as const },
    { key: 'leave', icon: <LogoutOutlined />, label: t('退出登录'), onClick: leave },
  ]
  return (
    <Dropdown menu={{ items }} trigger={['click']} placement="bottomRight">
      <button type="button" className="person">
        <Avatar size={30} src={person?.avatar || undefined} icon={<UserOutlined />} alt="" />
        <span className="person-text">
          <strong>{person?.nick_name || person?.user_name || person?.account}</strong>
          <small>{role}</small>
        </span>
        <DownOutlined className="person-arrow" />
      </button>
    </Dropdown>
  )
}
