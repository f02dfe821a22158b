import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { FlowRun } from '#schemas/dictionaries/platform'
import { useT } from '../../../platform/i18n/i18n.ts'
import { ReasonDialog } from '../../../screens/parts/ReasonDialog.tsx'
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
  const [isAsking, setAsking] = useState(false)
  const end = useFlowAct(endRun)
  const { processInstanceId } = row
  if (!can || !processInstanceId || row.status !== FlowRun.running) return null
  return (
    <>
      <Button type="link" size="small" danger onClick={() => setAsking(true)}>
        {t('终止')}
      </Button>
      {isAsking && (
        <ReasonDialog
          danger
          title={t('终止后不能恢复，确定终止{{name}}?', { name: t(row.processDefinitionName) })}
          okText={t('终止')}
          placeholder="请输入终止原因"
          label="终止原因"
          maxLength={500}
          kept={{ form: 'flow/end', rowId: processInstanceId }}
          busy={end.isPending}
          run={deleteReason => end.mutateAsync({ processInstanceId, deleteReason })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
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
