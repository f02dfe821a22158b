import { SearchOutlined } from '@ant-design/icons'
import { AutoComplete, Input } from 'antd'
import { type KeyboardEvent, type ReactNode, useMemo, useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { flatten, type MenuNode } from '../../screens/providers/rights.ts'
import { useOpening } from '../../screens/window/menu-path.ts'
import { initials } from './initials.ts'

/** Pages whose name begins with what was typed: in the language in use, in Chinese, or by the initials of its pinyin. */
function useMatches(routes: readonly MenuNode[], typed: string) {
  const t = useT()
  const text = typed.trim().toLowerCase()
  const pages = useMemo(() => flatten(routes).filter(node => !node.children?.length && node.path), [routes])
  if (!text) return []
  const begins = (name: string): boolean => name.toLowerCase().startsWith(text)
  return pages
    .filter(({ name }) => begins(name) || begins(t(name)) || begins(initials(name)))
    .map(node => ({ value: node.id, label: t(node.name), node }))
}

/** Finds a page by the beginning of its name, and opens it. Esc closes it. */
export function MenuSearch(props: {
  id?: string
  routes: readonly MenuNode[]
  autoFocus?: boolean
  onDone?: () => void
}): ReactNode {
  const { id, routes, autoFocus, onDone } = props
  const t = useT()
  const [typed, setTyped] = useState('')
  const options = useMatches(routes, typed)
  const open = useOpening()
  const choose = (node: MenuNode): void => {
    setTyped('')
    open(node)
    onDone?.()
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key !== 'Escape') return
    setTyped('')
    event.currentTarget.querySelector('input')?.blur()
  }
  return (
    <AutoComplete
      id={id}
      className="menu-search"
      value={typed}
      options={options}
      onSearch={setTyped}
      onSelect={(_value: string, option: { node: MenuNode }) => choose(option.node)}
      onKeyDown={onKeyDown}
      notFoundContent={typed ? t('没有这个菜单') : null}
      defaultActiveFirstOption
      autoFocus={autoFocus}
    >
      <Input
        suffix={<SearchOutlined className="menu-search-icon" aria-hidden />}
        placeholder={t('搜索菜单')}
        aria-label={t('搜索菜单')}
        allowClear
      />
    </AutoComplete>
  )
}
