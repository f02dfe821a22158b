import { Checkbox, Form, Modal, Select, Typography } from 'antd'
import { useState } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { appointStaff, type Matrix, staffMatrix } from '../../contract.ts'
import { PeopleSelect } from './PersonSelect.tsx'
import { SpanInput, type SpanTexts } from './SpanInput.tsx'

/** Several people, several units and a time at once. */
export function BulkDialog({ matrix, onClose }: { matrix: Matrix; onClose: () => void }) {
  const t = useT()
  const { exam, examRole, units, people } = matrix
  const lacking = units.filter(one => one.lacking.length > 0).map(one => one.unit)
  const [userIds, setUserIds] = useState<string[]>([])
  const [chosen, setChosen] = useState<string[]>(lacking)
  const [all, setAll] = useState(false)
  const [span, setSpan] = useState<SpanTexts>({})
  const save = useSend(appointStaff, { stale: [staffMatrix] })
  const values = { examId: exam.id, examRole, userIds, ...(all ? { all: 1 as const } : { units: chosen }), ...span }
  return (
    <Modal
      open
      title={t('批量授权')}
      okButtonProps={{ disabled: !userIds.length || (!all && !chosen.length) }}
      confirmLoading={save.isPending}
      onOk={() => save.mutateAsync(values).then(onClose, () => undefined)}
      onCancel={onClose}
    >
      <Form layout="vertical" component="div">
        <Form.Item label={t('人员')} htmlFor="bulk-people" required>
          <PeopleSelect
            id="bulk-people"
            examRole={examRole}
            value={userIds}
            onChange={setUserIds}
            known={people.filter(one => one.usable)}
          />
        </Form.Item>
        <Form.Item
          label={t('负责单位')}
          htmlFor="bulk-units"
          required
          extra={
            <Checkbox checked={all} onChange={event => setAll(event.target.checked)}>
              {t('全部单位，以后新增的也包括')}
            </Checkbox>
          }
        >
          <Select
            id="bulk-units"
            mode="multiple"
            disabled={all}
            maxTagCount={12}
            placeholder={t('请选择单位')}
            value={all ? [] : chosen}
            showSearch={{ optionFilterProp: 'label' }}
            options={units.map(one => ({ value: one.unit, label: one.unitName || one.unit }))}
            onChange={setChosen}
          />
        </Form.Item>
        <Form.Item label={t('授权时间')} extra={t('不填表示一直有效。这些人在这些单位已有的授权改用此时间。')}>
          <SpanInput value={span} onChange={setSpan} />
        </Form.Item>
        {lacking.length > 0 && <Typography.Text type="secondary">{t('已为您选好无人负责的单位。')}</Typography.Text>}
      </Form>
    </Modal>
  )
}
