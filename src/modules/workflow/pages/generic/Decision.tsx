import { Alert, Button, Card, Form, Input, Space } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { commaList, type Resource } from '#engine'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import type { WireRow } from '../../../../screens/fields/props.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { startValues, type Values } from '../../../../screens/form-values.ts'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useDraft } from '../../../../screens/use-draft.tsx'
import { useFormDraft } from '../../../../screens/use-form-draft.ts'
import { useKey } from '../../../../screens/use-key.ts'
import { completeTask, type RunDetail } from '../../contract.ts'
import { useFresh } from '../acts.ts'
import { staffOnly } from '../staff-only.ts'
import { EntityForm } from './EntityForm.tsx'
import { resourceOfForm } from './form-resources.ts'
import { draftFields, OwnFields, startValuesOf, writtenOf } from './OwnFields.tsx'

/** One of the caller's tasks. */
export type Task = RunDetail['tasks'][number]

/** What an antd form gives its inputs. */
interface Given {
  id?: string
  value?: string
  onChange?: (value: string | undefined) => void
}

const People = ({ id, value, onChange }: Given): ReactNode => (
  <RefSelect entity="user" params={staffOnly} multiple id={id} value={value} onChange={next => onChange?.(next)} />
)

interface Asked {
  form?: Record<string, unknown>
  comment?: string
  copies?: string
}

interface Props {
  run: Pick<RunDetail, 'processInstanceId'>
  task: Task
  onDone: () => void
}

function useDeciding({ run, task, onDone }: Props) {
  const refresh = useFresh()
  const complete = useSend(completeTask)
  const decide = (pass: boolean, variables: Record<string, unknown>, asked: Asked, saved: () => void): void => {
    const { comment = '', copies = '' } = asked
    const said = comment.trim()
    const copyUsers = commaList(copies)
    complete.mutate(
      {
        taskId: task.taskId,
        processInstanceId: run.processInstanceId,
        pass,
        ...(said && { comment: said }),
        ...(Object.keys(variables).length > 0 && { variables }),
        ...(copyUsers.length > 0 && { copyUsers }),
      },
      {
        onSuccess: () => {
          saved()
          onDone()
        },
        onError: refresh,
      },
    )
  }
  return { complete, decide }
}

/** Whoever began the process changes what was filled in and sends it on its way again. */
function Correction({ resource, ...props }: Props & { resource: Resource }): ReactNode {
  const { task } = props
  const t = useT()
  const { complete, decide } = useDeciding(props)
  const row = task.form.values as WireRow
  const [start] = useState(() => startValues(resource, row))
  const [values, setValues] = useState(start)
  const change = (next: Values): void => {
    setValues(next)
    draft.changed(next)
  }
  const draft = useDraft({
    form: 'work/correct',
    rowId: task.taskId,
    fields: resource.entity.properties,
    start,
    row,
    key: useKey(),
    onRestore: restored => change({ ...values, ...restored }),
  })
  return (
    <Card>
      {draft.bar}
      <EntityForm
        resource={resource}
        row={row}
        values={values}
        onChange={change}
        disabled={complete.isPending}
        error={complete.error}
        onSubmit={body => decide(true, body, {}, draft.saved)}
      >
        {complete.error && (
          <Alert type="error" showIcon title={sentence(t(complete.error.message))} className="flow-problem" />
        )}
        <Button type="primary" htmlType="submit" loading={complete.isPending}>
          {t('提交')}
        </Button>
      </EntityForm>
    </Card>
  )
}

/** Agreeing or refusing, with fields of the model's own. */
function Verdict(props: Props): ReactNode {
  const { task } = props
  const t = useT()
  const [form] = Form.useForm<Asked>()
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const [missing, setMissing] = useState(false)
  const { complete, decide } = useDeciding(props)
  const begins = { form: startValuesOf(task.form) }
  const draft = useFormDraft({
    antd: form,
    form: 'work/decide',
    rowId: task.taskId,
    fields: draftFields(task.form.fields),
    begins,
  })
  const agree = (asked: Asked): void => decide(true, writtenOf(task.form.fields, asked.form ?? {}), asked, draft.saved)
  const refuse = (): void => {
    const asked = form.getFieldsValue()
    const isSilent = !asked.comment?.trim()
    setMissing(isSilent)
    if (!isSilent) decide(false, writtenOf(task.form.fields, asked.form ?? {}), asked, draft.saved)
  }
  return (
    <Card>
      {task.documentation && <Alert type="info" showIcon title={task.documentation} className="flow-problem" />}
      {draft.bar}
      <Form
        name={name}
        form={form}
        layout="vertical"
        disabled={complete.isPending}
        initialValues={begins}
        onValuesChange={draft.onValuesChange}
        onFinish={agree}
      >
        <OwnFields fields={task.form.fields} />
        <Form.Item
          name="comment"
          label={t('批复意见')}
          {...(missing && { validateStatus: 'error' as const, help: t('请输入批复意见') })}
        >
          <Input.TextArea rows={3} maxLength={500} showCount onChange={() => setMissing(false)} />
        </Form.Item>
        <Form.Item name="copies" label={t('抄送')}>
          <People />
        </Form.Item>
        {complete.error && (
          <Alert type="error" showIcon title={sentence(t(complete.error.message))} className="flow-problem" />
        )}
        <Space wrap>
          <Button type="primary" htmlType="submit" loading={complete.isPending}>
            {t('同意')}
          </Button>
          <Button danger onClick={refuse}>
            {t(task.refusalEnds ? '不同意并结束流程' : '不同意')}
          </Button>
        </Space>
      </Form>
    </Card>
  )
}

/** Agreeing or refusing, with the form of the step; whoever began the process corrects it. */
export function Decision(props: Props): ReactNode {
  const resource = resourceOfForm(props.task.form.key)
  return resource ? <Correction resource={resource} {...props} /> : <Verdict {...props} />
}
