import { Alert, Button, Flex, Tabs, Tag } from 'antd'
import { Navigate, useNavigate, useParams } from 'react-router-dom'
import { ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow, useStillPlace } from '../../../../screens/workspace/place.ts'
import { formInfo } from '../../../exams/contract.ts'
import { ExamCard, NoExam } from '../../../exams/pages/parts/ExamCard.tsx'
import { FileRows } from './FileRows.tsx'
import { FormPreview } from './FormPreview.tsx'
import { ItemRows } from './ItemRows.tsx'
import { LibraryPicker } from './LibraryPicker.tsx'

/** The form of one exam, in its workspace. */
export default function FormBuilderPage() {
  const here = usePlaceRow('examination')
  const { id = '' } = useParams()
  return here === undefined ? <Navigate to={`/exam/${id}/form`} replace /> : <FormBuilder id={here} />
}

/** The form of one exam: fields from the library in order, files, and how a candidate will see it. */
function FormBuilder({ id }: { id: string }) {
  const t = useT()
  const go = useNavigate()
  const isFixed = useStillPlace() !== undefined
  const form = useEndpoint(formInfo, { id })
  if (form.isPending) return <PageSkeleton />
  if (!form.data) return <NoExam error={form.error} />
  const { exam, items, files } = form.data
  return (
    <ExamCard
      title={t('报名表')}
      examName={exam.examName}
      extra={<Button onClick={() => go(`/exam/preview/${id}`)}>{t('考试预览')}</Button>}
    >
      {exam.examStatus === ExamStatus.released && (
        <Alert
          type="warning"
          showIcon
          style={{ marginBottom: 12 }}
          title={t('考试已发布：已有人填报的信息项不能删除，只能停用。')}
        />
      )}
      <Tabs
        // What was changed in one of them counts in the others.
        onChange={() => void form.refetch()}
        items={[
          {
            key: 'items',
            label: (
              <span>
                {t('信息项')} <Tag>{items.length}</Tag>
              </span>
            ),
            children: (
              <Flex vertical gap={12}>
                {!isFixed && <LibraryPicker examId={id} present={items.map(item => item.itemCode)} />}
                <ItemRows items={items} isFixed={isFixed} />
              </Flex>
            ),
          },
          {
            key: 'files',
            label: (
              <span>
                {t('附件项')} <Tag>{files.length}</Tag>
              </span>
            ),
            children: <FileRows examId={id} items={items} onRead={() => void form.refetch()} />,
          },
          { key: 'preview', label: t('预览'), children: <FormPreview form={form.data} /> },
        ]}
      />
    </ExamCard>
  )
}
