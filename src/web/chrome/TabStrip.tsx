import { DownOutlined } from '@ant-design/icons'
import { App, Dropdown } from 'antd'
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { clearCache } from '../../platform/auth/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { reloadRights } from '../../screens/providers/rights.ts'
import { useUnsaved } from '../../screens/unsaved.ts'
import { moveFocus } from '../../screens/window/arrow-focus.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { CloseTab } from './CloseTab.tsx'
import { close, closeAll, closeUnused, HOME, type Tab, useTabs } from './tab-list.ts'
import './tabs.css'

/** Tabs from which on the strip may not hold them all on a phone. */
const MANY = 3

/** Only who has many tabs searches among them. */
const TabChooser = lazy(() => loadPart(() => import('./TabChooser.tsx')))

function useClearCache(): () => void {
  const t = useT()
  const { modal, message } = App.useApp()
  const clear = async (): Promise<void> => {
    await call(clearCache, {})
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

/** What can be done with tabs; whoever closes the open one sees the one before it. */
function useClosing() {
  const t = useT()
  const { message } = App.useApp()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const one = (tab: Tab): void => {
    const before = close(tab.path)
    // The window's own address: whoever closes fast closes the page that is just coming, too.
    if (tab.path === window.location.pathname) void navigate(before.path + before.search)
  }
  const others = ({ path, search }: Tab): void => {
    closeAll(path)
    if (path !== pathname) void navigate(path + search)
  }
  const all = (): void => {
    closeAll()
    void navigate(HOME.path)
  }
  const unused = (): void => {
    const n = closeUnused(pathname)
    void message.info(t(n ? '已关闭 {{n}} 个页签' : '没有超过半小时未用的页签', { n }))
  }
  return { one, others, all, unused }
}

function TabItem(props: {
  tab: Tab
  active: boolean
  of: number
  onClose: (tab: Tab) => void
  onMenu: () => void
}): ReactNode {
  const { tab, active, of, onClose, onMenu } = props
  const t = useT()
  const self = useRef<HTMLLIElement>(null)
  const isUnsaved = useUnsaved(tab.path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a tab gets its title later, and with many there is less room.
  useEffect(() => {
    if (!active) return
    // With the next picture: asked now, the browser would lay the page out for this alone.
    const frame = requestAnimationFrame(() => self.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [active, tab.title, of])
  return (
    <li ref={self} data-active={active || undefined} onContextMenu={onMenu}>
      <Link
        to={tab.path + tab.search}
        data-path={tab.path}
        tabIndex={active ? 0 : -1}
        aria-current={active ? 'page' : undefined}
      >
        {t(tab.title)}
      </Link>
      {isUnsaved && (
        <span className="tab-unsaved" role="img" aria-label={t('有未保存的内容')} title={t('有未保存的内容')} />
      )}
      <CloseTab tab={tab} onClose={onClose} />
    </li>
  )
}

/** All tabs as a list with a search, for when the strip cannot show them. */
function AllTabs({ tabs, onClose }: { tabs: readonly Tab[]; onClose: (tab: Tab) => void }): ReactNode {
  const t = useT()
  const [open, setOpen] = useState(false)
  return (
    <Dropdown
      open={open}
      onOpenChange={setOpen}
      trigger={['click']}
      placement="bottomRight"
      popupRender={() => (
        <Suspense>
          <TabChooser tabs={tabs} onClose={onClose} onDone={() => setOpen(false)} />
        </Suspense>
      )}
    >
      <button
        type="button"
        className="tabs-all"
        aria-expanded={open}
        aria-label={`${tabs.length} ${t('全部页签')}`}
        title={t('全部页签')}
      >
        {tabs.length} <DownOutlined aria-hidden />
      </button>
    </Dropdown>
  )
}

/** The pages visited. Right click: 清除缓存, 关闭其他, 关闭未用, 关闭全部. Arrows go along them, Delete closes. */
export function TabStrip(): ReactNode {
  const t = useT()
  const tabs = useTabs()
  const { pathname } = useLocation()
  const clearCache = useClearCache()
  const closing = useClosing()
  const open = tabs.find(tab => tab.path === pathname) ?? HOME
  const [meant, mean] = useState<Tab>()
  const menu = {
    items: [
      { key: 'cache', label: t('清除缓存'), onClick: clearCache },
      { key: 'others', label: t('关闭其他'), onClick: () => closing.others(meant ?? open) },
      { key: 'unused', label: t('关闭未用'), onClick: closing.unused },
      { key: 'all', label: t('关闭全部'), onClick: closing.all },
    ],
  }
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (moveFocus(event, 'a') || event.key !== 'Delete') return
    const tab = tabs.find(one => one.path === (event.target as HTMLElement).dataset.path)
    if (!tab || tab.path === HOME.path) return
    const before = event.currentTarget.querySelectorAll<HTMLElement>('a')[tabs.indexOf(tab) - 1]
    closing.one(tab)
    before?.focus()
  }
  return (
    <div className="tabs">
      <Dropdown menu={menu} trigger={['contextMenu']} autoFocus onOpenChange={isOpen => isOpen || mean(undefined)}>
        <nav aria-label={t('已打开的页面')} onKeyDown={onKey}>
          <ul>
            {tabs.map(tab => (
              <TabItem
                key={tab.path}
                tab={tab}
                active={tab === open}
                of={tabs.length}
                onClose={closing.one}
                onMenu={() => mean(tab)}
              />
            ))}
          </ul>
        </nav>
      </Dropdown>
      {tabs.length >= MANY && <AllTabs tabs={tabs} onClose={closing.one} />}
    </div>
  )
}
