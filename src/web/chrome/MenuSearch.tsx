import { SearchOutlined } from '@ant-design/icons'
import { AutoComplete } from 'antd'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { PlainInput } from '../fields/PlainInput.ts'
import { useT } from '../i18n.ts'
import { flatten, type MenuNode } from '../providers/rights.ts'
import { openingOf } from './menu-path.ts'

/** Pages whose name begins with what was typed; in English too. */
function useMatches(routes: readonly MenuNode[], typed: string) {
  const t = useT()
  const text = typed.trim().toLowerCase()
  const all = useMemo(() => flatten(routes).filter(node => !node.children?.length && node.path), [routes])
  const matches = (node: MenuNode): boolean =>
    [node.name, t(node.name)].some(name => name.toLowerCase().startsWith(text))
  return text ? all.filter(matches).map(node => ({ value: node.id, label: t(node.name), node })) : []
}

/** Finds a page by the beginning of its name. Esc closes it. */
export function MenuSearch({ routes }: { routes: readonly MenuNode[] }): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const options = useMatches(routes, typed)
  const open = (node: MenuNode): void => {
    const { to, isWindow } = openingOf(node)
    setTyped('')
    if (isWindow) window.open(to, '_blank', 'noopener')
    else void navigate(to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') setTyped('')
  }
  return (
    <AutoComplete
      className="top-search"
      value={typed}
      options={options}
      onSearch={setTyped}
      onSelect={(_value: string, option: { node: MenuNode }) => open(option.node)}
      onKeyDown={onKeyDown}
      notFoundContent={typed ? t('没有这个菜单') : null}
      defaultActiveFirstOption
    >
      <PlainInput
        prefix={<SearchOutlined aria-hidden />}
        placeholder={t('搜索菜单')}
        aria-label={t('搜索菜单')}
        allowClear
      />
    </AutoComplete>
  )
}
