import { Button, Card, Flex, Select, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ValuesOf } from '#engine'
import { PicState } from '#schemas/dictionaries/exam'
import { call } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { CountedTable } from '../../../screens/parts/CountedTable.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { useCan } from '../../../screens/providers/rights.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { type DownKind, type DownRow, downloadList, ticketList } from '../contract.ts'
import { DownTools } from './DownTools.tsx'
import { hasPictures, MaterialViewer } from './MaterialViewer.tsx'

/** The register in parts. */
const kinds = [
  { label: '全部', query: {}, count: 'total' },
  { label: '未下载', query: { downloaded: 0 }, count: 'missing' },
  { label: '已下载', query: { downloaded: 1 }, count: 'downloaded' },
  { label: '材料待核验', query: { picState: PicState.uploaded }, count: 'waiting' },
  { label: '材料不合格', query: { picState: PicState.rejected }, count: 'refused' },
] as const

function columnsOf(t: ReturnType<typeof useT>, rows: readonly DownRow[], view: (row: DownRow) => void) {
  const columns = [
    { title: t('姓名'), dataIndex: 'name', width: 110, fixed: 'left' as const },
    { title: t('准考证号'), dataIndex: 'ticketNo', width: 190 },
    {
      title: t('报考单位'),
      dataIndex: 'unit',
      width: 240,
      render: (unit: string) => <DictText code="recruit_unit" value={unit} />,
    },
    { title: t('岗位代码'), dataIndex: 'code', width: 110 },
    { title: t('考场座位'), width: 110, render: (_: unknown, row: DownRow) => `${row.roomNo} - ${row.seatNo}` },
    {
      title: t('下载情况'),
      width: 110,
      render: (_: unknown, row: DownRow) =>
        row.downloaded === 1 ? <Tag color="success">{t('已下载')}</Tag> : <Tag color="warning">{t('未下载')}</Tag>,
    },
    { title: t('下载次数'), dataIndex: 'downNum', width: 100, align: 'right' as const },
    { title: t('最近下载'), dataIndex: 'lastDownTime', width: 176 },
    {
      title: t('材料状态'),
      dataIndex: 'picState',
      width: 110,
      render: (state: number) => <DictText code="pic_state" value={state} />,
    },
    { title: t('材料意见'), dataIndex: 'picRemark', width: 180, ellipsis: true },
  ]
  if (!rows.some(hasPictures)) return columns
  const look = (_: unknown, row: DownRow) =>
    hasPictures(row) ? (
      <Button type="link" size="small" onClick={() => view(row)}>
        {t('材料查看')}
      </Button>
    ) : null
  return [...columns, { title: t('操作'), width: 110, fixed: 'right' as const, render: look }]
}

function Register({ examId, itemId }: { examId: string; itemId: string }) {
  const t = useT()
  const mayCheck = useCan('ticketnotice_check')
  const [viewed, view] = useState<string>()
  return (
    <CountedTable<DownRow, DownKind, ValuesOf<typeof downloadList>>
      path={downloadList.path}
      read={(values, signal) => call(downloadList, values, { signal })}
      query={{ examId, itemId }}
      kinds={kinds}
      rowKey="ticketId"
      columns={rows => columnsOf(t, rows, row => view(row.id))}
      tools={(filters, counts) => (
        <DownTools examId={examId} itemId={itemId} filters={filters} missing={counts?.missing ?? 0} />
      )}
    >
      {rows => viewed && <MaterialViewer rows={[...rows]} id={viewed} mayCheck={mayCheck} onMove={view} />}
    </CountedTable>
  )
}

/** Who has downloaded the ticket of a stage and who has not, and the pictures handed in before. */
export default function DownloadsPage() {
  const t = useT()
  const [params, setParams] = useSearchParams()
  const stages = useEndpoint(ticketList, { size: 200 })
  const known = (stages.data?.records ?? []).filter(one => 'releasedNum' in one)
  const stage = known.find(one => one.itemId === params.get('itemId')) ?? known.find(one => one.releasedNum > 0)
  if (stages.isPending) return <PageSkeleton />
  return (
    <Card>
      <Flex vertical gap={16}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          style={{ width: 480, maxWidth: '100%' }}
          aria-label={t('考试')}
          placeholder={t('请选择考试')}
          value={stage?.itemId}
          options={known.map(one => ({ value: one.itemId, label: `${one.examName} · ${one.itemName}` }))}
          onChange={itemId => setParams({ itemId }, { replace: true })}
        />
        {stage ? (
          <Register key={stage.itemId} examId={stage.examId} itemId={stage.itemId} />
        ) : (
          <Nothing picture="ticket" text={t('还没有发布的准考证')} />
        )}
      </Flex>
    </Card>
  )
}
