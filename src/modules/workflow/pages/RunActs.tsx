import { App, Button, Input } from 'antd'
import { type ReactNode, useRef } from 'react'
import { FlowRun } from '#schemas/dictionaries/platform'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { claim as claimTask, endRun, retryRun } from '../contract.ts'
import { useFlowAct } from './acts.ts'
import type { FlowRow } from './flow-row.ts'

/** Takes a task that waits for one of several people. */
export function ClaimButton({ row }: { row: FlowRow }): ReactNode {
  const t = useT()
  const can = useCan('work_claim_act')
  const claim = useFlowAct(claimTask)
  const { taskId } = row
  if (!can || !taskId) return null
  return (
    <Button type="link" size="small" loading={claim.isPending} onClick={() => claim.mutate({ taskId })}>
      {t('签收')}
    </Button>
  )
}

/** Ends a run for a reason. */
export function EndButton({ row }: { row: FlowRow }): ReactNode {
  const t = useT()
  const can = useCan('flow_follow_delete')
  const { modal } = App.useApp()
  const reason = useRef('')
  const end = useFlowAct(endRun)
  const { processInstanceId } = row
  if (!can || !processInstanceId || row.status !== FlowRun.running) return null
  const ask = (): void => {
    reason.current = ''
    const asked = modal.confirm({
      title: t('终止后不能恢复，确定终止{{name}}?', { name: t(row.processDefinitionName) }),
      content: (
        <Input.TextArea
          autoFocus
          rows={3}
          maxLength={500}
          placeholder={t('请输入终止原因')}
          aria-label={t('终止原因')}
          onChange={event => {
            reason.current = event.target.value.trim()
            asked.update({ okButtonProps: { danger: true, disabled: !reason.current } })
          }}
        />
      ),
      okText: t('终止'),
      okButtonProps: { danger: true, disabled: true },
      onOk: () => end.mutateAsync({ processInstanceId, deleteReason: reason.current }),
    })
  }
  return (
    <Button type="link" size="small" danger onClick={ask}>
      {t('终止')}
    </Button>
  )
}

/** Tries again what a process could not do by itself. */
export function RetryButton({ row }: { row: FlowRow }): ReactNode {
  const t = useT()
  const can = useCan('flow_follow_delete')
  const retry = useFlowAct(retryRun)
  const { processInstanceId } = row
  if (!can || !processInstanceId || !row.incident) return null
  return (
    <Button type="link" size="small" loading={retry.isPending} onClick={() => retry.mutate({ processInstanceId })}>
      {t('重试')}
    </Button>
  )
}
