import { Button, Flex, Modal, Typography } from 'antd'
import { type AnswerOf, callOf } from '#engine'
import { jobInfo } from '#resources/jobs/job-info'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { jobSides, syncJobs } from '../contract.ts'
import './conflict.css'

interface Props {
  id: string
  onClose: () => void
  /** Called when one side was chosen. */
  onDone: () => void
}

type Field = AnswerOf<typeof jobSides>['fields'][number]

/** What differs between the two sides; of what is the same only how much there is. */
function Sides({ fields }: { fields: readonly Field[] }) {
  const t = useT()
  const differing = fields.filter(field => !field.isSame)
  return (
    <>
      <table className="job-sides">
        <caption className="heard-only">{t('两边的内容')}</caption>
        <thead>
          <tr>
            {['字段', '本地', '对方'].map(title => (
              <th key={title} scope="col">
                {t(title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {differing.map(({ title, local, remote }) => (
            <tr key={title}>
              <th scope="row">{t(title)}</th>
              <td>{local ? t(local) : '—'}</td>
              <td>{remote ? t(remote) : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Typography.Paragraph type="secondary">
        {t('其余{{n}}个字段相同', { n: fields.length - differing.length })}
      </Typography.Paragraph>
    </>
  )
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
      {sides.data && <Sides fields={sides.data.fields} />}
    </Modal>
  )
}
