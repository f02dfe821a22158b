import { useQueryClient } from '@tanstack/react-query'
import { App, Button, Card, Flex, Result, Typography } from 'antd'
import { Link, Navigate, useParams } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { AppealStatus, ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../platform/i18n/i18n.ts'
import { shortTime } from '../../../screens/fields/short-time.ts'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { archiveExam, archiveExports, checkArchive } from '../contract.ts'
import { type CheckedExam, CheckPage, examDetail } from './CheckPage.tsx'
import { WholeArchive } from './WholeArchive.tsx'

type Export = AnswerOf<typeof archiveExports>['exports'][number]

/** Where a missing thing is mended; what is not exported stands below, with the way to each. */
const mend: Record<string, (id: string) => string> = {
  closed: id => `/exam/${id}`,
  orders: id => `/exam/${id}/orders`,
  refunds: id => `/exam/${id}/refunds`,
  appeals: id => `/exam/${id}/appeals?appealStatus=${AppealStatus.pending}`,
}

/** The list from which an export is made. */
const listOf = ({ business }: Export): string => (business === 'result' ? 'results' : 'signups')

/** The exports that the archive asks for: what is done and what is missing. */
function Exports({ id }: { id: string }) {
  const t = useT()
  const { data } = useEndpoint(archiveExports, { id })
  if (!data) return null
  return (
    <Card title={t('归档需要的导出')}>
      <Typography.Paragraph type="secondary">
        {data.since
          ? t('{{time}} 之后开始的导出才算数：此后资料不再变化。', { time: data.since })
          : t('考试关闭、公示结束之后开始的导出才算数。')}
      </Typography.Paragraph>
      <WideTable<Export>
        label={t('归档需要的导出')}
        rowKey="business"
        size="small"
        pagination={false}
        width="max-content"
        dataSource={data.exports}
        columns={[
          { title: t('资料'), key: 'label', render: (_, one) => t(one.label) },
          { title: t('总条数'), dataIndex: 'total', align: 'right' },
          { title: t('未导出'), dataIndex: 'missing', align: 'right' },
          {
            title: t('最近导出'),
            key: 'last',
            render: (_, { last }) => (last ? `${shortTime(last.time)} ${last.userName}` : t('无')),
          },
          {
            key: 'go',
            render: (_, one) => one.missing > 0 && <Link to={`/exam/${id}/${listOf(one)}`}>{t('去导出')}</Link>,
          },
        ]}
      />
    </Card>
  )
}

/** The exam is archived already. */
function Archived({ exam: { examName } }: { exam: CheckedExam }) {
  const t = useT()
  return <Result status="success" title={t('考试已归档，只能查看')} subTitle={examName} />
}

function Archive({ exam, isReady }: { exam: CheckedExam; isReady: boolean }) {
  const t = useT()
  const client = useQueryClient()
  const { modal } = App.useApp()
  const archive = useSend(archiveExam, { stale: [examDetail, checkArchive] })
  const ask = () =>
    modal.confirm({
      title: t('归档后考试及其全部资料只能查看，不能撤销，确定归档?'),
      okButtonProps: { danger: true },
      onOk: () =>
        archive.mutateAsync({ id: exam.id }).then(
          () => void client.invalidateQueries({ queryKey: ['workspace'] }),
          () => undefined,
        ),
    })
  return (
    <Button type="primary" danger size="large" disabled={!isReady} loading={archive.isPending} onClick={ask}>
      {t('归档')}
    </Button>
  )
}

/** What archiving an exam needs, the exports among it, and the archiving itself, which is for good. */
function ExamArchive({ id }: { id: string }) {
  const t = useT()
  return (
    <Flex vertical gap={16}>
      <CheckPage
        id={id}
        title={t('归档检查')}
        check={checkArchive}
        mend={mend}
        summary={n => (n ? t('还有 {{n}} 项未完成，完成后即可归档。', { n }) : t('检查全部通过，可以归档。'))}
        done={exam => exam.examStatus === ExamStatus.archived && <Archived exam={exam} />}
      >
        {(exam, isReady) => <Archive exam={exam} isReady={isReady} />}
      </CheckPage>
      <Exports id={id} />
      <WholeArchive examId={id} />
    </Flex>
  )
}

/** The archive of one exam, in its workspace. */
export default function ArchivePage() {
  const here = usePlaceRow('examination')
  const { id = '' } = useParams()
  return here === undefined ? <Navigate to={`/exam/${id}/archive`} replace /> : <ExamArchive id={here} />
}
