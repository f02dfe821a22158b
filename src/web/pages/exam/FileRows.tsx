import { resources } from '#resources'
import ListScreen from '../../screens/ListScreen.tsx'

const signfiles = resources.find(one => one.name === 'examsignfiles')

/** The files an exam asks for, as the generated list of that exam. */
export function FileRows({ examId }: { examId: string }) {
  return signfiles ? <ListScreen resource={signfiles} filter={{ examId }} embedded /> : null
}
