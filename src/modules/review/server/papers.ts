import type { SignupRow } from '../../../platform/access/server/caller.ts'
import { askedFiles, type FileItem } from '../../exams/rules/sign-files.ts'
import { type Content, on } from '../../exams/rules/sign-item.ts'
import type { ExamForm } from '../../exams/server/candidate/exam-form.ts'

type Filled = Pick<SignupRow, 'files' | 'content' | 'unit' | 'type' | 'code'>

/** Whether fewer files were uploaded than a slot needs. */
const isLacking = ({ fileCode, required, minNum }: FileItem, { files }: Filled): boolean => {
  const sent = (files ?? []).filter(slot => slot.fileCode === fileCode).flatMap(slot => slot.list).length
  return on(required) && sent < Math.max(1, minNum ?? 1)
}

/** A line of the pre-check on the papers that the exam's form of today requires and the sign-up lacks; none where it lacks none. */
export function paperLines(form: Pick<ExamForm, 'files'>, row: Filled): { rule: 'paper'; level: 3; msg: string }[] {
  const { unit, type, code } = row
  const lacking = askedFiles(form.files, row.content as Content, { unit, type, code }).filter(one =>
    isLacking(one, row),
  )
  if (lacking.length === 0) return []
  return [{ rule: 'paper', level: 3, msg: `缺少必传材料：${lacking.map(one => one.fileName).join('、')}` }]
}
