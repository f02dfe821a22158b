import { Button, Form, Input, Modal, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { ReasonDialog } from '../../../../screens/parts/ReasonDialog.tsx'
import { useFormDraft } from '../../../../screens/use-form-draft.ts'
import { cancelRun, continueRun, endRun, type RunDetail, retryRun, setVariable, urge } from '../../contract.ts'
import { useFlowAct } from '../acts.ts'
import { ActDialog } from './ActDialog.tsx'

/** A text as the value of a variable: numbers and truth as such. */
function typedValue(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
}

function VariableDialog({ run, onClose }: { run: RunDetail; onClose: () => void }): ReactNode {
  const t = useT()
  const set = useFlowAct(setVariable)
  const [form] = Form.useForm<{ name: string; value?: string }>()
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const draft = useFormDraft({ antd: form, form: 'flow/variable', rowId: run.processInstanceId })
  const done = (): void => {
    draft.saved()
    onClose()
  }
  const must = (text: string) => [{ required: true, message: t(text) }]
  return (
    <Modal
      open
      title={t('修改变量')}
      okText={t('保存')}
      cancelText={t('取消')}
      confirmLoading={set.isPending}
      onOk={form.submit}
      onCancel={onClose}
      width={420}
    >
      {draft.bar}
      <Form
        name={name}
        form={form}
        layout="vertical"
        onValuesChange={draft.onValuesChange}
        onFinish={({ name, value = '' }) =>
          set.mutate({ processInstanceId: run.processInstanceId, name, value: typedValue(value) }, { onSuccess: done })
        }
      >
        <Form.Item name="name" label={t('变量名')} rules={must('请输入变量名')}>
          <Input maxLength={64} />
        </Form.Item>
        <Form.Item name="value" label={t('值')}>
          <Input maxLength={500} />
        </Form.Item>
      </Form>
    </Modal>
  )
}

/** A manager gives one of the open tasks to somebody else. */
function Reassign({ run, onClose }: { run: RunDetail; onClose: () => void }): ReactNode {
  const t = useT()
  const [taskId, choose] = useState(run.open.length === 1 ? run.open[0]?.taskId : undefined)
  if (taskId) return <ActDialog act="transfer" taskId={taskId} onClose={onClose} />
  return (
    <Modal open title={t('转办')} footer={null} onCancel={onClose} width={420}>
      <Select
        aria-label={t('待办任务')}
        style={{ width: '100%' }}
        placeholder={t('请选择任务')}
        options={run.open.map(one => ({
          value: one.taskId,
          label: [t(one.taskName), one.assigneeName].filter(Boolean).join(' · '),
        }))}
        onChange={choose}
      />
    </Modal>
  )
}

/** How a reason is asked for. */
const asked = { danger: true, placeholder: '请输入原因', label: '原因', maxLength: 500 } as const

/** What can be done with a process as a whole, as far as the server lets the caller. */
export function RunButtons({ run }: { run: RunDetail }): ReactNode {
  const t = useT()
  const [opened, open] = useState<'variable' | 'transfer' | 'cancel' | 'end'>()
  const close = (): void => open(undefined)
  const cancel = useFlowAct(cancelRun)
  const end = useFlowAct(endRun)
  const push = useFlowAct(urge)
  const retry = useFlowAct(retryRun)
  const goOn = useFlowAct(continueRun)
  const { processInstanceId, acts } = run
  const waiting = run.open[0]?.activityId
  return (
    <>
      {acts.includes('urge') && (
        <Button loading={push.isPending} onClick={() => push.mutate({ processInstanceId })}>
          {t('催办')}
        </Button>
      )}
      {acts.includes('cancel') && (
        <Button danger onClick={() => open('cancel')}>
          {t('撤销流程')}
        </Button>
      )}
      {acts.includes('retry') && (
        <Button type="primary" loading={retry.isPending} onClick={() => retry.mutate({ processInstanceId })}>
          {t('重试')}
        </Button>
      )}
      {acts.includes('transfer') && run.open.length > 0 && (
        <Button onClick={() => open('transfer')}>{t('转办')}</Button>
      )}
      {acts.includes('variable') && <Button onClick={() => open('variable')}>{t('修改变量')}</Button>}
      {acts.includes('continue') && waiting && (
        <Button loading={goOn.isPending} onClick={() => goOn.mutate({ processInstanceId, activityId: waiting })}>
          {t('继续流程')}
        </Button>
      )}
      {acts.includes('end') && (
        <Button danger onClick={() => open('end')}>
          {t('终止')}
        </Button>
      )}
      {opened === 'cancel' && (
        <ReasonDialog
          {...asked}
          title={t('撤销后不能恢复，确定撤销?')}
          okText={t('撤销流程')}
          kept={{ form: 'flow/cancel', rowId: processInstanceId }}
          busy={cancel.isPending}
          run={reason => cancel.mutateAsync({ processInstanceId, reason })}
          onClose={close}
        />
      )}
      {opened === 'end' && (
        <ReasonDialog
          {...asked}
          title={t('终止后不能恢复，确定终止{{name}}?', { name: t(run.processDefinitionName) })}
          okText={t('终止')}
          kept={{ form: 'flow/end', rowId: processInstanceId }}
          busy={end.isPending}
          run={deleteReason => end.mutateAsync({ processInstanceId, deleteReason })}
          onClose={close}
        />
      )}
      {opened === 'variable' && <VariableDialog run={run} onClose={close} />}
      {opened === 'transfer' && <Reassign run={run} onClose={close} />}
    </>
  )
}
