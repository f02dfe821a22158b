import { WorkList } from './WorkList.tsx'

/** Sign-ups that wait for a first review. */
export default function WaitingPage() {
  return <WorkList kind="waiting" />
}
