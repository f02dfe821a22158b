import { type ReactNode, useState } from 'react'
import type { SignFiles } from '#schemas/sign-up/signup-json'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { askedFiles } from '../../../exams/rules/sign-files.ts'
import type { SentFile } from './exam-form.ts'
import { FileSlotCard } from './FileSlotCard.tsx'
import { opinions } from './ItemsStep.tsx'
import type { StepProps } from './step-props.ts'
import { fileProblems, goTo } from './steps.ts'
import { slotId } from './trouble.ts'

const listIn = (files: readonly SignFiles[], code: string): SentFile[] =>
  files.filter(slot => slot.fileCode === code).flatMap(slot => slot.list)

const withList = (files: readonly SignFiles[], fileCode: string, list: readonly SentFile[]): SignFiles[] => [
  ...files.filter(slot => slot.fileCode !== fileCode),
  { fileCode, list: [...list] },
]

/** The photo and the papers. */
export function FilesStep({ form, state, open, trouble, leave }: StepProps): ReactNode {
  const t = useT()
  const { sheet } = state
  const [checked, setChecked] = useState(trouble?.files !== undefined)
  const { unit, type, code } = sheet
  const asked = askedFiles(form.files, sheet.content, { unit, type, code })
  const marked = opinions({ form }, 'file')
  const found = fileProblems(form, sheet).filter(one => asked.some(slot => slot.fileCode === one.fileCode))
  const problemOf = (fileCode: string): string | undefined =>
    checked ? found.find(one => one.fileCode === fileCode)?.msg : undefined
  leave.current = () => {
    // Files of slots that are no longer asked for are not sent: nobody asked for them.
    const kept = state.latest.current.files.filter(slot => asked.some(one => one.fileCode === slot.fileCode))
    if (kept.length < state.latest.current.files.length) state.change({ files: kept })
    setChecked(true)
    const first = found.find(one => open.file(one.fileCode))
    if (first) setTimeout(() => goTo(slotId(first.fileCode)))
    return first === undefined
  }
  const change = (fileCode: string, next: (list: readonly SentFile[]) => readonly SentFile[]): void => {
    const files = state.latest.current.files
    state.change({ files: withList(files, fileCode, next(listIn(files, fileCode))) })
  }
  return (
    <>
      <h1>{t('照片与附件')}</h1>
      {asked.length === 0 && <p className="my-note">{t('本考试不需要上传附件。')}</p>}
      {asked.map(slot => (
        <FileSlotCard
          key={slot.fileCode}
          slot={slot}
          examId={form.exam.examId}
          list={listIn(sheet.files, slot.fileCode)}
          onChange={next => change(slot.fileCode, next)}
          disabled={!open.file(slot.fileCode)}
          problem={problemOf(slot.fileCode)}
          opinion={marked.get(slot.fileCode)}
        />
      ))}
      <p className="my-quiet">{t('附件合计不超过 50 MB')}</p>
    </>
  )
}
