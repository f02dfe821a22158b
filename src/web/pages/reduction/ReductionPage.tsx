import { Alert, Empty, Flex } from 'antd'
import { useState } from 'react'
import { PageSkeleton } from '../../chrome/PageSkeleton.tsx'
import { useT } from '../../i18n.ts'
import { ExamPicker, useExam } from '../ExamPicker.tsx'
import { useRead } from '../use-call.ts'
import { PlanActions } from './PlanActions.tsx'
import { PlanFacts } from './PlanFacts.tsx'
import { PlanTable } from './PlanTable.tsx'
import { base, type Edit, type Reduction } from './types.ts'

function Plan({ examId }: { examId: string }) {
  const t = useT()
  const read = useRead<Reduction>(`${base}/getPostReduction`, { examId })
  const [edits, setEdits] = useState<Readonly<Record<string, Edit>>>({})
  if (read.isPending) return <PageSkeleton />
  if (!read.data) return <Alert type="error" showIcon title={read.error?.message ?? t('没有取到数据')} />
  const plan = read.data
  const edit = (code: string, change: Edit) =>
    setEdits(current => ({ ...current, [code]: { ...current[code], ...change } }))
  return (
    <Flex vertical gap={16}>
      <PlanFacts plan={plan} />
      <PlanActions plan={plan} edits={edits} onEdits={setEdits} />
      <PlanTable plan={plan} edits={edits} onEdit={edit} />
    </Flex>
  )
}

/** The positions of an exam with too few candidates: counted, decided, and confirmed by a second person. */
export default function ReductionPage() {
  const t = useT()
  const chosen = useExam()
  const { examId, isPending } = chosen
  return (
    <Flex vertical gap={16}>
      <ExamPicker chosen={chosen} />
      {examId && <Plan key={examId} examId={examId} />}
      {isPending && <PageSkeleton />}
      {!examId && !isPending && <Empty description={t('请先选择考试')} style={{ paddingBlock: 80 }} />}
    </Flex>
  )
}
