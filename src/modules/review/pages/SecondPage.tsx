import { WorkList } from './WorkList.tsx'

/** Sign-ups that wait for the second review. */
export default function SecondPage() {
  return <WorkList kind="second" />
}
