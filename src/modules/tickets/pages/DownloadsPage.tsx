import { Card, Flex, Select, Tag } from 'antd'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { ValuesOf } from '#engine'
import { PicState } from '#schemas/dictionaries/exam'
import { call } from '../../../platform/http/browser/call.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictText } from '../../../screens/fields/DictText.tsx'
import { shortTime } from '../../../screens/fields/short-time.ts'
import { useCanChange } from '../../../screens/may.ts'
import { type CountedColumn, CountedTable } from '../../../screens/parts/CountedTable.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { TwoLines } from '../../../screens/parts/TwoLines.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import RowLink from '../../../screens/RowLink.tsx'
import { ShowsRows } from '../../../screens/ShowsRows.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { type DownKind, type DownRow, downloadList, ticketList } from '../contract.ts'
import '../../../screens/row-buttons.css'
import { DownTools } from './DownTools.tsx'
import { hasPictures, MaterialViewer } from './MaterialViewer.tsx'

/** The register in parts. */
const kinds = [
  { label: '未下载', query: { downloaded: 0 }, count: 'missing' },
  { label: '材料待核验', query: { picState: PicState.uploaded }, count: 'waiting' },
  { label: '材料不合格', query: { picState: PicState.rejected }, count: 'refused' },
  { label: '已下载', query: { downloaded: 1 }, count: 'downloaded' },
  { label: '全部', query: {}, count: 'total' },
] as const

function columnsOf(t: ReturnType<typeof useT>, view: (row: DownRow) => void): CountedColumn<DownRow>[] {
  const columns: CountedColumn<DownRow>[] = [
    {
      title: t('姓名'),
      key: 'name',
      width: 190,
      fixed: 'left',
      ellipsis: true,
      render: (_, row) => (
        <TwoLines below={row.ticketNo}>
          <RowLink entity="examinationticket" id={row.ticketId}>
            {row.name}
          </RowLink>
        </TwoLines>
      ),
    },
    {
      title: t('考场座位'),
      key: 'seat',
      width: 250,
      ellipsis: true,
      render: (_, row) => (
        <TwoLines
          below={
            <>
              {row.code} <DictText code="recruit_unit" value={row.unit} />
            </>
          }
        >
          {row.roomNo} - {row.seatNo}
        </TwoLines>
      ),
    },
    {
      title: t('下载情况'),
      key: 'state',
      width: 110,
      part: 'state',
      render: (_, row) =>
        row.downloaded === 1 ? <Tag color="success">{t('已下载')}</Tag> : <Tag color="warning">{t('未下载')}</Tag>,
    },
    {
      title: t('材料状态'),
      key: 'pictures',
      width: 170,
      ellipsis: true,
      render: (_, row) => (
        <TwoLines below={row.picRemark}>
          <DictText code="pic_state" value={row.picState} />
        </TwoLines>
      ),
    },
    {
      title: t('须知'),
      key: 'consent',
      width: 124,
      render: (_, row) => (row.sureTime ? shortTime(row.sureTime) : '—'),
    },
    {
      title: t('下载次数'),
      key: 'times',
      width: 130,
      render: (_, row) => (
        <TwoLines below={row.lastDownTime && shortTime(row.lastDownTime)}>{row.downNum || '—'}</TwoLines>
      ),
    },
  ]
  const look = (_: unknown, row: DownRow) => (
    <div className="row-buttons">
      {hasPictures(row) ? (
        <button type="button" onClick={() => view(row)}>
          {t('材料查看')}
        </button>
      ) : (
        <RowLink entity="examinationticket" id={row.ticketId}>
          {t('查看')}
        </RowLink>
      )}
    </div>
  )
  return [...columns, { title: t('操作'), key: 'act', width: 110, fixed: 'right', part: 'act', render: look }]
}

function Register({ examId, itemId }: { examId: string; itemId: string }) {
  const t = useT()
  const mayCheck = useCanChange('ticketnotice_check')
  const [viewed, view] = useState<string>()
  return (
    <CountedTable<DownRow, DownKind, ValuesOf<typeof downloadList>>
      path={downloadList.path}
      read={(values, signal) => call(downloadList, values, { signal })}
      query={{ examId, itemId }}
      kinds={kinds}
      rowKey="ticketId"
      columns={() => columnsOf(t, row => view(row.id))}
      empty={t('发布准考证后这里有记录')}
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
  const here = usePlaceRow('examination')
  const stages = useEndpoint(ticketList, { size: 200 })
  const known = (stages.data?.records ?? [])
    .filter(one => 'releasedNum' in one)
    .filter(one => !here || one.examId === here)
  const stage = known.find(one => one.itemId === params.get('itemId')) ?? known.find(one => one.releasedNum > 0)
  if (stages.isPending) return <PageSkeleton />
  return (
    <Card>
      <Flex vertical gap={16}>
        <Select
          showSearch={{ optionFilterProp: 'label' }}
          style={{ width: 480, maxWidth: '100%' }}
          aria-label={t(here ? '考试项目' : '考试')}
          placeholder={t(here ? '请选择考试项目' : '请选择考试')}
          value={stage?.itemId}
          options={known.map(one => ({
            value: one.itemId,
            label: here ? one.itemName : `${one.examName} · ${one.itemName}`,
          }))}
          onChange={itemId => setParams({ itemId }, { replace: true })}
        />
        {stage ? (
          <ShowsRows>
            <Register key={stage.itemId} examId={stage.examId} itemId={stage.itemId} />
          </ShowsRows>
        ) : (
          <Nothing picture="ticket" text={t('还没有发布的准考证')} />
        )}
      </Flex>
    </Card>
  )
}
