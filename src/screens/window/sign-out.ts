import { App } from 'antd'
import { useT } from '../../platform/i18n/i18n.ts'
import { signOut } from '../providers/auth.ts'

/** Asks, then ends the session. */
export function useSignOut(): () => void {
  const t = useT()
  const { modal } = App.useApp()
  return () => void modal.confirm({ title: t('提示'), content: t('退出系统, 是否继续?'), onOk: signOut })
}
