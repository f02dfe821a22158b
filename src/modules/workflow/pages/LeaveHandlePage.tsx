import { Alert, Button, Card, Form, Input, Space } from 'antd'
import { type ReactNode, useId } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import type { ValuesOf } from '#engine'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useSession } from '../../../screens/providers/use-session.ts'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import { completeTask, type Leave } from '../contract.ts'
import { useFresh } from './acts.ts'
import { LeaveFacts } from './LeaveFacts.tsx'

type Task = Pick<ValuesOf<typeof completeTask>, 'taskId' | 'processInstanceId' | 'businessId'>

/** Agreeing or refusing. */
function Decision({ task }: { task: Task }): ReactNode {
  const t = useT()
  const go = useNavigate()
  const refresh = useFresh()
  const [form] = Form.useForm<{ comment?: string }>()
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const complete = useSend(completeTask)
  const draft = useFormDraft({ antd: form, form: 'work/decide', rowId: task.taskId })
  const decide = async (pass: boolean): Promise<void> => {
    const comment = String(form.getFieldValue('comment') ?? '').trim()
    if (!pass && !comment) return form.setFields([{ name: 'comment', errors: [t('请输入批复意见')] }])
    const leave = (): void => {
      draft.saved()
      refresh()
      void go('/work/todo')
    }
    complete.mutate({ ...task, businessTable: 'leave', pass, comment }, { onSuccess: leave, onError: refresh })
  }
  return (
    <Card>
      {draft.bar}
      <Form name={name} form={form} layout="vertical" onValuesChange={draft.onValuesChange}>
        <Form.Item name="comment" label={t('批复意见')}>
          <Input.TextArea rows={3} maxLength={500} showCount />
        </Form.Item>
        {complete.error && <Alert type="error" showIcon title={complete.error.message} style={{ marginBottom: 16 }} />}
        <Space>
          <Button type="primary" loading={complete.isPending} onClick={() => void decide(true)}>
            {t('同意')}
          </Button>
          <Button danger disabled={complete.isPending} onClick={() => void decide(false)}>
            {t('不同意')}
          </Button>
        </Space>
      </Form>
    </Card>
  )
}

/** The decision for whoever the task waits for; for everybody else the reason why there is none. */
function Handling({ task, flow }: { task: Task; flow: Leave['flow'] }): ReactNode {
  const t = useT()
  const person = useSession()
  if (flow.taskId !== task.taskId) return <Alert type="info" showIcon title={t('这个任务已经办理')} />
  if (flow.assignee && flow.assignee === person?.user_id) return <Decision task={task} />
  const name = flow.assigneeName
  return <Alert type="info" showIcon title={name ? t('这个任务由{{name}}办理', { name }) : t('这个任务等待签收')} />
}

/** A leave that waits for a decision. */
export default function LeaveHandlePage(): ReactNode {
  const { taskId = '', processInstanceId = '', businessId = '' } = useParams()
  return (
    <LeaveFacts businessId={businessId} processInstanceId={processInstanceId}>
      {leave => <Handling task={{ taskId, processInstanceId, businessId }} flow={leave.flow} />}
    </LeaveFacts>
  )
}
