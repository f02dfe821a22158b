import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { RunPage } from './RunPage.tsx'

/** A task of a process of any kind, to be done. */
export default function GenericHandlePage(): ReactNode {
  const { taskId } = useParams()
  return <RunPage taskId={taskId} />
}
