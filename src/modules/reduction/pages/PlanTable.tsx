import { Checkbox, Flex, Input, InputNumber, Select, type TableColumnsType, Tag, Typography } from 'antd'
import { useState } from 'react'
import type { Proposal } from '#resources/exams/outlook'
import { ReduceBase, ReduceDecision } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag, DictText } from '../../../screens/fields/DictText.tsx'
import { useDictionary } from '../../../screens/fields/dictionary.ts'
import { UploadField } from '../../../screens/fields/UploadField.tsx'
import { useCanChange } from '../../../screens/may.ts'
import { usePaging } from '../../../screens/paging.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { WideTable } from '../../../screens/WideTable.tsx'
import type { PlanLine, Reduction } from '../contract.ts'
import { type Edit, edited, presetOf } from './plan-edits.ts'

interface CellProps {
  line: PlanLine
  onEdit: (code: string, change: Edit) => void
}

/** What may be chosen for a position: one that has its candidates is kept, one that has not is never just kept. */
const choicesOf = (line: PlanLine): PlanLine['decision'][] =>
  line.proposal.decision === ReduceDecision.keep ? [0, 1] : [0, 2, 3, 4]

function Decide({ line, onEdit }: CellProps) {
  const t = useT()
  const { word } = useDictionary('reduce_decision')
  const { code, decision } = line
  return (
    <Flex gap={8} align="center">
      <Select
        style={{ width: 112 }}
        aria-label={t('{{code}} 的处理', { code })}
        value={decision}
        onChange={value => onEdit(code, { decision: value, afterNum: presetOf(line, value) })}
        options={choicesOf(line).map(value => ({ value, label: word(String(value)) }))}
      />
      {(decision === ReduceDecision.reduce || decision === ReduceDecision.keepByException) && (
        <InputNumber
          style={{ width: 72 }}
          aria-label={t('{{code}} 核减后的计划数', { code })}
          min={1}
          max={decision === ReduceDecision.reduce ? line.beforeNum - 1 : line.beforeNum}
          precision={0}
          value={line.afterNum}
          onChange={value => onEdit(code, { afterNum: value ?? 1 })}
        />
      )}
    </Flex>
  )
}

/** Whether a position has too few candidates. */
const isShort = (line: PlanLine): boolean => line.proposal.decision !== ReduceDecision.keep

/** Cancelling and keeping by permission are not done without a basis. */
const needsBasis = ({ decision }: PlanLine): boolean =>
  decision === ReduceDecision.cancel || decision === ReduceDecision.keepByException

/** Why it is decided so; a special permission needs a paper too. */
function Basis({ line, onEdit }: CellProps) {
  const t = useT()
  return (
    <Flex vertical gap={8}>
      <Input
        aria-label={t('{{code}} 的依据', { code: line.code })}
        placeholder={t(
          line.decision === ReduceDecision.keepByException
            ? '批准文件名称和文号'
            : line.decision === ReduceDecision.cancel
              ? '取消依据（必填）'
              : '依据',
        )}
        required={needsBasis(line)}
        status={needsBasis(line) && !line.basis.trim() ? 'error' : undefined}
        maxLength={500}
        value={line.basis}
        onChange={event => onEdit(line.code, { basis: event.target.value })}
      />
      {line.decision === ReduceDecision.keepByException && (
        <UploadField
          kind="file"
          owner="approval"
          accept=".pdf,.jpg,.jpeg,.png"
          value={line.file || undefined}
          onChange={file => onEdit(line.code, { file: file ?? '' })}
        />
      )}
    </Flex>
  )
}

function ProposalTag({ of }: { of: Proposal }) {
  return (
    <Flex gap={4} align="center">
      <DictTag code="reduce_decision" value={of.decision} />
      {of.decision === ReduceDecision.reduce && <span>→ {of.afterNum}</span>}
    </Flex>
  )
}

function columnsOf(
  t: (text: string) => string,
  editable: boolean,
  onEdit: CellProps['onEdit'],
): TableColumnsType<PlanLine> {
  return [
    {
      title: t('岗位'),
      fixed: 'left',
      width: 240,
      render: (_, line) => (
        <>
          <div>
            {line.code} {line.postName}
          </div>
          <Typography.Text type="secondary">
            <DictText code="recruit_unit" value={line.unit} />
          </Typography.Text>
        </>
      ),
    },
    { title: t('原计划数'), dataIndex: 'beforeNum', width: 90, align: 'right' },
    { title: t('有效人数'), dataIndex: 'effectNum', width: 90, align: 'right' },
    {
      title: t('开考比例'),
      width: 100,
      align: 'right',
      render: (_, line) => (Number(line.ratio) ? `${Number(line.ratio)} : 1` : t('不设')),
    },
    { title: t('建议'), width: 120, render: (_, line) => <ProposalTag of={line.proposal} /> },
    {
      title: t('处理'),
      width: editable ? 220 : 120,
      render: (_, line) =>
        editable ? (
          <Decide line={line} onEdit={onEdit} />
        ) : (
          <ProposalTag of={{ decision: line.decision as Proposal['decision'], afterNum: line.afterNum }} />
        ),
    },
    {
      title: t('依据/批文'),
      width: 260,
      render: (_, line) => (editable ? <Basis line={line} onEdit={onEdit} /> : line.basis),
    },
  ]
}

interface Props {
  plan: Reduction
  edits: Readonly<Record<string, Edit>>
  onEdit: CellProps['onEdit']
}

/** Every position with what the rule proposes and what is decided; by the other base on request. */
export function PlanTable({ plan, edits, onEdit }: Props) {
  const t = useT()
  const paging = usePaging()
  const { word } = useDictionary('reduce_base')
  const [onlyShort, setOnlyShort] = useState(true)
  const [other, setOther] = useState(false)
  const editable = useCanChange('reduction_decide') && plan.computed && !plan.confirmTime && !plan.block
  const lines = plan.positions
    .map(line => edited(line, edits[line.code]))
    .filter(line => !onlyShort || isShort(line) || (plan.computed && line.decision === ReduceDecision.pending))
  const otherBase = word(plan.exam.reduceBase === ReduceBase.paid ? '1' : '2')
  const columns = columnsOf(t, editable, onEdit)
  if (other)
    columns.splice(5, 0, {
      title: t('若按{{base}}', { base: otherBase }),
      width: 180,
      render: (_, line) => (
        <Flex gap={4} align="center">
          <ProposalTag of={line.otherwise} />
          <Tag>{t('{{n}} 人', { n: plan.exam.reduceBase === ReduceBase.paid ? line.passNum : line.paidNum })}</Tag>
        </Flex>
      ),
    })
  return (
    <>
      <Flex wrap gap={24}>
        <Checkbox checked={onlyShort} onChange={event => setOnlyShort(event.target.checked)}>
          {t('只看未达比例或待定的岗位')}
        </Checkbox>
        <Checkbox checked={other} onChange={event => setOther(event.target.checked)}>
          {t('若按{{base}}', { base: otherBase })}
        </Checkbox>
      </Flex>
      <WideTable<PlanLine>
        label={t('岗位')}
        rowKey="code"
        size="middle"
        columns={columns}
        dataSource={lines}
        width={1100}
        pagination={{ ...paging, defaultPageSize: 50, hideOnSinglePage: true }}
        locale={{
          emptyText: <Nothing small text={t('所有岗位都达到开考比例')} />,
        }}
      />
    </>
  )
}
