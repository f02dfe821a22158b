import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { useRights } from '../../screens/providers/rights.ts'
import { isOutside } from '../../screens/window/menu-path.ts'
import { PageSkeleton } from '../../screens/window/PageSkeleton.tsx'
import { useTitle } from '../../screens/window/title.ts'

/** What a page may do here; a page of our own must not reach into this one, so it does not count as ours. */
function sandboxOf(address: string): string {
  const isOurs = new URL(address, location.href).origin === location.origin
  return `allow-scripts allow-forms allow-popups${isOurs ? '' : ' allow-same-origin'}`
}

/** An outside page of the person's own menu, embedded. Other addresses are not shown: nobody can plant one in a link. */
export default function EmbeddedPage(): ReactNode {
  const t = useT()
  const { routerPath = '' } = useParams()
  const { rights } = useRights()
  const name = rights?.names.get(routerPath)
  useTitle(name ?? '')
  if (!rights) return <PageSkeleton />
  if (name === undefined || !isOutside(routerPath)) return <Navigate to="/403" replace />
  return (
    <iframe
      className="embedded"
      title={t(name)}
      src={routerPath}
      sandbox={sandboxOf(routerPath)}
      referrerPolicy="no-referrer"
    />
  )
}
