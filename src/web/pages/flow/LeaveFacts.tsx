import { Button, Card, Descriptions, Empty } from 'antd'
import { type ReactNode, useState } from 'react'
import { PageSkeleton } from '../../chrome/PageSkeleton.tsx'
import { useT } from '../../i18n.ts'
import { useRead } from '../use-call.ts'
import { DiagramDialog, StepList } from './DiagramDialog.tsx'
import './flow.css'
import { type Leave, leavePath } from './leave.ts'

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

/**
 * A leave with its steps and its diagram.
 * @param children what can be done with it, below its facts
 */
export function LeaveFacts(props: {
  title: string
  businessId: string
  processInstanceId: string
  children?: (leave: Leave) => ReactNode
}): ReactNode {
  const { title, businessId, processInstanceId, children } = props
  const t = useT()
  const [shown, show] = useState(false)
  const leave = useRead<Leave>(`${leavePath}/detail`, { businessId })
  if (leave.isPending) return <PageSkeleton />
  if (!leave.data) return <Empty description={leave.error?.message ?? t('没有取到数据')} />
  const flow = leave.data.flow || []
  return (
    <div className="leave-page">
      <h1>{t(title)}</h1>
      <Card>
        <Facts of={leave.data} />
        {flow.length > 0 && <StepList of={flow} />}
        <Button onClick={() => show(true)} style={{ marginTop: 12 }}>
          {t('流程图')}
        </Button>
      </Card>
      {children?.(leave.data)}
      {shown && <DiagramDialog of={{ processInstanceId }} onClose={() => show(false)} />}
    </div>
  )
}
