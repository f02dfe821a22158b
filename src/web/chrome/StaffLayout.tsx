import { lazy, memo, type ReactNode, Suspense, useEffect, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { loadPreferences, usePreference } from '../../screens/preferences.ts'
import { type MenuNode, useRights } from '../../screens/providers/rights.ts'
import { Backend } from '../../screens/window/Backend.tsx'
import { HeadPlace } from '../../screens/window/page-head.ts'
import { Waiting } from '../../screens/window/Waiting.tsx'
import './chrome.css'
import './staff.css'
import '../../screens/window/looks.css'
import { useSmall } from '../../screens/window/use-width.ts'
import { Dialogs } from './Dialogs.tsx'
import { Keyboard } from './Keyboard.tsx'
import { PageHead } from './PageHead.tsx'
import { PagePlace } from './PagePlace.tsx'
import { usePrinted } from './printed.ts'
import { Side } from './Side.tsx'
import { TabStrip } from './TabStrip.tsx'
import { TopBar } from './TopBar.tsx'
import type { WindowSettings } from './window-settings.ts'

const StartReturn = lazy(() => import('./StartReturn.tsx'))

/** The way back to the start list, for whoever has come from there. */
function StartStep(): ReactNode {
  const { state } = useLocation()
  if (!(state as { startStep?: string } | null)?.startStep) return null
  return (
    <Suspense fallback={null}>
      <StartReturn />
    </Suspense>
  )
}

/** Folded on a desk is remembered; on a small screen the menu is a drawer, closed at first. */
function useFolded(small: boolean): [boolean, (folded: boolean) => void] {
  const [{ folded = false }, change] = usePreference<WindowSettings>('window')
  const [drawerOpen, setDrawerOpen] = useState(false)
  return small ? [!drawerOpen, next => setDrawerOpen(!next)] : [folded, next => change({ folded: next })]
}

function StaffWindow(): ReactNode {
  const t = useT()
  const small = useSmall()
  const [folded, setFolded] = useFolded(small)
  const { rights } = useRights()
  useEffect(() => void loadPreferences(), [])
  usePrinted()
  const [part, setPart] = useState<MenuNode[]>()
  return (
    <>
      <a className="skip" href="#main">
        {t('跳到内容')}
      </a>
      <Keyboard onFold={() => setFolded(!folded)} />
      <Dialogs />
      <div className="shell">
        <Side routes={part ?? rights?.routes} folded={folded} onFold={() => setFolded(!folded)} small={small} />
        <div className="shell-body">
          <TopBar routes={rights?.routes ?? []} folded={folded} onFold={() => setFolded(!folded)} onPart={setPart} />
          <Waiting />
          <TabStrip />
          <StartStep />
          <HeadPlace value={PageHead}>
            <PagePlace />
          </HeadPlace>
        </div>
      </div>
    </>
  )
}

/**
 * The console's window: sidebar, top bar, tabs of visited pages, and the page. A step to another page does not draw what
 * all pages stand in again, and with it every hidden one.
 */
export default memo(function StaffLayout(): ReactNode {
  return (
    <Backend>
      <StaffWindow />
    </Backend>
  )
})
