import { FormInputType } from '#schemas/dictionaries/sign-up'
import { isBlank } from '../../../../engine/blank.ts'
import { interpret } from '../../../../screens/interpreter.ts'
import { type CheckForm, formCheck, type SignProblem } from '../../../exams/rules/sign-check.ts'
import { type FileProblem, missingFiles } from '../../../exams/rules/sign-files.ts'
import type { Content, SignItem } from '../../../exams/rules/sign-item.ts'
import type { ExamForm } from './exam-form.ts'
import type { Sheet } from './sheet.ts'

/** The steps of the form, in order. */
export const stepNames = ['报名须知', '选择岗位', '填写信息', '照片与附件', '承诺与预览'] as const

/** Places of the steps that refusals lead to. */
export const at = { notice: 0, position: 1, items: 2, files: 3, preview: 4 } as const

const checks = new WeakMap<ExamForm, Map<string, CheckForm>>()

/** The check of a form for a type of position, made once. */
function checkOf(form: ExamForm, type: string): CheckForm {
  const known = checks.get(form) ?? new Map<string, CheckForm>()
  checks.set(form, known)
  const check = known.get(type) ?? formCheck(form.items, { type, dicts: form.dicts }, interpret)
  known.set(type, check)
  return check
}

/** What is wrong with the filled-in items, as the server will judge them. */
export const itemProblems = (form: ExamForm, { type, content }: Sheet): SignProblem[] =>
  checkOf(form, type)(content, true)

/** What is missing or unfit among the files. */
export const fileProblems = (form: ExamForm, { files, content, unit, type, code }: Sheet): FileProblem[] =>
  missingFiles(files, form.files, content, { unit, type, code })

/** Tables without the rows in which nothing was entered; the same object when there are none. */
export function withoutEmptyRows(items: readonly SignItem[], content: Content): Content {
  const filled = (row: object | null): boolean => Object.values(row ?? {}).some(value => !isBlank(value))
  const changes = items.flatMap(({ itemCode, inputType: kind }) => {
    const rows = content[itemCode]
    if (kind !== FormInputType.table || !Array.isArray(rows) || rows.every(filled)) return []
    return [[itemCode, rows.filter(filled)] as const]
  })
  return changes.length > 0 ? { ...content, ...Object.fromEntries(changes) } : content
}

function show(element: HTMLElement): void {
  element.scrollIntoView({ block: 'center' })
  element.focus({ preventScroll: true })
}

/**
 * Brings a field into view and puts the cursor there, as soon as it is drawn: what draws the form may still be on its way.
 * @returns gives it up
 */
export function goTo(elementId: string): () => void {
  const element = document.getElementById(elementId)
  if (element) show(element)
  const watch = new MutationObserver(() => {
    const drawn = document.getElementById(elementId)
    if (!drawn) return
    watch.disconnect()
    show(drawn)
  })
  if (!element) watch.observe(document.body, { childList: true, subtree: true })
  return () => watch.disconnect()
}
