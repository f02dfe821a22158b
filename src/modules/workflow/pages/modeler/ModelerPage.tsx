import { Alert, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { type AnswerOf, callOf } from '#engine'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { type Draft, DraftKeeper, readDraft } from './draft.ts'
import { ModelerScreen } from './ModelerScreen.tsx'
import { newModel } from './new-model.ts'

const detail = callOf(flowDeployment, 'detail')
type Model = AnswerOf<typeof detail>

/** The id in the address of a model that has not been saved yet. */
const NEW = 'new'

interface ModelerProps {
  modelId: string
  model: Model | undefined
  /** Begins anew with the model as it was saved last. */
  reload: () => void
}

const randomKey = (): string => `process_${crypto.randomUUID().slice(0, 8)}`

/** A drawing on the page: that of this device where there is one, else the model as it was saved. */
function Modeler({ modelId, model, reload }: ModelerProps): ReactNode {
  const t = useT()
  const [draft] = useState(() => readDraft(modelId))
  const [keeper] = useState(() => new DraftKeeper(modelId))
  const [isTold, tell] = useState(true)
  const [saved] = useState<Draft>(() => ({
    xml: model?.xml || newModel(randomKey(), t('新流程'), t('发起')),
    category: String(model?.category ?? ''),
    version: Number(model?.version ?? 0),
  }))
  const discard = (): void => {
    keeper.drop()
    reload()
  }
  return (
    <>
      {draft && isTold && (
        <Alert
          type="info"
          showIcon
          closable={{ onClose: () => tell(false) }}
          title={t('已恢复您上次没有保存的内容。')}
          action={
            <Button size="small" onClick={discard}>
              {t('放弃，用已保存的')}
            </Button>
          }
        />
      )}
      <ModelerScreen
        modelId={modelId}
        isNew={modelId === NEW}
        beginning={draft ?? saved}
        keeper={keeper}
        isDirty={draft !== undefined}
        isOutdated={draft !== undefined && draft.version !== saved.version}
        onSaved={() => tell(false)}
        onReload={discard}
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
  const found = useEndpoint(detail, { id: modelId }, { enabled: !isNew, pass: 'all' })
  const [round, setRound] = useState(0)
  const reload = async (): Promise<void> => {
    if (!isNew) await found.refetch()
    setRound(round + 1)
  }
  const back = <Button onClick={() => void go('/flow/model')}>{t('返回')}</Button>
  if (found.isError) return <NoAnswer error={found.error}>{back}</NoAnswer>
  // What was read before may have been changed by somebody else since.
  if (!isNew && !(found.data && found.isFetchedAfterMount)) return <PageSkeleton />
  return (
    <div className="modeler-page">
      <Modeler key={`${modelId}-${round}`} modelId={modelId} model={found.data} reload={() => void reload()} />
    </div>
  )
}
