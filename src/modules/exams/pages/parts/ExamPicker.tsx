import { Empty, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { useRefOptions } from '../../../../screens/fields/ref-options.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useLastPlace } from '../../../../screens/workspace/current.ts'
import { usePlaceRow } from '../../../../screens/workspace/place.ts'

/** What a page begins with where the newest exam is not the one to begin with. */
interface Preset {
  examId: string
  isPending: boolean
}

/**
 * The exam and the stage a page is about: that of the workspace it stands in, one named in the address, the one last worked on, or the newest.
 * @param preset another exam to begin with
 */
export function useExam(preset?: Preset) {
  const [params, setParams] = useSearchParams()
  const here = usePlaceRow('examination')
  const given = here ?? params.get('examId') ?? ''
  const { data = [], isPending, error } = useRefOptions('examination', { enabled: given === '' && !preset })
  const [worked] = useLastPlace('examination')
  const last = data.find(one => one.value === worked) ?? data[0]
  const examId = given || (preset ? preset.examId : (last?.value ?? ''))
  return {
    examId,
    /** It stands in the workspace of the exam, where no other can be chosen. */
    isFixed: here !== undefined,
    /** True while it is not known yet whether there is an exam at all. */
    isPending: given === '' && (preset ? preset.isPending : isPending),
    /** Why the exams to choose from could not be had. */
    error: given === '' && !preset ? error : null,
    itemId: params.get('itemId') ?? '',
    choose: (values: { examId?: string; itemId?: string }) =>
      setParams(
        Object.fromEntries(
          Object.entries({ examId: here ? undefined : examId, ...values }).filter(([, value]) => value),
        ) as Record<string, string>,
        { replace: true },
      ),
  }
}

/** What {@link useExam} answers. */
export type ChosenExam = ReturnType<typeof useExam>

/** What stands where no exam is chosen: that one is to be, or why there is none to choose. */
export function ChooseExam({ chosen }: { chosen: Pick<ChosenExam, 'isPending' | 'error'> }): ReactNode {
  const t = useT()
  if (chosen.isPending) return null
  if (chosen.error) return <NoAnswer error={chosen.error} />
  return <Empty description={t('请先选择考试')} style={{ paddingBlock: 80 }} />
}

interface Stage {
  itemId: string
  itemName: string
}

/** Chooses the exam of a page, and its stage where there are several. `children` stand behind. */
export function ExamPicker({
  chosen,
  stages = [],
  itemId,
  children,
}: {
  chosen: ChosenExam
  stages?: readonly Stage[]
  itemId?: string
  children?: ReactNode
}) {
  const t = useT()
  return (
    <div
      className="exam-picker"
      style={{ display: 'flex', flexWrap: 'wrap', gap: 12, alignItems: 'center', maxWidth: '100%' }}
    >
      {!chosen.isFixed && (
        <div style={{ width: 360, maxWidth: '100%' }}>
          <RefSelect
            entity="examination"
            name={t('考试')}
            value={chosen.examId || undefined}
            onChange={value => chosen.choose({ examId: value ?? '', itemId: '' })}
          />
        </div>
      )}
      {stages.length > 1 && (
        <Segmented
          value={itemId}
          onChange={value => chosen.choose({ itemId: String(value) })}
          options={stages.map(one => ({ value: one.itemId, label: one.itemName }))}
        />
      )}
      {children}
    </div>
  )
}
