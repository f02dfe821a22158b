import { MenuFoldOutlined, MenuUnfoldOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../i18n.ts'
import type { MenuNode } from '../providers/rights.ts'
import { MenuSearch } from './MenuSearch.tsx'
import { PersonMenu } from './PersonMenu.tsx'
import { TopMenu } from './TopMenu.tsx'
import { TopTools } from './TopTools.tsx'

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
  const foldLabel = t(folded ? '展开菜单' : '收起菜单')
  return (
    <header className="top">
      <Button
        type="text"
        icon={folded ? <MenuUnfoldOutlined /> : <MenuFoldOutlined />}
        aria-label={foldLabel}
        title={foldLabel}
        onClick={onFold}
      />
      <MenuSearch routes={routes} />
      <TopMenu onRoutes={onPart} />
      <span className="top-gap" />
      <TopTools />
      <PersonMenu />
    </header>
  )
}
