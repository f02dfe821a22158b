import { Flex, Select, Typography } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../screens/use-kept-values.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, type ChosenExam, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import { type ReducibleExam, reducibleExams, reductionPlan } from '../contract.ts'
import { PlanActions } from './PlanActions.tsx'
import { PlanFacts } from './PlanFacts.tsx'
import { PlanTable } from './PlanTable.tsx'
import type { Edit } from './plan-edits.ts'

type Edits = Readonly<Record<string, Edit>>
const none: Edits = {}

function Plan({ examId }: { examId: string }) {
  const read = useEndpoint(reductionPlan, { examId })
  const { values: edits, put: setEdits, draft } = useKeptValues<Edits>(none, { form: 'reduction/plan', rowId: examId })
  if (read.isPending) return <PageSkeleton />
  if (!read.data) return <NoAnswer error={read.error} />
  const plan = read.data
  const edit = (code: string, change: Edit) => setEdits({ ...edits, [code]: { ...edits[code], ...change } })
  return (
    <Flex vertical gap={16}>
      <PlanFacts plan={plan} />
      {draft.bar}
      <PlanActions plan={plan} edits={edits} onEdits={setEdits} />
      <PlanTable plan={plan} edits={edits} onEdit={edit} />
    </Flex>
  )
}

/** Chooses the exam: those whose reduction can be worked on stand first, the others say why theirs cannot. */
function PlanExam({ chosen, exams }: { chosen: ChosenExam; exams: readonly ReducibleExam[] }) {
  const t = useT()
  return (
    <Select
      style={{ width: 480, maxWidth: '100%' }}
      aria-label={t('考试')}
      placeholder={t('请选择考试')}
      showSearch={{ optionFilterProp: 'label' }}
      value={exams.some(one => one.examId === chosen.examId) ? chosen.examId : undefined}
      onChange={examId => chosen.choose({ examId })}
      options={exams.map(one => ({ value: one.examId, label: one.examName, block: one.block }))}
      optionRender={({ data }) => (
        <Flex vertical>
          <span>{data.label}</span>
          {data.block && (
            <Typography.Text type="secondary" style={{ whiteSpace: 'normal' }}>
              {data.block}
            </Typography.Text>
          )}
        </Flex>
      )}
    />
  )
}

/** The positions of an exam with too few candidates: counted, decided, and confirmed by a second person. */
export default function ReductionPage() {
  const exams = useEndpoint(reducibleExams, {})
  const chosen = useExam({ examId: exams.data?.[0]?.examId ?? '', isPending: exams.isPending })
  const { examId, isPending } = chosen
  return (
    <Flex vertical gap={16}>
      {!chosen.isFixed && <PlanExam chosen={chosen} exams={exams.data ?? []} />}
      {examId && <Plan key={examId} examId={examId} />}
      {isPending && <PageSkeleton />}
      {!examId && <ChooseExam chosen={{ ...chosen, error: exams.error }} />}
    </Flex>
  )
}
