import { Alert, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { type AnswerOf, callOf } from '#engine'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { dropDraft, readDraft } from './draft.ts'
import { type Beginning, ModelerScreen } from './ModelerScreen.tsx'
import { newModel } from './new-model.ts'

const detail = callOf(flowDeployment, 'detail')
type Model = AnswerOf<typeof detail>

/** The id in the address of a model that has not been saved yet. */
const NEW = 'new'

const randomKey = (): string => `process_${crypto.randomUUID().slice(0, 8)}`

/** A drawing on the page: that of this device where there is one, else the model as it was saved. */
function Modeler({ modelId, model }: { modelId: string; model: Model | undefined }): ReactNode {
  const t = useT()
  const [draft, setDraft] = useState(() => readDraft(modelId))
  const [round, setRound] = useState(0)
  const base = model?.updateTime ?? ''
  const [saved] = useState<Beginning>(() => ({
    xml: model?.xml || newModel(randomKey(), t('新流程'), t('发起')),
    category: String(model?.category ?? ''),
    base,
  }))
  const discard = (): void => {
    dropDraft(modelId)
    setDraft(undefined)
    setRound(round + 1)
  }
  const isOutdated = draft !== undefined && draft.base !== base
  return (
    <>
      {draft && (
        <Alert
          type={isOutdated ? 'warning' : 'info'}
          showIcon
          closable
          title={t(
            isOutdated
              ? '已恢复您上次没有保存的内容，但模型之后被人修改过，保存会覆盖那些修改。'
              : '已恢复您上次没有保存的内容。',
          )}
          action={
            <Button size="small" onClick={discard}>
              {t('放弃，用已保存的')}
            </Button>
          }
        />
      )}
      <ModelerScreen
        key={round}
        modelId={modelId}
        isNew={modelId === NEW}
        beginning={draft ?? saved}
        base={base}
        isDirty={draft !== undefined}
      />
    </>
  )
}

/** Draws the model of a process. */
export default function ModelerPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { modelId = NEW } = useParams()
  const isNew = modelId === NEW
  const found = useEndpoint(detail, { id: modelId }, { enabled: !isNew })
  const back = <Button onClick={() => void go('/flow/model')}>{t('返回')}</Button>
  if (found.isError) return <NoAnswer error={found.error}>{back}</NoAnswer>
  if (!isNew && !found.data) return <PageSkeleton />
  return (
    <div className="modeler-page">
      <Modeler modelId={modelId} model={found.data} />
    </div>
  )
}
