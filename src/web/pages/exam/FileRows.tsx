import type { Resource } from '#engine'
import { examsignfiles } from '#resources/exam/examsignfiles'
import ListScreen from '../../screens/ListScreen.tsx'

/** The files an exam asks for, as the generated list of that exam. */
export function FileRows({ examId }: { examId: string }) {
  return <ListScreen resource={examsignfiles as Resource} filter={{ examId }} embedded />
}
