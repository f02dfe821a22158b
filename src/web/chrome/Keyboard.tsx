import { lazy, type ReactNode, Suspense, useCallback, useEffect, useState } from 'react'
import { loadPart } from '../../screens/window/lazy-page.ts'

/** Only who uses the keyboard needs them. */
const Shortcuts = lazy(() => loadPart(() => import('./Shortcuts.tsx')))

/** Waits for the first key, which brings the shortcuts; they get it, and what is pressed until they are here. */
export function Keyboard({ onFold }: { onFold: () => void }): ReactNode {
  const [early] = useState<KeyboardEvent[]>([])
  const [isWanted, setWanted] = useState(false)
  const [isHere, setHere] = useState(false)
  const arrive = useCallback(() => setHere(true), [])
  useEffect(() => {
    if (isHere) return
    const onKey = (event: KeyboardEvent): void => {
      early.push(event)
      setWanted(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [early, isHere])
  if (!isWanted) return null
  return (
    <Suspense>
      <Shortcuts early={early} onFold={onFold} onReady={arrive} />
    </Suspense>
  )
}
