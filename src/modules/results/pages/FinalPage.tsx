import { DownloadOutlined, PrinterOutlined } from '@ant-design/icons'
import { App, Button, Card, Flex, Select, Tag, Typography } from 'antd'
import { useState } from 'react'
import { ReleaseStatus } from '#schemas/dictionaries/administration'
import { ConfirmStatus, ResultFlag } from '#schemas/dictionaries/exam'
import { saveFile } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag, DictText } from '../../../screens/fields/DictText.tsx'
import { useCanChange } from '../../../screens/may.ts'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint, useSend } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { ChooseExam, ExamPicker, useExam } from '../../exams/pages/parts/ExamPicker.tsx'
import {
  type FinalList,
  type FinalPosition,
  type FinalRow,
  finalDocument,
  finalPeople,
  finalWorkbook,
  renewNext,
} from '../contract.ts'

type Stages = FinalList['stages']

/** Where somebody stands on the shortlist, in words. */
function tagsOf({ isNext, isPromoted, awaitsAnswer, confirmStatus }: FinalRow['results'][number]): [string, string][] {
  if (confirmStatus === ConfirmStatus.declined) return [['放弃入围', 'default']]
  if (confirmStatus === ConfirmStatus.missed) return [['逾期未确认', 'default']]
  if (isNext !== 1) return []
  return [
    [isPromoted ? '递补入围' : '入围', 'success'],
    ...(awaitsAnswer ? [['待确认', 'warning'] as [string, string]] : []),
    ...(confirmStatus === ConfirmStatus.confirmed ? [['已确认', 'success'] as [string, string]] : []),
  ]
}

/** A person's result of a stage: the score and its rank, or why there is none. */
function Cell({ row, itemId }: { row: FinalRow; itemId: string }) {
  const t = useT()
  const one = row.results.find(found => found.itemId === itemId)
  if (!one) return '—'
  if (one.resultFlag === ResultFlag.absent || one.resultFlag === ResultFlag.misconduct)
    return <DictText code="result_flag" value={one.resultFlag} />
  return (
    <>
      {one.score} {one.rankNo !== '' && <Typography.Text type="secondary">#{one.rankNo}</Typography.Text>}
      {tagsOf(one).map(([word, color]) => (
        <Tag key={word} color={color} style={{ marginInlineStart: 8 }}>
          {t(word)}
        </Tag>
      ))}
    </>
  )
}

function Position({ of, stages }: { of: FinalPosition; stages: Stages }) {
  const t = useT()
  const hasTotals = of.rows.some(row => row.totalScore !== '')
  const strong = (text: string) => <strong>{text}</strong>
  const weightOf = (itemId: string) => {
    const share = of.shares.find(one => one.itemId === itemId)
    return share && share.weight !== '1' ? ` × ${share.weight}` : ''
  }
  const title = (
    <>
      {of.unitName} · {of.postName} <Typography.Text code>{of.code}</Typography.Text>
    </>
  )
  return (
    <Card size="small" title={title} extra={t('计划 {{n}} 人', { n: of.curPlanNum })}>
      <WideTable<FinalRow>
        label={`${of.unitName} · ${of.postName}`}
        size="small"
        rowKey="signupId"
        dataSource={of.rows}
        width="max-content"
        pagination={{ pageSize: 20, hideOnSinglePage: true, showSizeChanger: false }}
        columns={[
          ...(hasTotals ? [{ title: t('排名'), dataIndex: 'rankNo', width: 80 }] : []),
          { title: t('姓名'), dataIndex: 'name', width: 120 },
          { title: t('报名号'), dataIndex: 'signNo', width: 160 },
          ...stages.map(stage => ({
            key: stage.itemId,
            title: `${stage.itemName}${weightOf(stage.itemId)}`,
            width: 180,
            render: (_: unknown, row: FinalRow) => <Cell row={row} itemId={stage.itemId} />,
          })),
          ...(hasTotals ? [{ title: t('总成绩'), dataIndex: 'totalScore', width: 120, render: strong }] : []),
          { title: t('说明'), dataIndex: 'runs', width: 140, render: runs => (runs ? '' : t('已取消资格或放弃')) },
        ]}
      />
    </Card>
  )
}

/** Decides again who goes on from a stage, after somebody dropped out. */
function NextButton({ stage }: { stage: Stages[number] }) {
  const t = useT()
  const { modal } = App.useApp()
  const next = useSend(renewNext, { stale: [finalPeople], done: false })
  const run = async () => {
    const { num, changed } = await next.mutateAsync({ itemId: stage.itemId })
    modal.success({ title: t('{{n}} 人入围，{{m}} 人有变化', { n: num, m: changed }) })
  }
  const ask = () =>
    modal.confirm({
      title: t('按现有有效考生更新入围名单：取消资格或放弃的移出名单，空出的名额在“空缺递补”中递补，确定更新?'),
      onOk: () => run().catch(() => undefined),
    })
  return (
    <Button loading={next.isPending} onClick={ask}>
      {t('更新入围名单')} · {stage.itemName}
    </Button>
  )
}

function Lists({ list }: { list: FinalList }) {
  const t = useT()
  const [code, setCode] = useState<string>()
  const out = list.stages.filter(one => one.resultRelease === ReleaseStatus.released)
  const shown = code ? list.positions.filter(one => one.code === code) : list.positions
  if (list.positions.length === 0) return <Nothing text={t('还没有已发布的成绩')} />
  return (
    <>
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        style={{ width: 420, maxWidth: '100%' }}
        aria-label={t('岗位')}
        placeholder={t('全部岗位')}
        value={code}
        onChange={setCode}
        options={list.positions.map(one => ({ value: one.code, label: `${one.code} ${one.unitName} ${one.postName}` }))}
      />
      {shown.slice(0, 50).map(one => (
        <Position key={one.code} of={one} stages={out} />
      ))}
      {shown.length > 50 && (
        <Typography.Text type="secondary">
          {t('还有 {{n}} 个岗位，请选择岗位或导出查看', { n: shown.length - 50 })}
        </Typography.Text>
      )}
    </>
  )
}

/** Who goes on, totals and ranks of an exam, position by position. */
export default function FinalPage() {
  const t = useT()
  const chosen = useExam()
  const { examId } = chosen
  const [mayNext, maySave] = [useCanChange('result_next'), useCan('result_final_export')]
  const list = useEndpoint(finalPeople, { examId }, { enabled: examId !== '' })
  const out = list.data?.stages.filter(one => one.resultRelease === ReleaseStatus.released) ?? []
  const save = () => saveFile(finalWorkbook, { examId }).catch(() => undefined)
  const [printing, setPrinting] = useState(false)
  const print = () => {
    setPrinting(true)
    return saveFile(finalDocument, { examId })
      .catch(() => undefined)
      .finally(() => setPrinting(false))
  }
  if (chosen.isPending) return <PageSkeleton />
  return (
    <Flex vertical gap={16}>
      <ExamPicker chosen={chosen}>
        {list.data?.stages.map(one => (
          <span key={one.itemId}>
            {one.itemName} <DictTag code="release_status" value={one.resultRelease} />
          </span>
        ))}
      </ExamPicker>
      {out.length > 0 && (
        <Flex wrap gap={8}>
          {mayNext && out.map(stage => <NextButton key={stage.itemId} stage={stage} />)}
          {maySave && (
            <>
              <Button icon={<DownloadOutlined aria-hidden />} onClick={save}>
                {t('导出')}
              </Button>
              <Button icon={<PrinterOutlined aria-hidden />} loading={printing} onClick={print}>
                {t('打印名单')}
              </Button>
            </>
          )}
        </Flex>
      )}
      {!examId && <ChooseExam chosen={chosen} />}
      {examId && list.isPending && <PageSkeleton />}
      {list.data && <Lists list={list.data} />}
    </Flex>
  )
}
