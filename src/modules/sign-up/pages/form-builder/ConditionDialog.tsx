import { Form, Modal, Select, Typography } from 'antd'
import type { CallOf } from '#engine'
import type { examsignfiles } from '#resources/exams/examsignfiles'
import type { examsignitems } from '#resources/exams/examsignitems'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useDictionary } from '../../../../screens/fields/dictionary.ts'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../../screens/use-kept-values.ts'
import { type FormItem, formInfo } from '../../../exams/contract.ts'

/** Fields that a condition can look at: those with choices. */
const chosenTypes = [5, 7]

/** Something a condition can look at: its code, what people call it, the dictionary of its answers. */
interface Source {
  code: string
  name: string
  dictCode: string
}

/** The fields a condition can look at, but for the one it belongs to. */
export const conditionSources = (items: readonly FormItem[], own = ''): Source[] =>
  items
    .filter(one => one.id !== own && one.dictCode && chosenTypes.includes(one.inputType))
    .map(one => ({ code: one.itemCode, name: one.itemName, dictCode: one.dictCode }))

/** What is chosen before the form, which conditions of files can look at, too. */
export const choiceSources: readonly Source[] = [
  { code: 'unit', name: '招聘单位', dictCode: 'recruit_unit' },
  { code: 'type', name: '岗位类别', dictCode: 'post_type' },
]

/** Which field is looked at, and which of its answers count. */
interface Condition {
  code: string | undefined
  values: string[]
}

interface Props {
  /** The call that saves the row. */
  saving: CallOf<typeof examsignitems | typeof examsignfiles, 'submit'>
  row: { id: string; name: string; showWhen: Record<string, string[]> | '' }
  sources: readonly Source[]
  onClose: () => void
}

/** When a field or file is asked for: while another field has one of these answers. Else it is neither asked nor stored. */
export function ConditionDialog({ saving, row, sources, onClose }: Props) {
  const t = useT()
  const [first] = Object.entries(row.showWhen || {})
  const {
    values: held,
    change,
    draft,
  } = useKeptValues<Condition>(
    { code: first?.[0], values: first?.[1] ?? [] },
    { form: 'examsignitems/condition', rowId: row.id },
  )
  const { code, values } = held
  const { entries } = useDictionary(sources.find(one => one.code === code)?.dictCode ?? '')
  const save = useSend(saving, { stale: [formInfo] })
  const done = (): void => {
    draft.saved()
    onClose()
  }
  const run = () =>
    save
      .mutateAsync({ id: row.id, showWhen: code && values.length ? { [code]: values } : null })
      .then(done, () => undefined)
  return (
    <Modal
      open
      title={`${t('显示条件')} · ${t(row.name)}`}
      okButtonProps={{ disabled: Boolean(code) && !values.length }}
      confirmLoading={save.isPending}
      onOk={run}
      onCancel={onClose}
    >
      {draft.bar}
      <Form layout="vertical">
        <Form.Item label={t('当这一项')} htmlFor="condition-source">
          <Select
            id="condition-source"
            allowClear
            placeholder={t('总是显示')}
            value={code}
            options={sources.map(one => ({ value: one.code, label: t(one.name) }))}
            onChange={(value?: string) => change({ code: value, values: [] })}
          />
        </Form.Item>
        <Form.Item label={t('等于其中之一时显示')} htmlFor="condition-values">
          <Select
            id="condition-values"
            mode="multiple"
            disabled={!code}
            value={values}
            options={entries.filter(one => !one.sealed).map(one => ({ value: one.key, label: t(one.word) }))}
            onChange={values => change({ values })}
          />
        </Form.Item>
        <Typography.Text type="secondary">{t('不显示时既不要求填写，也不保存。')}</Typography.Text>
      </Form>
    </Modal>
  )
}
