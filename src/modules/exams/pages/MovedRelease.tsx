import type { ReactNode } from 'react'
import { Navigate, useParams } from 'react-router-dom'

/** The address that the release of an exam had of its own: it stands in messages and bookmarks. */
export default function MovedRelease(): ReactNode {
  const { id = '' } = useParams()
  return <Navigate to={`/exam/${id}?checks`} replace />
}
