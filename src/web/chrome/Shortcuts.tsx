import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { flatten, useRights } from '../../screens/providers/rights.ts'
import { useOpening } from '../../screens/window/menu-path.ts'
import { type Act, useShortcuts } from '../../screens/window/shortcuts.ts'
import { openDialog } from './dialogs.ts'
import { NOTICES_BUTTON } from './NoticeBell.tsx'
import { focusSearch } from './TopSearch.tsx'
import { HOME, useTabs } from './tab-list.ts'

/** The console by the keyboard. `early` are the keys pressed before this was here; `onReady` says that it listens. */
export default function Shortcuts(props: { early: KeyboardEvent[]; onFold: () => void; onReady: () => void }): null {
  const { early, onFold, onReady } = props
  const tabs = useTabs()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const { rights } = useRights()
  const open = useOpening()
  const openPage = (address: string): boolean => {
    const node = flatten(rights?.routes ?? []).find(({ path }) => path === address)
    if (node) open(node)
    return node !== undefined
  }
  const step = (by: number): void => {
    const at = tabs.findIndex(tab => tab.path === pathname)
    const next = tabs.at((at + by) % tabs.length)
    if (next) void navigate(next.path + next.search)
  }
  const acts: Record<Act, () => void> = {
    help: () => openDialog('keys'),
    search: focusSearch,
    home: () => void navigate(HOME.path),
    // As a pointer would, so that the panel knows the button to give the focus back to.
    notices: () => document.getElementById(NOTICES_BUTTON)?.click(),
    fold: onFold,
    before: () => step(-1),
    after: () => step(1),
    place: () => undefined,
    escape: () => undefined,
  }
  useShortcuts(early, act => acts[act](), openPage)
  useEffect(onReady, [onReady])
  return null
}
