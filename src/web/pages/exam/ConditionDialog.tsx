import { Form, Modal, Select, Typography } from 'antd'
import { useState } from 'react'
import { useDictionary } from '../../fields/dictionary.ts'
import { useT } from '../../i18n.ts'
import { useAct } from '../use-call.ts'
import type { FormItem } from './types.ts'

/** Fields that a condition can look at: those with choices. */
const chosenTypes = [5, 7]

/** When a field is shown: while another field has one of these answers. Hidden, it is neither asked nor stored. */
export function ConditionDialog({
  item,
  items,
  onClose,
}: {
  item: FormItem
  items: readonly FormItem[]
  onClose: () => void
}) {
  const t = useT()
  const [first] = Object.entries(item.showWhen || {})
  const [code, setCode] = useState<string | undefined>(first?.[0])
  const [values, setValues] = useState<string[]>(first?.[1] ?? [])
  const sources = items.filter(one => one.id !== item.id && one.dictCode && chosenTypes.includes(one.inputType))
  const { entries } = useDictionary(items.find(one => one.itemCode === code)?.dictCode ?? '')
  const save = useAct('/blade-signitems/examsignitems/submit', { stale: ['/blade-exam/examination/getFormInfo'] })
  const run = () =>
    save
      .mutateAsync({ id: item.id, showWhen: code && values.length ? { [code]: values } : null })
      .then(onClose, () => undefined)
  return (
    <Modal
      open
      title={`${t('显示条件')} · ${t(item.itemName)}`}
      okButtonProps={{ disabled: Boolean(code) && !values.length }}
      confirmLoading={save.isPending}
      onOk={run}
      onCancel={onClose}
    >
      <Form layout="vertical">
        <Form.Item label={t('当这一项')}>
          <Select
            allowClear
            placeholder={t('总是显示')}
            value={code}
            options={sources.map(one => ({ value: one.itemCode, label: t(one.itemName) }))}
            onChange={(value?: string) => {
              setCode(value)
              setValues([])
            }}
          />
        </Form.Item>
        <Form.Item label={t('等于其中之一时显示')}>
          <Select
            mode="multiple"
            disabled={!code}
            value={values}
            options={entries.filter(one => !one.sealed).map(one => ({ value: one.key, label: t(one.word) }))}
            onChange={setValues}
          />
        </Form.Item>
        <Typography.Text type="secondary">{t('不显示时既不要求填写，也不保存。')}</Typography.Text>
      </Form>
    </Modal>
  )
}
