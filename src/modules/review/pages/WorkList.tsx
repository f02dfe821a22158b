import { Button, Flex, Input, Pagination, Select, Typography } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import ChosenBar from '../../../screens/ChosenBar.tsx'
import { grouped } from '../../../screens/fields/number.ts'
import { usePaging } from '../../../screens/paging.tsx'
import { NoAnswer } from '../../../screens/parts/NoAnswer.tsx'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { ShowsRows } from '../../../screens/ShowsRows.tsx'
import { SELECTION, WideTable } from '../../../screens/WideTable.tsx'
import { useSmall } from '../../../screens/window/use-width.ts'
import { usePlaceRow } from '../../../screens/workspace/place.ts'
import { reviewExams, reviewUnits, type WorkPage, type WorkRow, workList } from '../contract.ts'
import { filterNames } from '../rules/list-filter.ts'
import { ALL, type ListChip, listChips, type WorkChip } from '../rules/work-chips.ts'
import { useBatchPass } from './use-batch-pass.tsx'
import { WorkCards } from './WorkCards.tsx'
import { workColumns } from './work-columns.tsx'
import { fixed, type ListKind, reviewAddress } from './work-kinds.ts'
import '../../../screens/view-chips.css'
import './work-list.css'

/** What named filters are called. */
const chipWords: Readonly<Record<WorkChip, string>> = {
  own: '我的',
  fresh: '首次提交',
  again: '退回后重提',
  wrong: '有不符',
  late: '超 24 小时',
  today: '今天',
  mine: '我的',
  rejected: '不通过',
  returned: '已退回',
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
        style={{ minWidth: 140, flex: '0 1 auto' }}
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
      <Input.Search
        allowClear
        style={{ flex: '0 1 260px' }}
        placeholder={t('姓名、报名号')}
        aria-label={t('姓名、报名号')}
        defaultValue={params.get('keyword') ?? ''}
        onSearch={value => put('keyword', value.trim())}
      />
    </Flex>
  )
}

interface HeadProps {
  kind: ListKind
  counters: WorkPage['counters'] | undefined
  first: WorkRow | undefined
  search: string
  /** What is listed has been decided. */
  isDecided: boolean
}

/** A list's address with the filters of this one, and the part of it that a number counts. */
function partAddress(kind: ListKind, part: 'wait' | 'done', search: string): string {
  const query = new URLSearchParams(search)
  for (const name of ['part', 'chip', 'current']) query.delete(name)
  const isFirst = kind === 'waiting' || kind === 'done'
  if (!isFirst && part === 'done') query.set('part', part)
  const path = isFirst ? (part === 'done' ? '/examine/done' : '/examine/list') : ''
  return `${path}?${query}`
}

/** The named filters of a list with their numbers; all of it is one, too. They stand in the address. */
function Chips({ kind, counters, chosen }: Pick<HeadProps, 'kind' | 'counters'> & { chosen: ListChip | undefined }) {
  const t = useT()
  const [params, setParams] = useSearchParams()
  if (kind !== 'waiting' && kind !== 'done') return null
  const choose = (chip: string): void => {
    const next = new URLSearchParams(params)
    next.delete('current')
    next.set('chip', chip)
    setParams(next)
  }
  const chips: readonly ListChip[] = listChips[kind]
  const all = kind === 'waiting' ? counters?.wait : counters?.done
  const each = chips.map(chip =>
    chip === ALL ? ([ALL, '全部', all] as const) : ([chip, chipWords[chip], counters?.chips[chip]] as const),
  )
  return (
    <fieldset className="view-chips work-chips" aria-label={t('筛选')}>
      {each.map(([chip, word, number]) => (
        <button key={word} type="button" aria-pressed={chosen === chip} onClick={() => choose(chip)}>
          {t(word)}
          {number !== undefined && <span>{grouped(number)}</span>}
        </button>
      ))}
    </fieldset>
  )
}

/** How much waits, each number leading to what it counts, and the way into the first of it. */
function Head({ kind, counters, first, search, isDecided }: HeadProps) {
  const t = useT()
  const go = useNavigate()
  const counts: (readonly [string, number, ('wait' | 'done')?])[] | undefined = counters && [
    ['待审', counters.wait, 'wait'],
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

/** What leaves a part of a list out. */
const limiting = filterNames.filter(name => name !== 'examId')

/** The named filter that a list is asked for: that of its address, or `first`, of which the server knows which it is. */
function chipAsked(kind: ListKind, asked: string | undefined): ListChip | 'first' {
  if (kind !== 'waiting' && kind !== 'done') return ALL
  const chips: readonly ListChip[] = listChips[kind]
  return chips.find(chip => chip === asked) ?? (asked ? ALL : 'first')
}

/** Where nothing waits: how to see all, or what is done. */
function NoWork({
  kind,
  isDecided,
  limited,
  search,
}: Pick<HeadProps, 'kind' | 'isDecided' | 'search'> & { limited: boolean }) {
  const t = useT()
  const none = isDecided ? t('还没有审核记录') : t('都审完了')
  return (
    <Nothing small picture={limited ? 'magnifier' : 'tray'} text={limited ? t('没有符合条件的数据') : none}>
      <Flex gap={8} justify="center">
        {limited && (
          <Link to={`?chip=${ALL}`}>
            <Button>{t('清除筛选')}</Button>
          </Link>
        )}
        {!isDecided && (
          <Link to={partAddress(kind, 'done', search)}>
            <Button>{t('看已审')}</Button>
          </Link>
        )}
      </Flex>
    </Nothing>
  )
}

/** A reviewer's work list: what waits in the reviewer's own scope, how much of it, and the way into it. */
export function WorkList({ kind }: { kind: ListKind }) {
  const t = useT()
  const paging = usePaging()
  const [params, setParams] = useAsked()
  const [chosen, setChosen] = useState<string[]>([])
  const { chip: asked, ...filter }: Record<string, string> = Object.fromEntries(params)
  const wanted = chipAsked(kind, asked)
  const list = useEndpoint(workList, {
    current: 1,
    size: 30,
    sort: kind === 'done' ? '-submitTime' : 'submitTime',
    ...fixed[kind],
    ...filter,
    ...(wanted !== ALL && { chip: wanted }),
  })
  const chip = wanted === 'first' ? list.data && (list.data.chip || ALL) : wanted
  const page = (current: number, size: number) => {
    const next = new URLSearchParams(params)
    next.set('current', String(current))
    next.set('size', String(size))
    // Whoever turns the page stays in what is listed, whatever has rows by then.
    if (chip && wanted === 'first') next.set('chip', chip)
    setParams(next, { replace: true })
  }
  const shown = new URLSearchParams(params)
  if (!chip || chip === ALL) shown.delete('chip')
  else shown.set('chip', chip)
  const search = shown.toString()
  const small = useSmall()
  const rows = list.data?.records ?? []
  const total = list.data?.total ?? 0
  const isLimited = limiting.some(one => shown.has(one))
  const isDecided = kind === 'done' || params.get('part') === 'done'
  const columns = workColumns({ kind, t, search, isDecided })
  const clear = () => setChosen([])
  const pass = useBatchPass(chosen, clear)
  const isChoosable = kind === 'waiting' && pass !== undefined
  const nothing = <NoWork kind={kind} isDecided={isDecided} limited={isLimited} search={search} />
  return (
    <ShowsRows>
      <Head
        kind={kind}
        counters={list.data?.counters}
        first={list.data?.records[0]}
        search={search}
        isDecided={isDecided}
      />
      <Filters kind={kind} />
      <Chips kind={kind} counters={list.data?.counters} chosen={chip} />
      {list.isError && <NoAnswer error={list.error} onRetry={() => void list.refetch()} />}
      {isChoosable && chosen.length > 0 && <ChosenBar number={chosen.length} buttons={[pass]} onClear={clear} />}
      {small && rows.length > 0 && <WorkCards kind={kind} rows={rows} search={search} isDecided={isDecided} />}
      {small && rows.length === 0 && !list.isFetching && nothing}
      {!small && (
        <WideTable<WorkRow>
          label={t('报名')}
          rowKey="signUpId"
          size="middle"
          loading={list.isFetching}
          columns={columns}
          dataSource={rows}
          width={columns.reduce((sum, { width }) => sum + Number(width), isChoosable ? SELECTION : 0)}
          rowSelection={
            isChoosable ? { selectedRowKeys: chosen, onChange: keys => setChosen(keys.map(String)) } : undefined
          }
          locale={{ emptyText: nothing }}
          pagination={false}
        />
      )}
      {total > 0 && (
        <Pagination
          {...paging}
          className="work-pages"
          align="end"
          simple={small}
          current={Number(filter.current ?? 1)}
          pageSize={Number(filter.size ?? 30)}
          total={total}
          onChange={page}
          showTotal={n => t('共 {{n}} 条', { n })}
        />
      )}
    </ShowsRows>
  )
}
