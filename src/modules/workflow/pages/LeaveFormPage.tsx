import { Alert, Button, Card, DatePicker, Form, Input, Space } from 'antd'
import dayjs from 'dayjs'
import { type ReactNode, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import type { ValuesOf } from '#engine'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DATE_TIME } from '../../../screens/fields/DateInputs.tsx'
import { RefSelect } from '../../../screens/fields/RefSelect.tsx'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { SentBefore } from '../../../screens/SentBefore.tsx'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import { useKey } from '../../../screens/use-key.ts'
import { startLeave } from '../contract.ts'
import { useFresh } from './acts.ts'
import { DiagramDialog } from './DiagramDialog.tsx'
import './flow.css'
import { endProblem } from './leave.ts'

type LeaveInput = Omit<ValuesOf<typeof startLeave>, 'processDefinitionId'>

/** What an antd form gives its inputs. */
interface Given {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

/** A time on the wire. */
const Time = ({ id, value, onChange }: Given): ReactNode => (
  <DatePicker
    id={id}
    showTime
    style={{ width: '100%' }}
    value={value ? dayjs(value) : null}
    onChange={next => onChange?.(next ? next.format(DATE_TIME) : undefined)}
  />
)

/** Who decides. */
const Decider = ({ id, value, onChange }: Given): ReactNode => (
  <RefSelect entity="user" id={id} value={value} onChange={(next: string | undefined) => onChange?.(next)} />
)

function Fields(): ReactNode {
  const t = useT()
  const must = (message: string) => [{ required: true, message: t(message) }]
  return (
    <>
      <Form.Item name="startTime" label={t('开始时间')} rules={must('请选择开始时间')}>
        <Time />
      </Form.Item>
      <Form.Item
        name="endTime"
        label={t('结束时间')}
        dependencies={['startTime']}
        rules={[
          ...must('请选择结束时间'),
          ({ getFieldValue }) => ({
            validator: async (_, end?: string) => {
              const problem = endProblem(String(getFieldValue('startTime') ?? ''), end ?? '')
              if (problem) throw new Error(t(problem))
            },
          }),
        ]}
      >
        <Time />
      </Form.Item>
      <Form.Item name="reason" label={t('请假理由')} rules={must('请输入请假理由')}>
        <Input.TextArea rows={4} maxLength={255} showCount />
      </Form.Item>
      <Form.Item name="taskUser" label={t('审批人')} rules={must('请选择审批人')}>
        <Decider />
      </Form.Item>
    </>
  )
}

/** Begins a leave: from when to when, why, and who decides. */
export default function LeaveFormPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { processDefinitionId = '' } = useParams()
  const [shown, show] = useState(false)
  const [form] = Form.useForm<LeaveInput>()
  const refresh = useFresh()
  const key = useKey()
  const [isSentBefore, setSentBefore] = useState(false)
  const start = useSend(startLeave, { key })
  const draft = useFormDraft({ antd: form, form: 'leave/start', key })
  const leave = (): void => {
    draft.saved()
    // The tab stays; what was sent must not be sent again from it.
    form.resetFields()
    refresh()
    void go('/work/send')
  }
  // A refusal is shown below too, because what was typed stays and nothing else happens.
  const send = (values: LeaveInput): void =>
    start.mutate(
      { ...values, processDefinitionId },
      { onSuccess: leave, onError: error => setSentBefore(key.failed(error)) },
    )
  const again = (): void => {
    key.renew()
    setSentBefore(false)
    form.submit()
  }
  return (
    <div className="leave-page">
      <Card>
        {draft.bar}
        <Form<LeaveInput> form={form} layout="vertical" onValuesChange={draft.onValuesChange} onFinish={send}>
          <Fields />
          {isSentBefore && <SentBefore again="再提交一次" onAgain={again} />}
          {start.error && <Alert type="error" showIcon title={start.error.message} style={{ marginBottom: 16 }} />}
          <Space>
            <Button type="primary" htmlType="submit" loading={start.isPending}>
              {t('提交')}
            </Button>
            <Button onClick={() => show(true)}>{t('流程图')}</Button>
            <Button onClick={() => void go('/work/start')}>{t('取消')}</Button>
          </Space>
        </Form>
      </Card>
      {shown && <DiagramDialog of={{ processDefinitionId }} onClose={() => show(false)} />}
    </div>
  )
}
