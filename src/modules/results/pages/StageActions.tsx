import { Alert, App, Button, Flex, Tooltip } from 'antd'
import { lazy, Suspense, useState } from 'react'
import type { Fields } from '#engine'
import { result } from '#resources/results/result'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { useT } from '../../../platform/i18n/i18n.ts'
import { type AnyAction, actionsAt } from '../../../screens/actions.ts'
import { useMay } from '../../../screens/may.ts'
import { askedFields, runAction } from '../../../screens/run-action.ts'
import type { ResultStage } from '../contract.ts'

const AskDialog = lazy(() => import('../../../screens/AskDialog.tsx').then(part => ({ default: part.AskDialog })))

/** Which acts on a stage's results there are now. */
const fits: Record<string, (stage: ResultStage) => boolean> = {
  releaseResult: stage => stage.resultRelease !== ReleaseStatus.released && stage.results > 0 && !stage.changedByMe,
  recallResult: stage =>
    stage.resultRelease === ReleaseStatus.released ||
    stage.early !== '' ||
    (stage.last !== '' && stage.last.time === ''),
  deleteResult: stage => stage.resultRelease !== ReleaseStatus.released && stage.results > 0,
}

/** Why an act cannot be done yet. */
const blockOf = (name: string, { block }: ResultStage): string => (name === 'releaseResult' ? block.release : '')

/** That results are still early, and who has asked for them all the same. */
function Early({ stage: { early, earlyUntil, resultRelease, block } }: { stage: ResultStage }) {
  const t = useT()
  if (resultRelease === ReleaseStatus.released || !earlyUntil || block.release) return null
  return (
    <Alert
      type="warning"
      showIcon
      style={{ flexBasis: '100%' }}
      title={
        early
          ? t('{{name}} 于 {{time}} 提出提前发布成绩：{{reason}}', {
              name: early.userName,
              time: early.time,
              reason: early.reason,
            })
          : t('本项目 {{time}} 才结束，提前发布成绩须填写原因，并由另一人确认', { time: earlyUntil })
      }
    />
  )
}

/** What an act asks beyond the stage, which the page knows. */
const asked = (action: AnyAction): Fields =>
  Object.fromEntries(Object.entries(askedFields(result, action, [])).filter(([name]) => name !== 'itemId'))

/** What can be done with the results of a stage now. */
export function StageActions({
  stage,
  onDone,
  onTake,
}: {
  stage: ResultStage
  onDone: () => void
  onTake: () => void
}) {
  const t = useT()
  const { message, modal } = App.useApp()
  const may = useMay(result)
  const [asking, ask] = useState<AnyAction>()
  const { itemId } = stage
  const run = async (action: AnyAction, values: Record<string, unknown>, key?: string): Promise<void> => {
    const answer = await runAction(result, action, { ids: [], values: { ...values, itemId }, key })
    const said = (answer as { message?: string } | undefined)?.message
    message.success(said || t('操作成功!'))
    onDone()
  }
  const start = (action: AnyAction): void => {
    if (Object.keys(asked(action)).length > 0) ask(action)
    else
      modal.confirm({
        title: t('确定清空本项目未发布的成绩?'),
        okButtonProps: { danger: true },
        onOk: () => run(action, {}).catch(() => undefined),
      })
  }
  const actions = actionsAt(result, 'toolbar').filter(one => may(one.name) && fits[one.name]?.(stage))
  return (
    <Flex wrap gap={8}>
      <Early stage={stage} />
      {stage.block.enter && stage.resultRelease !== ReleaseStatus.released && (
        <Alert type="info" showIcon style={{ flexBasis: '100%' }} title={stage.block.enter} />
      )}
      {may('import') && stage.resultRelease !== ReleaseStatus.released && (
        <Tooltip title={stage.block.enter}>
          <Button type={stage.results ? 'default' : 'primary'} disabled={stage.block.enter !== ''} onClick={onTake}>
            {t('导入成绩')}
          </Button>
        </Tooltip>
      )}
      {actions.map(action => (
        <Tooltip key={action.name} title={blockOf(action.name, stage)}>
          <Button
            type={action.name === 'releaseResult' ? 'primary' : 'default'}
            danger={action.danger}
            disabled={blockOf(action.name, stage) !== ''}
            onClick={() => start(action)}
          >
            {t(action.label)}
          </Button>
        </Tooltip>
      ))}
      <Suspense fallback={null}>
        {asking && (
          <AskDialog
            resource={result}
            action={asking}
            fields={asked(asking)}
            onRun={(values, key) => run(asking, values, key)}
            onClose={() => ask(undefined)}
          />
        )}
      </Suspense>
    </Flex>
  )
}
