import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** Where a window of its own is to show, and under which name; undefined for an address without `target`. */
export function windowOf(pathname: string, search: string): { address: string; name: string } | undefined {
  const query = new URLSearchParams(search)
  const target = query.get('target')
  if (!target) return undefined
  query.delete('target')
  // Names like `_self` or `_top` would replace this window instead of opening another.
  return { address: query.size ? `${pathname}?${query}` : pathname, name: target.startsWith('_') ? '_blank' : target }
}

/** True for the first page of this window: there is none to go back to. */
const isFirst = (): boolean => !(history.state as { idx?: number } | null)?.idx

/** A query parameter `target` opens the page in a window of that name; this one goes back to where it was. */
export function useTargetWindow(): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const found = windowOf(pathname, search)
    if (!found) return
    // With the origin before it even `//elsewhere` is a path of ours. Where a window is not allowed, the page is shown here.
    if (!isFirst() && window.open(location.origin + found.address, found.name)) void navigate(-1)
    else void navigate(found.address, { replace: true })
  }, [pathname, search, navigate])
}
