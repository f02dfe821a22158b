import { SearchOutlined } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { LazyInput } from '../../screens/fields/LazyInput.tsx'
import type { MenuNode } from '../../screens/providers/rights.ts'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { isSmall } from '../../screens/window/use-width.ts'
import { openDialog } from './dialogs.ts'

const ID = 'menu-search'

const load = () => loadPart(() => import('./MenuSearch.tsx'))

/** The search box of the top bar. What it suggests with comes when somebody goes there. */
export function TopSearch({ routes }: { routes: readonly MenuNode[] }): ReactNode {
  const t = useT()
  return (
    <div className="top-search">
      <LazyInput
        load={load}
        now={false}
        lines={[{ id: ID, placeholder: t('搜索页面、考试、人员') }]}
        icon={<SearchOutlined aria-hidden />}
      >
        {({ MenuSearch }) => <MenuSearch id={ID} routes={routes} />}
      </LazyInput>
    </div>
  )
}

/** Puts the cursor into the search box; where there is no room for one, opens it as a dialog. */
export function focusSearch(): void {
  if (isSmall()) openDialog('search')
  else document.getElementById(ID)?.focus()
}
