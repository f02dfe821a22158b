import { CloseOutlined } from '@ant-design/icons'
import { App, Dropdown } from 'antd'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { call } from '../http.ts'
import { useT } from '../i18n.ts'
import { reloadRights } from '../providers/rights.ts'
import { close, closeAll, HOME, type Tab, useTabs } from './tab-list.ts'

function useClearCache(): () => void {
  const t = useT()
  const { modal, message } = App.useApp()
  const clear = async (): Promise<void> => {
    await call('GET', '/blade-auth/oauth/clear-cache')
    await reloadRights()
    message.success(t('清除完毕'))
  }
  return () =>
    void modal.confirm({
      title: t('提示'),
      content: t('是否需要清除缓存?'),
      onOk: () => clear().catch(() => undefined),
    })
}

function TabItem({ tab, active, onClose }: { tab: Tab; active: boolean; onClose: (tab: Tab) => void }): ReactNode {
  const t = useT()
  const self = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (active) self.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [active])
  return (
    <li ref={self} data-active={active || undefined}>
      <Link to={tab.path + tab.search} aria-current={active ? 'page' : undefined}>
        {t(tab.title)}
      </Link>
      {tab.path !== HOME.path && (
        <button type="button" aria-label={t('关闭 {{title}}', { title: t(tab.title) })} onClick={() => onClose(tab)}>
          <CloseOutlined />
        </button>
      )}
    </li>
  )
}

/** The pages visited. Right click: 清除缓存, 关闭其他, 关闭全部. */
export function TabStrip(): ReactNode {
  const t = useT()
  const tabs = useTabs()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const clearCache = useClearCache()
  const closeOne = (tab: Tab): void => {
    const before = close(tab.path)
    if (tab.path === pathname) void navigate(before.path + before.search)
  }
  const closeEvery = (): void => {
    closeAll()
    void navigate(HOME.path)
  }
  const menu = {
    items: [
      { key: 'cache', label: t('清除缓存'), onClick: clearCache },
      { key: 'others', label: t('关闭其他'), onClick: () => closeAll(pathname) },
      { key: 'all', label: t('关闭全部'), onClick: closeEvery },
    ],
  }
  return (
    <Dropdown menu={menu} trigger={['contextMenu']}>
      <nav className="tabs" aria-label={t('已打开的页面')}>
        <ul>
          {tabs.map(tab => (
            <TabItem key={tab.path} tab={tab} active={tab.path === pathname} onClose={closeOne} />
          ))}
        </ul>
      </nav>
    </Dropdown>
  )
}
