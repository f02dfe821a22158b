import { App, Button, Flex, Result } from 'antd'
import { useNavigate } from 'react-router-dom'
import { AppealStatus, ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { archiveExam, checkArchive } from '../contract.ts'
import { type CheckedExam, CheckPage, examDetail } from './CheckPage.tsx'
import { examList } from './parts/ExamCard.tsx'

/** Where a missing thing is mended. */
const mend: Record<string, (id: string) => string> = {
  closed: () => examList,
  orders: () => '/pay/order',
  refunds: () => '/pay/refund',
  appeals: id => `/result/appeal?examId=${id}&appealStatus=${AppealStatus.pending}`,
  export: id => `/examine/signup?examId=${id}`,
}

/** The exam is archived already. */
function Archived({ exam: { examName } }: { exam: CheckedExam }) {
  const t = useT()
  const go = useNavigate()
  return (
    <Result
      status="success"
      title={t('考试已归档，只能查看')}
      subTitle={examName}
      extra={
        <Button type="primary" onClick={() => go(examList)}>
          {t('返回列表')}
        </Button>
      }
    />
  )
}

function Archive({ exam, isReady }: { exam: CheckedExam; isReady: boolean }) {
  const t = useT()
  const go = useNavigate()
  const { modal } = App.useApp()
  const archive = useSend(archiveExam, { stale: [examDetail, checkArchive] })
  const ask = () =>
    modal.confirm({
      title: t('归档后考试及其全部资料只能查看，不能撤销，确定归档?'),
      okButtonProps: { danger: true },
      onOk: () =>
        archive.mutateAsync({ id: exam.id }).then(
          () => undefined,
          () => undefined,
        ),
    })
  return (
    <Flex gap={12} style={{ marginTop: 16 }} wrap>
      <Button type="primary" danger size="large" disabled={!isReady} loading={archive.isPending} onClick={ask}>
        {t('归档')}
      </Button>
      <Button size="large" onClick={() => go(examList)}>
        {t('返回列表')}
      </Button>
    </Flex>
  )
}

/** The list of what archiving needs, and the archiving itself, which is for good. */
export default function ArchivePage() {
  const t = useT()
  return (
    <CheckPage
      check={checkArchive}
      mend={mend}
      summary={n => (n ? t('还有 {{n}} 项未完成，完成后即可归档。', { n }) : t('检查全部通过，可以归档。'))}
      done={exam => exam.examStatus === ExamStatus.archived && <Archived exam={exam} />}
    >
      {(exam, isReady) => <Archive exam={exam} isReady={isReady} />}
    </CheckPage>
  )
}
