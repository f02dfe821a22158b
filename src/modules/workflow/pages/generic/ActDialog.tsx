import { App, Checkbox, Form, Input, Modal, Radio, Select } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { commaList } from '#engine'
import { call } from '../../../../platform/http/browser/call.ts'
import { sentence, useT, useVerb } from '../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { useFormDraft } from '../../../../screens/use-form-draft.ts'
import {
  addSign,
  backTargets,
  backTask,
  delegateTask,
  removeSign,
  resolveTask,
  transferTask,
  withdrawTask,
} from '../../contract.ts'
import { useFresh } from '../acts.ts'
import { staffOnly } from '../staff-only.ts'

/** What can be done with a task besides deciding, and asks for something: their words, in the order of their buttons. */
export const actNames = {
  back: '退回',
  transfer: '转办',
  delegate: '委派',
  resolve: '完成委派',
  signBefore: '前加签',
  signAfter: '后加签',
  signParallel: '并加签',
  removeSign: '减签',
  withdraw: '撤回',
} as const
export type TaskAct = keyof typeof actNames

/** What each means for whoever has never done it. */
const helps: Readonly<Partial<Record<TaskAct, string>>> = {
  transfer: '任务交给他人办理，之后与您无关。',
  delegate: '请他人先提出意见，之后任务回到您这里。',
  signBefore: '您选择的人先办理，之后任务回到您这里。',
  signAfter: '您的办理先生效，您选择的人办理后流程才继续。',
  signParallel: '您选择的人加入会签。',
  withdraw: '收回您刚办理的任务，重新办理。',
}

const signs = { signBefore: 'before', signAfter: 'after', signParallel: 'parallel' } as const
const isSign = (act: TaskAct): act is keyof typeof signs => act in signs

/** What the form holds. */
interface Asked {
  userId?: string
  userIds?: string
  targetActivityId?: string
  direct?: boolean
  pass?: boolean
  comment?: string
}

function send(act: TaskAct, taskId: string, asked: Asked): Promise<unknown> {
  const { userId = '', userIds = '', targetActivityId = '', direct = false, pass = true } = asked
  const comment = asked.comment?.trim()
  const base = { taskId, ...(comment && { comment }) }
  const quiet = { pass: 'all' } as const
  if (isSign(act)) {
    const kind = signs[act]
    return call(addSign, { ...base, userIds: commaList(userIds), kind, ...(kind === 'after' && { pass }) }, quiet)
  }
  switch (act) {
    case 'back':
      return call(backTask, { ...base, targetActivityId, direct, comment: comment ?? '' }, quiet)
    case 'transfer':
      return call(transferTask, { ...base, userId }, quiet)
    case 'delegate':
      return call(delegateTask, { ...base, userId }, quiet)
    case 'resolve':
      return call(resolveTask, base, quiet)
    case 'removeSign':
      return call(removeSign, base, quiet)
    case 'withdraw':
      return call(withdrawTask, base, quiet)
  }
}

/** What an antd form gives its inputs. */
interface Given {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

const Person = ({ id, value, onChange, multiple }: Given & { multiple?: boolean }): ReactNode => (
  <RefSelect
    entity="user"
    params={staffOnly}
    id={id}
    value={value}
    onChange={next => onChange?.(next)}
    {...(multiple && { multiple })}
  />
)

function Targets({ taskId }: { taskId: string }): ReactNode {
  const t = useT()
  const { data, isPending } = useEndpoint(backTargets, { taskId })
  const options = (data ?? []).map(({ activityId, name, isStart, assigneeName }) => ({
    value: activityId,
    label: isStart ? t('发起人修改') : [t(name), assigneeName].filter(Boolean).join(' · '),
  }))
  return (
    <>
      <Form.Item
        name="targetActivityId"
        label={t('退回到')}
        rules={[{ required: true, message: t('请选择退回到的步骤') }]}
      >
        <Select
          loading={isPending}
          options={options}
          placeholder={t('请选择')}
          notFoundContent={t('没有可以退回的步骤')}
        />
      </Form.Item>
      <Form.Item name="direct" valuePropName="checked">
        <Checkbox>{t('重新办理后直接送回给我')}</Checkbox>
      </Form.Item>
    </>
  )
}

const begins = { pass: true }

interface Props {
  act: TaskAct
  taskId: string
  onClose: () => void
  /** Called when it has been done, before the page is read again. */
  onDone?: () => void
}

/** Asks for what an act needs and does it. What was typed stays when it is refused. */
export function ActDialog({ act, taskId, onClose, onDone }: Props): ReactNode {
  const t = useT()
  const verb = useVerb()
  const refresh = useFresh()
  const { message } = App.useApp()
  const [form] = Form.useForm<Asked>()
  // Forms behind it, and of other tabs, stay in the document.
  const formName = useId()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const draft = useFormDraft({ antd: form, form: `work/${act}`, rowId: taskId, begins })
  const run = async (asked: Asked): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await send(act, taskId, asked)
      draft.saved()
      message.success(t('操作成功!'))
      onClose()
      onDone?.()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setBusy(false)
    }
    refresh()
  }
  const must = (text: string) => [{ required: true, message: t(text) }]
  const name = verb(actNames[act])
  const help = helps[act]
  return (
    <Modal
      open
      title={name}
      okText={name}
      cancelText={t('取消')}
      confirmLoading={busy}
      onOk={form.submit}
      onCancel={onClose}
      width={480}
    >
      {help && <p>{t(help)}</p>}
      {draft.bar}
      <Form
        name={formName}
        form={form}
        layout="vertical"
        onFinish={asked => void run(asked)}
        initialValues={begins}
        onValuesChange={draft.onValuesChange}
      >
        {act === 'back' && <Targets taskId={taskId} />}
        {(act === 'transfer' || act === 'delegate') && (
          <Form.Item name="userId" label={t('人员')} rules={must('请选择人员')}>
            <Person />
          </Form.Item>
        )}
        {isSign(act) && (
          <Form.Item name="userIds" label={t('人员')} rules={must('请选择人员')}>
            <Person multiple />
          </Form.Item>
        )}
        {act === 'signAfter' && (
          <Form.Item name="pass" label={t('您的意见')}>
            <Radio.Group
              options={[
                { value: true, label: t('同意') },
                { value: false, label: t('不同意') },
              ]}
            />
          </Form.Item>
        )}
        <Form.Item name="comment" label={t('批复意见')} rules={act === 'back' ? must('请输入批复意见') : []}>
          <Input.TextArea rows={3} maxLength={500} showCount />
        </Form.Item>
      </Form>
      {problem && (
        <p role="alert" className="flow-wrong">
          {sentence(t(problem))}
        </p>
      )}
    </Modal>
  )
}
