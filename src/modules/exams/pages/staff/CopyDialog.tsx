import { Alert, Form, Modal } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { DictText } from '../../../../screens/fields/DictText.tsx'
import { RefSelect } from '../../../../screens/fields/RefSelect.tsx'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { useKeptValues } from '../../../../screens/use-kept-values.ts'
import { WideTable } from '../../../../screens/WideTable.tsx'
import { type Copied, copyStaff, staffMatrix } from '../../contract.ts'
import { SpanInput, type SpanTexts } from './SpanInput.tsx'

/** What came along and what did not, with the reason. */
function Outcome({ done }: { done: Copied }) {
  const t = useT()
  const { copied, same, left } = done
  return (
    <>
      <Alert
        showIcon
        type={left.length ? 'warning' : 'success'}
        title={t('复制 {{copied}} 条，原已有 {{same}} 条，{{left}} 条未能完整复制', {
          copied,
          same,
          left: left.length,
        })}
        style={{ marginBottom: 12 }}
      />
      {left.length > 0 && (
        <WideTable
          label={t('结果')}
          size="small"
          rowKey={line => JSON.stringify(line)}
          pagination={false}
          width="max-content"
          height={320}
          dataSource={left}
          columns={[
            { title: t('姓名'), dataIndex: 'userName', width: 100 },
            {
              title: t('考试角色'),
              width: 110,
              render: (_, one) => <DictText code="exam_role" value={one.examRole} />,
            },
            { title: t('原因'), dataIndex: 'msg', render: (msg: string) => t(msg) },
          ]}
        />
      )}
    </>
  )
}

/** From which exam, and how long it holds. */
interface Wish extends SpanTexts {
  from: string
}

/** Takes over the staff of another exam and says what did not come along. */
export function CopyDialog({ examId, onClose }: { examId: string; onClose: () => void }) {
  const t = useT()
  const { values, put, draft } = useKeptValues<Wish>({ from: '' }, { form: 'examuser/copy', rowId: examId })
  const { from, ...span } = values
  const copy = useSend(copyStaff, { stale: [staffMatrix], done: false })
  const done = copy.data
  return (
    <Modal
      open
      width={640}
      title={t('从其他考试复制')}
      okText={done ? t('知道了') : t('复制')}
      okButtonProps={{ disabled: !done && (!from || from === examId) }}
      cancelButtonProps={done && { style: { display: 'none' } }}
      confirmLoading={copy.isPending}
      onOk={() => (done ? onClose() : copy.mutate({ examId, fromExamId: from, ...span }, { onSuccess: draft.saved }))}
      onCancel={onClose}
    >
      {done ? (
        <Outcome done={done} />
      ) : (
        <Form layout="vertical" component="div">
          {draft.bar}
          <Form.Item
            label={t('来源考试')}
            htmlFor="copy-from"
            required
            validateStatus={from === examId ? 'error' : undefined}
            help={from === examId ? t('请选择另一个考试') : undefined}
            extra={t('所有角色的人员一起复制，本考试已有的保留。')}
          >
            <RefSelect
              entity="examination"
              id="copy-from"
              name={t('来源考试')}
              value={from}
              onChange={id => put({ ...values, from: id ?? '' })}
            />
          </Form.Item>
          <Form.Item label={t('授权时间')} extra={t('不填表示一直有效，原考试的时间不复制。')}>
            <SpanInput value={span} onChange={next => put({ from, ...next })} />
          </Form.Item>
        </Form>
      )}
    </Modal>
  )
}
