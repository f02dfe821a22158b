import { WorkList } from './WorkList.tsx'

/** Sign-ups that have been reviewed. */
export default function DonePage() {
  return <WorkList kind="done" />
}
