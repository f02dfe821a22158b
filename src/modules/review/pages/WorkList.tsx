import { Badge, Button, Flex, Input, Segmented, Select, Space, type TableColumnsType, Tag, Typography } from 'antd'
import { type ReactNode, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { ExamineStage, ExamineStatus, ReviewStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictTag } from '../../../screens/fields/DictText.tsx'
import { usePaging } from '../../../screens/paging.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { reviewExams, reviewUnits, type WorkPage, type WorkRow, workList } from '../contract.ts'
import { BatchPass } from './BatchPass.tsx'
import { PrecheckTag } from './PrecheckTag.tsx'
import './work-list.css'
import { Nothing } from '../../../screens/parts/Nothing.tsx'

/** Which list: first reviews to do, reviews done, second reviews to do, choices of another position to decide. */
export type ListKind = 'waiting' | 'done' | 'second' | 'move'

/** Stage and part of each list: what is counted above it is counted by the same two. */
const fixed: Record<ListKind, { stage: 1 | 2 | 3; part: 'wait' | 'done' }> = {
  waiting: { stage: ExamineStage.first, part: 'wait' },
  done: { stage: ExamineStage.first, part: 'done' },
  second: { stage: ExamineStage.second, part: 'wait' },
  move: { stage: ExamineStage.reassignment, part: 'wait' },
}

/** Which number of an exam says how much waits in a list. */
const waits = { waiting: 'wait', done: 'wait', second: 'check', move: 'move' } as const

type Put = (name: string, value: string | undefined) => void

/** What the list is asked for: what stands in the address, and the exam in whose workspace it is. */
function useAsked() {
  const [params, setParams] = useSearchParams()
  const exam = usePlaceRow('examination')
  const asked = new URLSearchParams(params)
  if (exam) asked.set('examId', exam)
  return [asked, setParams] as const
}

/** Exam, unit and position, each among those of the one before. */
function Places({ kind, params, put }: { kind: ListKind; params: URLSearchParams; put: Put }) {
  const t = useT()
  const isFixed = usePlaceRow('examination') !== undefined
  const exams = useEndpoint(reviewExams, {}, { enabled: !isFixed })
  const examId = params.get('examId') ?? ''
  const units = useEndpoint(reviewUnits, { examId }, { enabled: examId !== '' })
  const codes = units.data?.find(one => one.unit === params.get('unit'))?.codes ?? []
  return (
    <>
      {isFixed || (
        <Select
          allowClear
          style={{ minWidth: 240, flex: '1 1 240px', maxWidth: 420 }}
          placeholder={t('全部考试')}
          aria-label={t('考试')}
          value={examId || undefined}
          onChange={value => put('examId', value)}
          options={(exams.data ?? []).map(one => ({
            value: one.examId,
            label: kind === 'done' ? one.examName : `${one.examName}（${one[waits[kind]]}）`,
          }))}
        />
      )}
      <Select
        allowClear
        showSearch={{ optionFilterProp: 'label' }}
        style={{ minWidth: 180, flex: '1 1 180px', maxWidth: 300 }}
        disabled={!examId}
        placeholder={t('全部单位')}
        aria-label={t('单位')}
        value={params.get('unit') ?? undefined}
        onChange={value => put('unit', value)}
        options={(units.data ?? []).map(one => ({ value: one.unit, label: one.unitName }))}
      />
      <Select
        allowClear
        style={{ minWidth: 140 }}
        disabled={!params.get('unit')}
        placeholder={t('全部岗位')}
        aria-label={t('岗位')}
        value={params.get('code') ?? undefined}
        onChange={value => put('code', value)}
        options={codes.map(one => ({ value: one.code, label: `${one.code} ${one.postName}` }))}
      />
    </>
  )
}

/** The choosers above the list; what is chosen stands in the address, so that back keeps it. */
function Filters({ kind }: { kind: ListKind }) {
  const t = useT()
  const [params, setParams] = useAsked()
  const put: Put = (name, value) => {
    const next = new URLSearchParams(params)
    if (value) next.set(name, value)
    else next.delete(name)
    if (name === 'examId') for (const below of ['unit', 'code']) next.delete(below)
    next.delete('current')
    setParams(next, { replace: true })
  }
  return (
    <Flex wrap gap={8} style={{ marginBottom: 12 }}>
      <Places kind={kind} params={params} put={put} />
      <Select
        allowClear
        style={{ minWidth: 130 }}
        placeholder={t('资格预检')}
        aria-label={t('资格预检')}
        value={params.get('precheckLevel') ?? undefined}
        onChange={value => put('precheckLevel', value)}
        options={[
          { value: '1', label: t('全部通过') },
          { value: '2', label: t('有提醒') },
          { value: '3', label: t('有不符') },
        ]}
      />
      <Input.Search
        allowClear
        style={{ width: 200 }}
        placeholder={t('姓名')}
        aria-label={t('姓名')}
        defaultValue={params.get('name') ?? ''}
        onSearch={value => put('name', value.trim())}
      />
      {kind === 'waiting' && (
        <Segmented
          value={params.get('again') ?? ''}
          onChange={value => put('again', String(value))}
          options={[
            { value: '', label: t('全部') },
            { value: '0', label: t('首次提交') },
            { value: '1', label: t('退回后重提') },
          ]}
        />
      )}
    </Flex>
  )
}

/** The page of one sign-up, which knows the list it was opened from. */
const reviewAddress = (id: string, kind: ListKind, search: string): string =>
  `/examine/info/${id}?stage=${fixed[kind].stage}${search ? `&${search}` : ''}`

function columnsOf(
  kind: ListKind,
  t: (text: string) => string,
  search: string,
  isDecided: boolean,
): TableColumnsType<WorkRow> {
  const open = (row: WorkRow) => reviewAddress(row.signUpId, kind, search)
  return [
    {
      title: t('姓名'),
      dataIndex: 'name',
      fixed: 'left',
      width: 110,
      render: (name: string, row) => <Link to={open(row)}>{name}</Link>,
    },
    { title: t('报名号'), dataIndex: 'signNo', width: 150 },
    {
      title: t('报考岗位'),
      width: 260,
      render: (_, row) => (
        <>
          <div>{row.unitName}</div>
          <Typography.Text type="secondary">
            {row.code} {row.postName}
          </Typography.Text>
        </>
      ),
    },
    ...(kind === 'move' ? [{ title: t('原岗位'), dataIndex: 'oldCode', width: 110 }] : []),
    {
      title: t('学历 / 专业'),
      width: 170,
      render: (_, row) => (
        <>
          <div>{row.educationName}</div>
          <Typography.Text type="secondary">{row.major}</Typography.Text>
        </>
      ),
    },
    { title: t('年龄'), dataIndex: 'age', width: 70 },
    { title: t('资格预检'), width: 100, render: (_, row) => <PrecheckTag level={row.precheckMax} /> },
    { title: t('提交时间'), dataIndex: 'submitTime', width: 170 },
    {
      title: t('状态'),
      width: 170,
      render: (_, row) => (
        <Space size={4} wrap>
          {kind === 'move' ? (
            <DictTag code="reduce_state" value={row.reduceState} />
          ) : (
            <DictTag code="examine_status" value={row.examine} />
          )}
          {row.examine === ExamineStatus.pending && Number(row.submitCount) > 1 && (
            <Tag color="orange">{t('退回后重提')}</Tag>
          )}
          {row.claimedBy && (
            <Tag>
              {row.claimedBy} {t('正在审核')}
            </Tag>
          )}
          {kind !== 'waiting' && row.reviewStatus > ReviewStatus.pending && (
            <DictTag code="review_status" value={row.reviewStatus} />
          )}
        </Space>
      ),
    },
    ...(kind === 'waiting'
      ? []
      : [{ title: t('审核人'), width: 110, render: (_: unknown, row: WorkRow) => row.examineUserName }]),
    {
      title: t('操作'),
      fixed: 'right' as const,
      width: 90,
      render: (_, row) => <Link to={open(row)}>{isDecided ? t('查看') : t('审核')}</Link>,
    },
  ]
}

interface HeadProps {
  kind: ListKind
  counters: WorkPage['counters'] | undefined
  first: WorkRow | undefined
  search: string
  /** What is listed has been decided. */
  isDecided: boolean
  children: ReactNode
}

/** A list's address with the filters of this one, and the part of it that a number counts. */
function partAddress(kind: ListKind, part: 'wait' | 'again' | 'done', search: string): string {
  const query = new URLSearchParams(search)
  for (const name of ['part', 'again', 'current']) query.delete(name)
  if (part === 'again') query.set('again', '1')
  const isFirst = kind === 'waiting' || kind === 'done'
  if (!isFirst && part === 'done') query.set('part', part)
  const path = isFirst ? (part === 'done' ? '/examine/done' : '/examine/list') : ''
  return `${path}?${query}`
}

/** How much waits, each number leading to what it counts, and the way into the first of it. */
function Head({ kind, counters, first, search, isDecided, children }: HeadProps) {
  const t = useT()
  const go = useNavigate()
  const counts: (readonly [string, number, ('wait' | 'again' | 'done')?])[] | undefined = counters && [
    ['待审', counters.wait, 'wait'],
    ...(kind === 'waiting' ? ([['退回后重提', counters.again, 'again']] as const) : []),
    ['已审', counters.done, 'done'],
    ['我今日已审', counters.today],
  ]
  return (
    <Flex wrap gap={24} align="center" style={{ marginBottom: 16 }}>
      {counts?.map(([label, count, part]) => (
        <Flex key={label} vertical>
          <Typography.Text type="secondary">{t(label)}</Typography.Text>
          {part ? (
            <Link to={partAddress(kind, part, search)} className="work-count" aria-label={`${t(label)} ${count}`}>
              {count}
            </Link>
          ) : (
            <span className="work-count">{count}</span>
          )}
        </Flex>
      ))}
      <span style={{ flex: 1 }} />
      {children}
      {kind !== 'done' && !isDecided && (
        <Button
          type="primary"
          disabled={!first}
          onClick={() => first && go(reviewAddress(first.signUpId, kind, search))}
        >
          {t('开始审核')}
        </Button>
      )}
    </Flex>
  )
}

/** A reviewer's work list: what waits in the reviewer's own scope, how much of it, and the way into it. */
export function WorkList({ kind }: { kind: ListKind }) {
  const t = useT()
  const paging = usePaging()
  const [params, setParams] = useAsked()
  const [chosen, setChosen] = useState<string[]>([])
  const filter = Object.fromEntries(params)
  const list = useEndpoint(workList, {
    current: 1,
    size: 30,
    sort: kind === 'done' ? '-submitTime' : 'submitTime',
    ...fixed[kind],
    ...filter,
  })
  const page = (current: number, size: number) => {
    const next = new URLSearchParams(params)
    next.set('current', String(current))
    next.set('size', String(size))
    setParams(next, { replace: true })
  }
  const search = params.toString()
  const isDecided = kind === 'done' || params.get('part') === 'done'
  return (
    <>
      <Head
        kind={kind}
        counters={list.data?.counters}
        first={list.data?.records[0]}
        search={search}
        isDecided={isDecided}
      >
        {kind === 'waiting' && <BatchPass ids={chosen} onDone={() => setChosen([])} />}
      </Head>
      <Filters kind={kind} />
      {list.isError && <NoAnswer error={list.error} onRetry={() => void list.refetch()} />}
      <WideTable<WorkRow>
        label={t('报名')}
        rowKey="signUpId"
        size="middle"
        loading={list.isFetching}
        columns={columnsOf(kind, t, search, isDecided)}
        dataSource={list.data?.records ?? []}
        width={1180}
        rowSelection={
          kind === 'waiting' ? { selectedRowKeys: chosen, onChange: keys => setChosen(keys.map(String)) } : undefined
        }
        locale={{
          emptyText: <Nothing small text={isDecided ? t('还没有审核记录') : t('没有待审核的报名')} />,
        }}
        pagination={{
          ...paging,
          current: Number(filter.current ?? 1),
          pageSize: Number(filter.size ?? 30),
          total: list.data?.total ?? 0,
          onChange: page,
          showTotal: total => <Badge count={0}>{t('共 {{n}} 条', { n: total })}</Badge>,
        }}
      />
    </>
  )
}
