import { Checkbox, Form, Modal, Select, Typography } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../../screens/use-kept-values.ts'
import { appointStaff, type Matrix, staffMatrix } from '../../contract.ts'
import { PeopleSelect } from './PersonSelect.tsx'
import { SpanInput, type SpanTexts } from './SpanInput.tsx'

/** Whom, for which units or all, and how long. */
interface Wish extends SpanTexts {
  userIds: string[]
  chosen: string[]
  all: boolean
}

/** Several people, several units and a time at once. */
export function BulkDialog({ matrix, onClose }: { matrix: Matrix; onClose: () => void }) {
  const t = useT()
  const { exam, examRole, units, people } = matrix
  const lacking = units.filter(one => one.lacking.length > 0).map(one => one.unit)
  const { values, put, change, draft } = useKeptValues<Wish>(
    { userIds: [], chosen: lacking, all: false },
    { form: 'examuser/appoint', rowId: `${exam.id}-${examRole}` },
  )
  const { userIds, chosen, all, ...span } = values
  const save = useSend(appointStaff, { stale: [staffMatrix] })
  const body = { examId: exam.id, examRole, userIds, ...(all ? { all: 1 as const } : { units: chosen }), ...span }
  const done = (): void => {
    draft.saved()
    onClose()
  }
  return (
    <Modal
      open
      title={t('批量授权')}
      okButtonProps={{ disabled: !userIds.length || (!all && !chosen.length) }}
      confirmLoading={save.isPending}
      onOk={() => save.mutateAsync(body).then(done, () => undefined)}
      onCancel={onClose}
    >
      {draft.bar}
      <Form layout="vertical" component="div">
        <Form.Item label={t('人员')} htmlFor="bulk-people" required>
          <PeopleSelect
            id="bulk-people"
            examRole={examRole}
            value={userIds}
            onChange={userIds => change({ userIds })}
            known={people.filter(one => one.usable)}
          />
        </Form.Item>
        <Form.Item
          label={t('负责单位')}
          htmlFor="bulk-units"
          required
          extra={
            <Checkbox checked={all} onChange={event => change({ all: event.target.checked })}>
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
            onChange={chosen => change({ chosen })}
          />
        </Form.Item>
        <Form.Item label={t('授权时间')} extra={t('不填表示一直有效。这些人在这些单位已有的授权改用此时间。')}>
          <SpanInput value={span} onChange={next => put({ userIds, chosen, all, ...next })} />
        </Form.Item>
        {lacking.length > 0 && <Typography.Text type="secondary">{t('已为您选好无人负责的单位。')}</Typography.Text>}
      </Form>
    </Modal>
  )
}
