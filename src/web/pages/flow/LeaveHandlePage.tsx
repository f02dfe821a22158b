import { Alert, Button, Card, Form, Input, Space } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { useT } from '../../i18n.ts'
import { useSession } from '../../providers/use-session.ts'
import { useAct } from '../use-call.ts'
import { LeaveFacts } from './LeaveFacts.tsx'
import type { Leave } from './leave.ts'

interface Task {
  taskId: string
  processInstanceId: string
  businessId: string
}

/** Agreeing or refusing, for whoever the leave was given to and nobody else. */
function Decision({ task, leave }: { task: Task; leave: Leave }): ReactNode {
  const t = useT()
  const go = useNavigate()
  const person = useSession()
  const [form] = Form.useForm<{ comment?: string }>()
  const complete = useAct('/blade-flow/work/complete-task', { stale: ['/blade-flow/work/todo-list'] })
  if (person?.user_id !== leave.taskUser) return <Alert type="info" showIcon title={t('这个任务由审批人办理')} />
  const decide = async (pass: boolean): Promise<void> => {
    const comment = String(form.getFieldValue('comment') ?? '').trim()
    if (!pass && !comment) return form.setFields([{ name: 'comment', errors: [t('请输入批复意见')] }])
    complete.mutate({ ...task, pass, comment }, { onSuccess: () => void go('/work/todo') })
  }
  return (
    <Card>
      <Form form={form} layout="vertical">
        <Form.Item name="comment" label={t('批复意见')}>
          <Input.TextArea rows={3} maxLength={500} showCount />
        </Form.Item>
        {complete.error && <Alert type="error" showIcon title={complete.error.message} style={{ marginBottom: 16 }} />}
        <Space>
          <Button type="primary" loading={complete.isPending} onClick={() => void decide(true)}>
            {t('同意')}
          </Button>
          <Button danger disabled={complete.isPending} onClick={() => void decide(false)}>
            {t('驳回')}
          </Button>
        </Space>
      </Form>
    </Card>
  )
}

/** A leave that waits for a decision. */
export default function LeaveHandlePage(): ReactNode {
  const { taskId = '', processInstanceId = '', businessId = '' } = useParams()
  return (
    <LeaveFacts title="请假审批" {...{ businessId, processInstanceId }}>
      {leave => <Decision task={{ taskId, processInstanceId, businessId }} leave={leave} />}
    </LeaveFacts>
  )
}
