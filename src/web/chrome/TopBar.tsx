import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import type { MenuNode } from '../../screens/providers/rights.ts'
import { applyLook, useAppearance } from '../../screens/window/appearance.ts'
import { DEFAULT_LOOK, FORCED_LOOK } from '../../screens/window/bar-theme.ts'
import { Idle } from '../../screens/window/Idle.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { TopMenu } from './TopMenu.tsx'
import { TopSearch } from './TopSearch.tsx'
import { TopTools } from './TopTools.tsx'

/** Applies the theme that the person chose, else the one that the console forces, for as long as the bar is there. */
function useConsoleLook(): void {
  const { style } = useAppearance()
  // Before the browser paints: the default theme is never seen here.
  useLayoutEffect(() => applyLook(style || FORCED_LOOK.name), [style])
  useEffect(() => () => applyLook(DEFAULT_LOOK.name), [])
}

/** The bar above the pages: sidebar toggle, search, the person and the settings of the window. */
export function TopBar(props: {
  routes: readonly MenuNode[]
  folded: boolean
  onFold: () => void
  /** Called with the part of the menu that the top menu chose; undefined brings all of it back. */
  onPart: (routes: MenuNode[] | undefined) => void
}): ReactNode {
  const { routes, folded, onFold, onPart } = props
  const t = useT()
  useConsoleLook()
  const foldLabel = t(folded ? '展开菜单' : '收起菜单')
  return (
    <header className="top">
      <Button
        type="text"
        icon={folded ? <MenuUnfoldOutlined aria-hidden /> : <MenuFoldOutlined aria-hidden />}
        aria-label={foldLabel}
        title={foldLabel}
        onClick={onFold}
      />
      <Idle>
        <TopSearch routes={routes} />
        <TopMenu onRoutes={onPart} />
        <span className="top-gap" />
        <TopTools />
        <PersonMenu />
      </Idle>
    </header>
  )
}
