import { Button, Form, InputNumber, Modal, Select, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { useFormDraft } from '../../../screens/use-form-draft.ts'
import { planReminder, type ReminderPlan, reminderPlans } from '../contract.ts'

interface Values {
  steps: string[]
  most?: number | null
}

/** The most hours before an end. */
const farthest = 720
const isHours = (text: string): boolean => /^\d{1,3}$/.test(text) && Number(text) <= farthest

/** When somebody is reminded, and how often at most. */
export function PlanDialog({
  of,
  examId,
  close,
}: {
  of: ReminderPlan
  examId: string | undefined
  close: () => void
}): ReactNode {
  const t = useT()
  const [form] = Form.useForm<Values>()
  const save = useSend(planReminder, { stale: [reminderPlans] })
  const { code, isOn } = of
  const begins = { steps: of.steps.map(String), most: of.most === '' ? null : of.most }
  const draft = useFormDraft({ antd: form, form: `reminder/${code}`, rowId: examId, begins })
  const done = () => {
    draft.saved()
    close()
  }
  const send = ({ steps, most }: Values) =>
    save.mutate(
      { ...(examId && { examId }), code, isOn, steps: steps.map(Number), ...(most && { most }) },
      { onSuccess: done },
    )
  const restore = () => save.mutate({ ...(examId && { examId }), code, isOn, steps: [] }, { onSuccess: done })
  return (
    <Modal
      open
      title={of.label}
      onCancel={close}
      onOk={() => form.submit()}
      confirmLoading={save.isPending}
      footer={(_, { OkBtn, CancelBtn }) => (
        <>
          {of.isChanged && (
            <Button style={{ float: 'left' }} loading={save.isPending} onClick={restore}>
              {t('恢复预设')}
            </Button>
          )}
          <CancelBtn />
          <OkBtn />
        </>
      )}
    >
      <Typography.Paragraph type="secondary">{of.text}</Typography.Paragraph>
      {draft.bar}
      <Form<Values>
        form={form}
        layout="vertical"
        initialValues={begins}
        onValuesChange={draft.onValuesChange}
        onFinish={send}
      >
        <Form.Item
          name="steps"
          label={t('提前多少小时（从{{before}}往回算）', { before: of.before })}
          rules={[
            { required: true, message: t('请填写提前多少小时') },
            {
              validator: (_, given: string[] = []) =>
                given.every(isHours) ? Promise.resolve() : Promise.reject(new Error(t('请填写 0 到 720 之间的整数'))),
            },
          ]}
        >
          <Select
            mode="tags"
            maxCount={6}
            tokenSeparators={[',', '，', '、', ' ']}
            options={['72', '48', '24', '12', '3', '1'].map(value => ({ value, label: value }))}
          />
        </Form.Item>
        <Form.Item name="most" label={t('每人最多提醒几次（不填则不限）')}>
          <InputNumber min={1} max={9} precision={0} style={{ width: '100%' }} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
