import { Alert, Button, Card, Form, type FormInstance, Input, Space } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { type AnswerOf, commaList, type Resource, type ValuesOf } from '#engine'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { startValues, type Values } from '../../../../screens/form-values.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint, useSend } from '../../../../screens/parts/use-endpoint.ts'
import { SentBefore } from '../../../../screens/SentBefore.tsx'
import { useDraft } from '../../../../screens/use-draft.tsx'
import { flatValues, setFlat } from '../../../../screens/use-form-draft.ts'
import { type FormKey, useKey } from '../../../../screens/use-key.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { useSubject } from '../../../../screens/window/page-head.ts'
import { startForm, startRun } from '../../contract.ts'
import { useFresh } from '../acts.ts'
import { DiagramDialog } from '../DiagramDialog.tsx'
import { staffOnly } from '../staff-only.ts'
import { EntityForm } from './EntityForm.tsx'
import { resourceOfForm } from './form-resources.ts'
import { OwnFields, startValuesOf, writtenOf } from './OwnFields.tsx'
import '../flow.css'

type Start = AnswerOf<typeof startForm>
type Sent = ValuesOf<typeof startRun>

/** What is said beside the form: a title, people for steps that ask for them, and who is told. */
interface Beside {
  title: string
  chosen: Readonly<Record<string, string>>
  copies: string
}
const blank: Beside = { title: '', chosen: {}, copies: '' }

function BesideRows(props: {
  of: Start
  value: Beside
  onChange: (value: Beside) => void
  disabled: boolean
}): ReactNode {
  const { of, value, onChange, disabled } = props
  const t = useT()
  const id = useId()
  return (
    <div className="flow-beside">
      {of.chosen.map(({ name, taskName, several }) => (
        <div key={name}>
          <label htmlFor={`${id}-${name}`}>
            <span aria-hidden className="flow-star">
              *
            </span>
            {t('{{name}}的办理人', { name: t(taskName) })}
          </label>
          <RefSelect
            id={`${id}-${name}`}
            entity="user"
            params={staffOnly}
            multiple={several}
            disabled={disabled}
            value={value.chosen[name] || undefined}
            onChange={next => onChange({ ...value, chosen: { ...value.chosen, [name]: next ?? '' } })}
          />
        </div>
      ))}
      <div>
        <label htmlFor={`${id}-title`}>{t('标题')}</label>
        <Input
          id={`${id}-title`}
          maxLength={200}
          disabled={disabled}
          placeholder={t('不填时为流程名称和发起人')}
          value={value.title}
          onChange={event => onChange({ ...value, title: event.target.value })}
        />
      </div>
      <div>
        <label htmlFor={`${id}-copies`}>{t('抄送')}</label>
        <RefSelect
          id={`${id}-copies`}
          entity="user"
          params={staffOnly}
          multiple
          disabled={disabled}
          value={value.copies || undefined}
          onChange={next => onChange({ ...value, copies: next ?? '' })}
        />
      </div>
    </div>
  )
}

/** What is typed: into the form of the step, and beside it. */
function useTyped(of: Start, resource: Resource | undefined, antd: FormInstance, key: FormKey) {
  const [begun] = useState(() =>
    resource ? startValues(resource, null) : flatValues({ form: startValuesOf(of.form) }),
  )
  const [start] = useState(() => ({ ...begun, ...flatValues({ beside: blank }) }))
  const [values, setValues] = useState<Values>(begun)
  const [beside, setBeside] = useState<Beside>(blank)
  const put = (next: Values, along: Beside): void => {
    setValues(next)
    setBeside(along)
    draft.changed({ ...next, ...flatValues({ beside: along }) })
  }
  const draft = useDraft({
    form: 'work/start',
    rowId: of.processDefinitionKey.slice(0, 64),
    fields: resource?.entity.properties ?? {},
    start,
    key,
    onRestore: restored => {
      const [along, own] = [{ ...beside } as Record<string, unknown>, {} as Record<string, unknown>]
      for (const [name, value] of Object.entries(restored))
        if (name.startsWith('beside.')) along[name.slice('beside.'.length)] = value
        else own[name] = value
      if (!resource) setFlat(antd, own)
      put({ ...values, ...own }, along as unknown as Beside)
    },
  })
  return {
    values,
    change: (next: Values) => put(next, beside),
    beside,
    setBeside: (next: Beside) => put(values, next),
    draft,
  }
}

function StartForm({ of, onDone }: { of: Start; onDone: () => void }): ReactNode {
  const t = useT()
  const go = useNavigate()
  const [antd] = Form.useForm()
  const resource = resourceOfForm(of.form.key)
  const key = useKey()
  const { values, change, beside, setBeside, draft } = useTyped(of, resource, antd, key)
  const [shown, show] = useState(false)
  const [missing, setMissing] = useState<string>()
  const [isSentBefore, setSentBefore] = useState(false)
  const start = useSend(startRun, { key })
  // Forms behind it, and of other tabs, stay in the document.
  const name = useId()
  const done = (): void => {
    draft.saved()
    onDone()
  }
  const begin = (sent: Sent): void =>
    start.mutate(sent, { onSuccess: done, onError: error => setSentBefore(key.failed(error)) })
  const send = (form: Record<string, unknown>): void => {
    const open = of.chosen.find(({ name }) => !beside.chosen[name])
    setMissing(open && t('请选择{{name}}的办理人', { name: t(open.taskName) }))
    if (open) return
    const chosen = Object.fromEntries(
      of.chosen.map(({ name, several }) => [
        name,
        several ? commaList(beside.chosen[name] ?? '') : beside.chosen[name],
      ]),
    )
    const title = beside.title.trim()
    const sent: Sent = {
      processDefinitionId: of.processDefinitionId,
      ...(title && { title }),
      form,
      chosen,
      copyUsers: commaList(beside.copies),
    }
    begin(sent)
  }
  const again = (): void => {
    key.renew()
    setSentBefore(false)
    if (start.variables) begin(start.variables)
  }
  const problem = missing ?? start.error?.message
  const rest = (
    <>
      <BesideRows of={of} value={beside} onChange={setBeside} disabled={start.isPending} />
      {isSentBefore && <SentBefore again="再提交一次" onAgain={again} />}
      {problem && <Alert type="error" showIcon title={sentence(t(problem))} className="flow-problem" />}
      <Space wrap>
        <Button type="primary" htmlType="submit" loading={start.isPending}>
          {t('提交')}
        </Button>
        <Button onClick={() => show(true)}>{t('流程图')}</Button>
        <Button onClick={() => void go('/work/start')}>{t('取消')}</Button>
      </Space>
      {shown && <DiagramDialog of={{ processDefinitionId: of.processDefinitionId }} onClose={() => show(false)} />}
    </>
  )
  if (resource)
    return (
      <>
        {draft.bar}
        <EntityForm
          resource={resource}
          row={null}
          values={values}
          onChange={change}
          disabled={start.isPending}
          error={start.error}
          onSubmit={send}
        >
          {rest}
        </EntityForm>
      </>
    )
  return (
    <Form
      form={antd}
      name={name}
      layout="vertical"
      disabled={start.isPending}
      initialValues={{ form: startValuesOf(of.form) }}
      onValuesChange={(_, all: object) => change(flatValues(all))}
      onFinish={({ form = {} }: { form?: Record<string, unknown> }) =>
        send(writtenOf(of.form.fields.length > 0 ? of.form.fields : [remark], form))
      }
    >
      {draft.bar}
      {of.form.fields.length > 0 ? (
        <OwnFields fields={of.form.fields} />
      ) : (
        <Form.Item name={['form', 'remark']} label={t('说明')}>
          <Input.TextArea rows={4} maxLength={500} showCount />
        </Form.Item>
      )}
      {rest}
    </Form>
  )
}

/** The field of a process that has no form. */
const remark = { id: 'remark', name: '说明', type: 'string', required: false, readable: true, writable: true } as const

/** Begins a process of any kind by the form of its model. */
export default function GenericFormPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const refresh = useFresh()
  const { processDefinitionId = '' } = useParams()
  const [round, setRound] = useState(0)
  const found = useEndpoint(startForm, { processDefinitionId }, { pass: 'all' })
  useSubject(found.data && t(found.data.processDefinitionName))
  const back = <Button onClick={() => void go('/work/start')}>{t('返回')}</Button>
  if (found.isPending) return <PageSkeleton />
  if (!found.data) return <NoAnswer error={found.error}>{back}</NoAnswer>
  const done = (): void => {
    // The tab stays; what was sent must not be sent again from it.
    setRound(round + 1)
    refresh()
    void go('/work/send')
  }
  return (
    <div className="leave-page">
      <Card>
        <StartForm key={round} of={found.data} onDone={done} />
      </Card>
    </div>
  )
}
