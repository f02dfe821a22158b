import { type ReactNode, useEffect, useState } from 'react'
import type { AnswerOf } from '#engine'
import { topMenus } from '../../platform/access/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { fetchRoutes, type MenuNode } from '../../screens/providers/rights.ts'

/** The top menu of the person's tenant; empty where none is set up. */
function useTopItems() {
  const [items, setItems] = useState<AnswerOf<typeof topMenus>>([])
  useEffect(() => {
    call(topMenus, {}, { pass: 'all' }).then(setItems, () => undefined)
  }, [])
  return items
}

/** Items that narrow the sidebar to their part of the menu; 首页 brings all of it back. */
export function TopMenu({ onRoutes }: { onRoutes: (routes: MenuNode[] | undefined) => void }): ReactNode {
  const t = useT()
  const items = useTopItems()
  const [chosen, setChosen] = useState('')
  const choose = async (id: string): Promise<void> => {
    setChosen(id)
    onRoutes(id ? await fetchRoutes(id) : undefined)
  }
  if (items.length === 0) return null
  return (
    <nav className="top-menu wide-only" aria-label={t('顶部菜单')}>
      {[{ id: '', name: '首页' }, ...items].map(({ id, name }) => (
        <button key={id} type="button" aria-pressed={id === chosen} onClick={() => choose(id).catch(() => undefined)}>
          {t(name)}
        </button>
      ))}
    </nav>
  )
}
