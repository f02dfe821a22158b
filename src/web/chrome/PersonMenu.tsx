import {
  BgColorsOutlined,
  CloudDownloadOutlined,
  DownOutlined,
  LogoutOutlined,
  QuestionCircleOutlined,
  UserOutlined,
  UserSwitchOutlined,
} from '@ant-design/icons'
import { Avatar, Dropdown } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { roleChoices } from '../../platform/access/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { hasSeveral } from '../../platform/http/browser/session.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { useSession } from '../../screens/providers/use-session.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { useSignOut } from '../../screens/window/sign-out.ts'
import { useSmall } from '../../screens/window/use-width.ts'
import { openDialog } from './dialogs.ts'
import { FAQ } from './TopTools.tsx'

/** Needed only for a person with a picture. */
const Portrait = lazy(() => loadPart(() => import('../../screens/window/Portrait.tsx')))

/** Pixels of the picture. */
const SIZE = 30

/**
 * Names of the person's roles: as the session says them, or, where another server does not, found by alias in the role list;
 * the aliases where the list may not be read.
 */
function useRoleName(aliases: string, names: readonly string[] | undefined): string {
  const t = useT()
  const [roles, setRoles] = useState<AnswerOf<typeof roleChoices>>([])
  const isKnown = names !== undefined
  useEffect(() => {
    if (isKnown) return
    call(roleChoices, { isAll: '1' }, { pass: 'all' }).then(setRoles, () => undefined)
  }, [isKnown])
  if (names) return names.map(name => t(name)).join('、')
  const nameOf = (alias: string): string => t(roles.find(role => role.roleAlias === alias)?.roleName ?? alias)
  return aliases.split(',').filter(Boolean).map(nameOf).join('、')
}

/** What the person's name leads to, with all that the top bar of a small screen has no room for. */
function useItems() {
  const t = useT()
  const navigate = useNavigate()
  const leave = useSignOut()
  const several = hasSeveral(useSession())
  const item = (key: string, icon: ReactNode, label: string, onClick: () => void) => ({
    key,
    icon,
    label: t(label),
    onClick,
  })
  return [
    item('info', <UserOutlined aria-hidden />, '个人信息', () => void navigate('/info/index')),
    ...(several
      ? [item('switch', <UserSwitchOutlined aria-hidden />, '切换角色与机构', () => openDialog('switch'))]
      : []),
    item('exports', <CloudDownloadOutlined aria-hidden />, '导出任务', () => void navigate('/exam/exporttask')),
    item('settings', <BgColorsOutlined aria-hidden />, '外观', () => openDialog('settings')),
    item('faq', <QuestionCircleOutlined aria-hidden />, '常见问题', () => void window.open(FAQ, '_blank', 'noopener')),
    item('keys', <kbd>?</kbd>, '键盘快捷键', () => openDialog('keys')),
    { type: 'divider' as const },
    item('leave', <LogoutOutlined aria-hidden />, '退出登录', leave),
  ]
}

/** Who is signed in, with 个人信息 and 退出登录. */
export function PersonMenu(): ReactNode {
  const person = useSession()
  const role = useRoleName(person?.role_name ?? '', person?.detail?.roleNames as string[] | undefined)
  const name = person?.nick_name || person?.user_name || person?.account
  const small = useSmall()
  const plain = <Avatar size={SIZE} icon={<UserOutlined aria-hidden />} alt="" />
  return (
    <Dropdown menu={{ items: useItems() }} trigger={['click']} placement="bottomRight">
      <button type="button" className="person" title={[name, role].filter(Boolean).join(' · ')}>
        {person?.avatar ? (
          <Suspense fallback={plain}>
            <Portrait id={person.avatar} size={SIZE} />
          </Suspense>
        ) : (
          plain
        )}
        <span className={small ? 'heard-only' : 'person-text'}>
          <span className="person-name">{name}</span>
          <small>{role}</small>
        </span>
        <DownOutlined aria-hidden className="person-arrow" />
      </button>
    </Dropdown>
  )
}
