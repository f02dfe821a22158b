import { useEffect, useState } from 'react'

/** Whether somebody is at the page: at first, or since a pointer or a key was. */
export function useMet(isFirst: boolean): boolean {
  const [isMet, meet] = useState(isFirst)
  useEffect(() => {
    if (isMet) return
    const end = new AbortController()
    for (const sign of ['pointermove', 'pointerdown', 'keydown']) addEventListener(sign, () => meet(true), end)
    return () => end.abort()
  }, [isMet])
  return isMet
}
