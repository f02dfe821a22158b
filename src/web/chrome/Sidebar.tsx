import { Menu, type MenuProps } from 'antd'
import { memo, type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { usePreference } from '../../screens/preferences.ts'
import { flatten, type MenuNode } from '../../screens/providers/rights.ts'
import { menuIcon } from '../../screens/window/icons.tsx'
import { useOpening } from '../../screens/window/menu-path.ts'
import { comeNear, pointAt, pointAway } from '../../screens/window/prefetch.ts'
import { isEntry, trailOf } from './menu-trail.ts'
import type { WindowSettings } from './window-settings.ts'

type Item = NonNullable<MenuProps['items']>[number]

function items(nodes: readonly MenuNode[], t: (text: string) => string, top = true): Item[] {
  return nodes.map(node => ({
    key: node.id,
    label: t(node.name),
    icon: top ? menuIcon(node.source, node.code) : undefined,
    ...(isEntry(node)
      ? { onMouseEnter: () => pointAt(node.path), onMouseLeave: pointAway }
      : { children: items(node.children ?? [], t, false) }),
  }))
}

/** Pages of the groups that stand open. */
const within = (nodes: readonly MenuNode[], open: readonly string[]): string[] =>
  nodes.flatMap(node => {
    if (isEntry(node)) return [node.path]
    return open.includes(node.id) ? within(node.children ?? [], open) : []
  })

const NONE: readonly string[] = []

/** Groups that stand open: those above the pages that were at hand, and those that the person has opened, on whichever device. */
function useOpenGroups(groups: readonly string[]): [readonly string[], (open: readonly string[]) => void] {
  const [{ groups: kept = NONE }, change] = usePreference<WindowSettings>('window')
  const above = groups.slice(0, -1)
  const [shown, setShown] = useState<readonly string[]>(above)
  const [at, setAt] = useState(groups)
  if (at !== groups) {
    setAt(groups)
    if (above.some(one => !shown.includes(one))) setShown([...new Set([...shown, ...above])])
  }
  const put = useCallback(
    (open: readonly string[]): void => {
      setShown(shown.filter(one => open.includes(one)))
      change({ groups: open.filter(one => kept.includes(one) || !shown.includes(one)) })
    },
    [shown, kept, change],
  )
  const open = useMemo(() => [...new Set([...kept, ...shown])], [kept, shown])
  return [open, put]
}

/** The address whose page has been drawn. The page comes first, the menu follows. */
function useDrawnAddress(): { pathname: string; search: string } {
  const here = useLocation()
  const [drawn, setDrawn] = useState(here)
  useEffect(() => startTransition(() => setDrawn(here)), [here])
  return drawn
}

/** Pixels by which each level of the menu stands further in: the third one still has room for its words. */
const INDENT = 16

/** Milliseconds in which a group unfolds. */
const UNFOLDING = 350

/** Keeps the entry of the open page in view: when it changes, and once the group above it is unfolded. */
function useInView(entry: string | undefined, folded: boolean) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (entry === undefined || folded) return
    const show = (): void =>
      place.current?.querySelector('.ant-menu-item-selected')?.scrollIntoView({ block: 'nearest' })
    const frame = requestAnimationFrame(show)
    const timer = setTimeout(show, UNFOLDING)
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [entry, folded])
  return place
}

/** What stands in the menu. Drawn only when something in it changes. */
const Items = memo(function Items(props: {
  routes: readonly MenuNode[]
  folded: boolean
  open: readonly string[]
  selected: string | undefined
  onOpen: (open: readonly string[]) => void
  onGo: (id: string) => void
}): ReactNode {
  const { routes, folded, open, selected, onOpen, onGo } = props
  const t = useT()
  return (
    <Menu
      key={folded ? 'folded' : 'open'}
      mode="inline"
      inlineIndent={INDENT}
      theme="dark"
      inlineCollapsed={folded}
      // Only what is folded hides its names. Each of them costs as much as the item itself.
      tooltip={folded ? undefined : false}
      items={items(routes, t)}
      selectedKeys={selected === undefined ? [] : [selected]}
      {...(!folded && { openKeys: [...open], onOpenChange: onOpen })}
      onClick={({ key }) => onGo(key)}
    />
  )
})

/** The menu of the person's roles. `onLeave` is called after a choice, for the drawer of a small screen. */
export function Sidebar(props: { routes: readonly MenuNode[]; folded?: boolean; onLeave?: () => void }): ReactNode {
  const { routes, folded = false, onLeave } = props
  const t = useT()
  const open = useOpening()
  const { pathname, search } = useDrawnAddress()
  const groups = useMemo(() => trailOf(routes, pathname, search).map(node => node.id), [routes, pathname, search])
  const [openKeys, setOpenKeys] = useOpenGroups(groups)
  const place = useInView(groups.at(-1), folded)
  // A group that somebody opens is one of whose pages is wanted next.
  const openGroup = useCallback(
    (keys: readonly string[]): void => {
      comeNear(within(routes, keys))
      setOpenKeys(keys)
    },
    [routes, setOpenKeys],
  )
  const last = useRef({ open, onLeave })
  useEffect(() => {
    last.current = { open, onLeave }
  })
  const go = useCallback(
    (id: string): void => {
      const node = flatten(routes).find(one => one.id === id)
      if (!node) return
      last.current.open(node)
      last.current.onLeave?.()
    },
    [routes],
  )
  if (routes.length === 0) return <p className="side-empty">{t('没有可用的菜单，请联系管理员授权')}</p>
  return (
    <div ref={place}>
      <Items routes={routes} folded={folded} open={openKeys} selected={groups.at(-1)} onOpen={openGroup} onGo={go} />
    </div>
  )
}
