import { Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { moveFocus } from '../../screens/window/arrow-focus.ts'
import { CloseTab } from './CloseTab.tsx'
import { HOME, type Tab } from './tab-list.ts'

interface Props {
  tabs: readonly Tab[]
  onClose: (tab: Tab) => void
  /** The list is not needed any longer. */
  onDone: () => void
}

/** All open tabs, searched by name: Enter opens the first that fits, arrows go along the list, Delete closes. */
export default function TabChooser({ tabs, onClose, onDone }: Props): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const found = tabs.filter(tab => `${t(tab.title)} ${tab.title}`.toLowerCase().includes(wanted))
  const openFirst = (): void => {
    const [first] = found
    if (!first) return
    onDone()
    void navigate(first.path + first.search)
  }
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    const isTyping = event.target instanceof HTMLInputElement
    const isSideways = ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key)
    if (event.key === 'Escape') onDone()
    else if (!(isTyping && isSideways) && moveFocus(event, 'input, a')) return
    const tab = tabs.find(one => one.path === (event.target as HTMLElement).dataset.path)
    if (event.key === 'Delete' && tab && tab.path !== HOME.path) onClose(tab)
  }
  return (
    <nav aria-label={t('全部页签')} className="tab-chooser" onKeyDown={onKey}>
      <Input
        autoFocus
        allowClear
        data-unkept
        value={typed}
        placeholder={t('搜索页签')}
        aria-label={t('搜索页签')}
        onChange={event => setTyped(event.target.value)}
        onPressEnter={openFirst}
      />
      <ul>
        {found.map(tab => (
          <li key={tab.path} data-active={tab.path === pathname || undefined}>
            <Link to={tab.path + tab.search} data-path={tab.path} onClick={onDone}>
              {t(tab.title)}
            </Link>
            <CloseTab tab={tab} onClose={onClose} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>{t('没有这样的页签')}</p>}
    </nav>
  )
}
