import { Alert, Button, Card, Descriptions } from 'antd'
import { type ReactNode, useState } from 'react'
import { FlowRun } from '#schemas/dictionaries/platform'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type Leave, leaveDetail, runHistory } from '../contract.ts'
import { DiagramDialog } from './DiagramDialog.tsx'
import { StepList } from './StepList.tsx'
import './flow.css'

function Facts({ of }: { of: Leave }): ReactNode {
  const t = useT()
  const items = [
    [t('申请人'), of.createUserName],
    [t('审批人'), of.taskUserName],
    [t('开始时间'), of.startTime],
    [t('结束时间'), of.endTime],
    [t('申请时间'), of.applyTime || '—'],
    [t('请假理由'), of.reason],
  ] as const
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2 }}
      items={items.map(([label, children]) => ({ key: label, label, children }))}
    />
  )
}

/** The end that a process has come to stands in its model, so its name is a text of people. */
function Standing({ of: { status, taskName, endReason } }: { of: Leave['flow'] }): ReactNode {
  const t = useT()
  if (!status) return null
  if (status === FlowRun.terminated)
    return <Alert type="warning" showIcon title={t('已终止：{{reason}}', { reason: endReason ?? '' })} />
  return (
    <p className="leave-standing">
      <DictTag code="flow_run" value={status} /> {taskName && <strong>{t(taskName)}</strong>}
    </p>
  )
}

/** The way a leave has taken. */
function Way({ processInstanceId }: { processInstanceId: string }): ReactNode {
  const t = useT()
  const steps = useEndpoint(runHistory, { processInstanceId })
  if (steps.isError) return <NoAnswer error={steps.error} />
  if (!steps.data) return null
  return (
    <>
      <h2>{t('流转记录')}</h2>
      <StepList of={steps.data} />
    </>
  )
}

/**
 * A leave with its steps and its diagram.
 * @param children what can be done with it, below its facts
 */
export function LeaveFacts(props: {
  businessId: string
  processInstanceId: string
  children?: (leave: Leave) => ReactNode
}): ReactNode {
  const { businessId, processInstanceId, children } = props
  const t = useT()
  const [shown, show] = useState(false)
  const leave = useEndpoint(leaveDetail, { businessId })
  if (leave.isPending) return <PageSkeleton />
  if (!leave.data) return <NoAnswer error={leave.error} />
  return (
    <div className="leave-page">
      <div className="leave-head">
        <Button onClick={() => show(true)}>{t('流程图')}</Button>
      </div>
      <Card>
        <Standing of={leave.data.flow} />
        <Facts of={leave.data} />
      </Card>
      {children?.(leave.data)}
      <Card>
        <Way processInstanceId={processInstanceId} />
      </Card>
      {shown && <DiagramDialog of={{ processInstanceId }} onClose={() => show(false)} />}
    </div>
  )
}
