import { Menu, type MenuProps } from 'antd'
import { type ReactNode, useMemo } from 'react'
import { useLocation } from 'react-router-dom'
import { useT } from '../i18n.ts'
import { flatten, type MenuNode } from '../providers/rights.ts'
import { menuIcon } from './icons.tsx'
import { pointAt, pointAway } from './likely.ts'
import { useOpening } from './menu-path.ts'

type Item = NonNullable<MenuProps['items']>[number]

const isPage = (node: MenuNode): boolean => !node.children?.length

function items(nodes: readonly MenuNode[], t: (text: string) => string, top = true): Item[] {
  return nodes.map(node => ({
    key: node.id,
    label: t(node.name),
    icon: top ? menuIcon(node.source, node.code) : undefined,
    ...(isPage(node)
      ? { onMouseEnter: () => pointAt(node.path), onMouseLeave: pointAway }
      : { children: items(node.children ?? [], t, false) }),
  }))
}

/** Ids of the groups above the open page, so that they stand open. */
function openGroups(nodes: readonly MenuNode[], path: string): string[] {
  for (const node of nodes) {
    if (node.path === path && isPage(node)) return [node.id]
    const below = openGroups(node.children ?? [], path)
    if (below.length) return [node.id, ...below]
  }
  return []
}

/** The menu of the person's roles. `onLeave` is called after a choice, for the drawer of a small screen. */
export function Sidebar(props: { routes: readonly MenuNode[]; folded?: boolean; onLeave?: () => void }): ReactNode {
  const { routes, folded = false, onLeave } = props
  const t = useT()
  const open = useOpening()
  const { pathname } = useLocation()
  const groups = useMemo(() => openGroups(routes, pathname), [routes, pathname])
  const go = (id: string): void => {
    const node = flatten(routes).find(one => one.id === id)
    if (!node) return
    open(node)
    onLeave?.()
  }
  if (routes.length === 0) return <p className="side-empty">{t('没有可用的菜单，请联系管理员授权')}</p>
  return (
    <Menu
      key={folded ? 'folded' : groups[0]}
      mode="inline"
      theme="dark"
      inlineCollapsed={folded}
      items={items(routes, t)}
      selectedKeys={groups.slice(-1)}
      defaultOpenKeys={folded ? [] : groups.slice(0, -1)}
      onClick={({ key }) => go(key)}
    />
  )
}
