import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'

/** A query parameter `target` opens the page in a window of that name; this one goes back to where it was. */
export function useTargetWindow(): void {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  useEffect(() => {
    const query = new URLSearchParams(search)
    const target = query.get('target')
    if (!target) return
    query.delete('target')
    const address = query.size ? `${pathname}?${query}` : pathname
    // Where the browser does not allow a window, the page is shown here.
    if (window.open(address, target)) void navigate(-1)
    else void navigate(address, { replace: true })
  }, [pathname, search, navigate])
}
