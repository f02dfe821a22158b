import { Form, Input, InputNumber, Modal } from 'antd'
import { useState } from 'react'
import { callOf, text } from '#engine'
import { examsignitems } from '#resources/exams/examsignitems'
import { FormInputType } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { PatternInput } from '../../../../screens/fields/PatternInput.tsx'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useDraft } from '../../../../screens/use-draft.tsx'
import { useKey } from '../../../../screens/use-key.ts'
import { type FormItem, formInfo } from '../../../exams/contract.ts'

interface Rules {
  min?: number | string
  max?: number | string
  maxLength?: number
  regex?: string
  regexMsg?: string
}

const typed: readonly number[] = [FormInputType.text, FormInputType.longText]
const counted: readonly number[] = [FormInputType.number, FormInputType.checks, FormInputType.table]

/** Whether a field has rules that a person can set here. */
export const hasRules = ({ inputType: kind }: FormItem): boolean => [...typed, ...counted].includes(kind)

/** What the least and the most of a field count. */
const bounds = (kind: number): readonly [string, string] =>
  kind === FormInputType.number
    ? ['最小值', '最大值']
    : kind === FormInputType.table
      ? ['最少行数', '最多行数']
      : ['最少选择', '最多选择']

const regexField = text('校验正则')

/** Without what is empty, so that an empty rule is none. */
const filled = (rules: Rules): Rules | null => {
  const left = Object.entries(rules).filter(([, value]) => value !== undefined && value !== null && value !== '')
  return left.length ? Object.fromEntries(left) : null
}

function TextRules({ rules, change }: { rules: Rules; change: (more: Rules) => void }) {
  const t = useT()
  return (
    <>
      <Form.Item label={t('最大长度')} htmlFor="rule-length">
        <InputNumber
          id="rule-length"
          min={1}
          max={2000}
          precision={0}
          value={rules.maxLength}
          onChange={value => change({ maxLength: value ?? undefined })}
        />
      </Form.Item>
      <Form.Item label={t('校验正则')} htmlFor="rule-regex">
        <PatternInput
          id="rule-regex"
          field={regexField}
          name="regex"
          value={rules.regex}
          onChange={regex => change({ regex })}
        />
      </Form.Item>
      <Form.Item label={t('校验提示')} htmlFor="rule-msg">
        <Input
          id="rule-msg"
          maxLength={100}
          value={rules.regexMsg}
          onChange={event => change({ regexMsg: event.target.value })}
        />
      </Form.Item>
    </>
  )
}

function BoundRules({ kind, rules, change }: { kind: number; rules: Rules; change: (more: Rules) => void }) {
  const t = useT()
  const [least, most] = bounds(kind)
  return (
    <>
      <Form.Item label={t(least)} htmlFor="rule-min">
        <InputNumber id="rule-min" value={rules.min} onChange={min => change({ min: min ?? undefined })} />
      </Form.Item>
      <Form.Item label={t(most)} htmlFor="rule-max">
        <InputNumber id="rule-max" value={rules.max} onChange={max => change({ max: max ?? undefined })} />
      </Form.Item>
    </>
  )
}

/** What an answer must be like: length and pattern of a text, bounds of a number, of ticks and of rows. */
export function RulesDialog({ item, onClose }: { item: FormItem; onClose: () => void }) {
  const t = useT()
  const [start] = useState<Rules>(() => (item.rules || {}) as Rules)
  const [rules, put] = useState(start)
  const draft = useDraft({
    form: 'examsignitems/rules',
    rowId: item.id,
    fields: {},
    start: start as Record<string, unknown>,
    key: useKey(),
    onRestore: restored => setRules({ ...rules, ...restored } as Rules),
  })
  const setRules = (next: Rules): void => {
    put(next)
    draft.changed(next as Record<string, unknown>)
  }
  const save = useSend(callOf(examsignitems, 'submit'), { stale: [formInfo] })
  const change = (more: Rules) => setRules({ ...rules, ...more })
  const done = (): void => {
    draft.saved()
    onClose()
  }
  const run = () => save.mutateAsync({ id: item.id, rules: filled(rules) }).then(done, () => undefined)
  return (
    <Modal
      open
      title={`${t('校验规则')} · ${t(item.itemName)}`}
      confirmLoading={save.isPending}
      onOk={run}
      onCancel={onClose}
    >
      {draft.bar}
      <Form layout="vertical" component="div">
        {typed.includes(item.inputType) ? (
          <TextRules rules={rules} change={change} />
        ) : (
          <BoundRules kind={item.inputType} rules={rules} change={change} />
        )}
      </Form>
    </Modal>
  )
}
