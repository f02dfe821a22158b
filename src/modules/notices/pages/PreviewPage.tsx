import { Alert, Button, Card, Typography } from 'antd'
import { useNavigate, useParams } from 'react-router-dom'
import { callOf } from '#engine'
import { notice as noticeResource } from '#resources/notices/notice'
import { useT } from '../../../platform/i18n/i18n.ts'
import { SafeHtml } from '../../../screens/fields/SafeHtml.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { noticeFiles } from '../contract.ts'
import { HungFiles } from './HungFiles.tsx'

/** A notice as its readers will see it, before it is out. */
export default function PreviewPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const notice = useEndpoint(callOf(noticeResource, 'detail'), { id })
  const files = useEndpoint(noticeFiles, { noticeId: id })
  const back = <Button onClick={() => go('/notice/list')}>{t('返回列表')}</Button>
  if (notice.isPending) return <PageSkeleton />
  if (!notice.data) return <NoAnswer error={notice.error}>{back}</NoAnswer>
  const { title, content, releaseTime } = notice.data
  return (
    <Card extra={back}>
      <Alert type="info" showIcon title={t('考生看到的样子')} style={{ marginBottom: 16 }} />
      <article style={{ maxWidth: 840, margin: '0 auto' }}>
        <Typography.Title level={2}>{title}</Typography.Title>
        <Typography.Paragraph type="secondary">{releaseTime}</Typography.Paragraph>
        <SafeHtml html={content ?? ''} />
        <HungFiles files={files.data} />
      </article>
    </Card>
  )
}
