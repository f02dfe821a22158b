import type { ReactNode } from 'react'
import { RunPage } from './RunPage.tsx'

/** A process of any kind, to look at. */
export default function GenericDetailPage(): ReactNode {
  return <RunPage />
}
