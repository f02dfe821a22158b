import { Button, Card, Flex, Typography } from 'antd'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { callOf } from '#engine'
import { model as modelResource } from '#resources/development/model'
import { useT } from '../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { modelFields, type Prototype, saveModelFields } from '../contract.ts'
import { FieldsTable } from './FieldsTable.tsx'

/** What each column of a model's table becomes; saved as a whole. */
export default function FieldsPage() {
  const t = useT()
  const go = useNavigate()
  const { id = '' } = useParams()
  const model = useEndpoint(callOf(modelResource, 'detail'), { id })
  const list = useEndpoint(modelFields, { modelId: id })
  const save = useSend(saveModelFields, { stale: [modelFields] })
  const [edited, setEdited] = useState<readonly Prototype[] | null>(null)
  const back = () => go('/develop/model')
  if (model.isPending || list.isPending) return <PageSkeleton />
  if (!model.data || !list.data)
    return (
      <NoAnswer error={model.error ?? list.error}>
        <Button onClick={back}>{t('返回列表')}</Button>
      </NoAnswer>
    )
  const rows = edited ?? list.data
  const isNew = rows.some(row => row.id === '')
  const keep = () =>
    save.mutateAsync(rows).then(
      () => setEdited(null),
      () => undefined,
    )
  return (
    <Card
      title={
        <Flex vertical>
          <span>
            {t('字段配置')} · {model.data.modelName}
          </span>
          <Typography.Text type="secondary" style={{ fontWeight: 400 }}>
            {model.data.datasourceIdName} · {model.data.modelTable}
          </Typography.Text>
        </Flex>
      }
      extra={
        <Flex gap={8}>
          <Button onClick={back}>{t('返回')}</Button>
          <Button
            type="primary"
            disabled={rows.length === 0 || (!edited && !isNew)}
            loading={save.isPending}
            onClick={keep}
          >
            {t('保存')}
          </Button>
        </Flex>
      }
    >
      {rows.length === 0 ? (
        <Nothing small picture="magnifier" text={t('数据源中没有这张表，请检查物理表名')} />
      ) : (
        <FieldsTable rows={rows} onChange={setEdited} />
      )}
    </Card>
  )
}
