import { Button, Flex, Modal, Typography } from 'antd'
import { callOf } from '#engine'
import { jobInfo } from '#resources/jobs/job-info'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { jobSides, syncJobs } from '../contract.ts'

interface Props {
  id: string
  onClose: () => void
  /** Called when one side was chosen. */
  onDone: () => void
}

/** Both sides of a job that was changed on both, field by field; one of them is chosen. */
export function ConflictDialog({ id, onClose, onDone }: Props) {
  const t = useT()
  const sides = useEndpoint(jobSides, { id })
  const choose = useSend(syncJobs, { stale: [jobSides, callOf(jobInfo, 'page')] })
  const take = (prefer: 'local' | 'remote') => choose.mutateAsync({ ids: id, prefer }).then(onDone, () => undefined)
  const buttons = (
    <Flex gap={8} justify="end" wrap>
      <Button onClick={onClose}>{t('取消')}</Button>
      <Button disabled={!sides.data} loading={choose.isPending} onClick={() => take('remote')}>
        {t('以对方为准')}
      </Button>
      <Button type="primary" disabled={!sides.data} loading={choose.isPending} onClick={() => take('local')}>
        {t('以本地为准')}
      </Button>
    </Flex>
  )
  return (
    <Modal
      open
      width={760}
      title={[t('处理冲突'), sides.data?.jobName].filter(Boolean).join(' · ')}
      footer={buttons}
      onCancel={onClose}
    >
      {sides.isPending && <PageSkeleton />}
      {sides.error && <NoAnswer error={sides.error} />}
      {sides.data && (
        <WideTable
          label={t('两边的内容')}
          size="small"
          rowKey="title"
          pagination={false}
          width="max-content"
          height={420}
          dataSource={[...sides.data.fields]}
          columns={[
            { key: 'title', title: t('字段'), width: 140, render: (_, row) => t(row.title) },
            ...(['local', 'remote'] as const).map(side => ({
              key: side,
              title: side === 'local' ? t('本地') : t('对方'),
              width: 260,
              render: (_: unknown, row: (typeof sides.data.fields)[number]) => (
                <Typography.Text strong={!row.isSame} type={row.isSame ? 'secondary' : 'danger'}>
                  {t(row[side])}
                </Typography.Text>
              ),
            })),
          ]}
        />
      )}
    </Modal>
  )
}
