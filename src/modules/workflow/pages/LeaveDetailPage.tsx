import type { ReactNode } from 'react'
import { useParams } from 'react-router-dom'
import { LeaveFacts } from './LeaveFacts.tsx'

/** A leave, to look at. */
export default function LeaveDetailPage(): ReactNode {
  const { processInstanceId = '', businessId = '' } = useParams()
  return <LeaveFacts businessId={businessId} processInstanceId={processInstanceId} />
}
