import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { loadPart } from '../../screens/window/lazy-page.ts'
import { type Dialog, openDialog, useDialog } from './dialogs.ts'

interface Props {
  open: boolean
  onClose: () => void
}

const DIALOGS: Record<Dialog, ComponentType<Props>> = {
  settings: lazy(() => loadPart(() => import('./Settings.tsx'))),
  lock: lazy(() => loadPart(() => import('./LockDialog.tsx'))),
  logs: lazy(() => loadPart(() => import('./LogsDialog.tsx'))),
  keys: lazy(() => loadPart(() => import('./ShortcutSheet.tsx'))),
  search: lazy(() => loadPart(() => import('./SearchDialog.tsx'))),
  switch: lazy(() => loadPart(() => import('./SwitchDialog.tsx'))),
}

const close = (): void => openDialog()

/** The place of the window's dialogs. What was open once stays, so that it can be seen to close. */
export function Dialogs(): ReactNode {
  const opened = useDialog()
  const [known, setKnown] = useState<readonly Dialog[]>([])
  if (opened && !known.includes(opened)) setKnown([...known, opened])
  useEffect(() => close, [])
  return known.map(name => {
    const Part = DIALOGS[name]
    return (
      <Suspense key={name}>
        <Part open={opened === name} onClose={close} />
      </Suspense>
    )
  })
}
