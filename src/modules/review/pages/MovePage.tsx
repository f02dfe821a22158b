import { WorkList } from './WorkList.tsx'

/** Choices of another position that wait for the reviewers of the new unit. */
export default function MovePage() {
  return <WorkList kind="move" />
}
