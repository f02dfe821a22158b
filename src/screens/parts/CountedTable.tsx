import { useQuery } from '@tanstack/react-query'
import { Flex, Input, Pagination, type TableColumnType, Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useT } from '../../platform/i18n/i18n.ts'
import { usePaging } from '../paging.tsx'
import { CHIP } from '../use-rows.ts'
import { WideTable } from '../WideTable.tsx'
import { useSmall } from '../window/use-width.ts'
import { NoAnswer } from './NoAnswer.tsx'
import { NoRows } from './NoRows.tsx'

/** A page of people, with how many there are of each kind in all. */
interface Counted<Row, Count extends string> {
  records: Row[]
  total: number
  counts: Record<Count, number>
}

/** What every such list is asked for. */
interface Place {
  readonly name?: string | undefined
  readonly current?: number | undefined
  readonly size?: number | undefined
}

/** One kind of them: the word on its tab, what is asked for, and which count stands beside the word and names it in the address. */
interface Kind<Values, Count extends string> {
  label: string
  query: Partial<Values>
  count: Count
}

/** A column, and where it stands on a card: beside the name, or at the end of the last line. */
export interface CountedColumn<Row> extends TableColumnType<Row> {
  part?: 'state' | 'act'
}

interface Props<Row, Count extends string, Values> {
  /** Where the call stands, for others to say that it is out of date. */
  path: string
  /** Makes the call. */
  read: (values: Values, signal: AbortSignal) => Promise<Counted<Row, Count>>
  /** What is asked for under every tab. */
  query: Values
  /** The tabs in order; the list begins with the first. */
  kinds: readonly Kind<Values, Count>[]
  rowKey: keyof Row & string
  columns: (rows: readonly Row[]) => readonly CountedColumn<Row>[]
  /** What is said where there are no rows of any kind, in the person's language. */
  empty: string
  /** Buttons for what is listed at the moment. */
  tools: (filters: Values, counts: Record<Count, number> | undefined) => ReactNode
  /** What stands behind the table, such as a viewer. */
  children?: (rows: readonly Row[]) => ReactNode
}

const nameOf = <Row extends object>({ key, dataIndex }: CountedColumn<Row>): string => String(key ?? dataIndex)

/** What a column says of a row. */
function said<Row extends object>({ dataIndex, render }: CountedColumn<Row>, row: Row, at: number): ReactNode {
  const value = (row as Readonly<Record<string, unknown>>)[String(dataIndex)]
  return (render ? render(value, row, at) : value) as ReactNode
}

/** The same rows as cards, for windows too narrow for a table. */
function Cards<Row extends object>({
  rows,
  rowKey,
  columns,
}: {
  rows: readonly Row[]
  rowKey: keyof Row & string
  columns: readonly CountedColumn<Row>[]
}) {
  const [first, second, ...values] = columns.filter(({ part }) => !part)
  const placed = (part: CountedColumn<Row>['part'], row: Row, at: number) =>
    columns.filter(one => one.part === part).map(one => <span key={nameOf(one)}>{said(one, row, at)}</span>)
  return (
    <ul className="row-cards">
      {rows.map((row, at) => (
        <li key={String(row[rowKey])} className="row-card short">
          <div className="row-card-head">
            <div className="row-card-name">{first && said(first, row, at)}</div>
            {placed('state', row, at)}
          </div>
          <div className="row-card-line">{second && said(second, row, at)}</div>
          <div className="row-card-line">
            <span className="row-card-values">
              {values.map(one => (
                <span key={nameOf(one)}>
                  <span className="row-card-label">{String(one.title)}</span> {said(one, row, at)}
                </span>
              ))}
            </span>
            <span className="row-card-buttons">{placed('act', row, at)}</span>
          </div>
        </li>
      ))}
    </ul>
  )
}

/**
 * The kind, name and page that stand in the address: each kind in a step of its own, so that going back undoes it.
 * @param every the kind that an empty name stands for
 */
function usePart<Count extends string>(counts: readonly Count[], every: Count | undefined) {
  const [params, setParams] = useSearchParams()
  const put = (values: Readonly<Record<string, string | number>>, options?: { replace: boolean }): void =>
    setParams(now => {
      const next = new URLSearchParams(now)
      next.delete('current')
      for (const [key, value] of Object.entries(values)) next.set(key, String(value))
      return next
    }, options)
  return {
    kind: params.get(CHIP) === '' ? every : (counts.find(count => count === params.get(CHIP)) ?? counts[0]),
    name: params.get('name') ?? '',
    place: { current: Number(params.get('current') ?? 1), size: Number(params.get('size') ?? 10) },
    put,
  }
}

/** People in tabs with their counts, found by name, page by page. */
export function CountedTable<Row extends object, Count extends string, Values extends Place>(
  props: Props<Row, Count, Values>,
) {
  const { path, read, query, kinds, rowKey, columns, empty, tools, children } = props
  const t = useT()
  const paging = usePaging()
  const small = useSmall()
  const every = kinds.find(one => Object.keys(one.query).length === 0)
  const { kind, name, place, put } = usePart(
    kinds.map(({ count }) => count),
    every?.count,
  )
  const [typed, setTyped] = useState(name)
  const tab = kinds.find(({ count }) => count === kind)
  const filters: Values = { ...query, ...tab?.query, ...(name && { name }) }
  const values: Values = { ...filters, ...place }
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: [path, values],
    queryFn: ({ signal }) => read(values, signal),
  })
  if (isError) return <NoAnswer error={error} onRetry={() => void refetch()} />
  const records = data?.records ?? []
  const shown = columns(records)
  const seeAll = (): void => {
    setTyped('')
    put({ name: '', ...(every && { [CHIP]: every.count }) })
  }
  const chip = name || tab === every ? undefined : tab?.label
  const nothing = <NoRows none={empty} limited={name !== '' || tab !== every} chip={chip} onClear={seeAll} />
  return (
    <>
      <Flex wrap gap={8} justify="space-between">
        <Input.Search
          allowClear
          style={{ width: 240 }}
          placeholder={t('姓名')}
          aria-label={t('姓名')}
          value={typed}
          onChange={event => setTyped(event.target.value)}
          onSearch={value => put({ name: value.trim() }, { replace: true })}
        />
        {tools(filters, data?.counts)}
      </Flex>
      <Tabs
        activeKey={kind}
        onChange={next => put({ [CHIP]: next })}
        items={kinds.map(({ label, count }) => ({
          key: count,
          label: data ? `${t(label)} ${data.counts[count]}` : t(label),
        }))}
      />
      {small && records.length > 0 && <Cards rows={records} rowKey={rowKey} columns={shown} />}
      {small && records.length === 0 && !isFetching && nothing}
      {!small && (
        <WideTable<Row>
          label={t('名单')}
          rowKey={rowKey}
          size="middle"
          loading={isFetching}
          dataSource={records}
          columns={[...shown]}
          width={shown.reduce((sum, { width }) => sum + Number(width ?? 0), 0)}
          locale={{ emptyText: data ? nothing : ' ' }}
          pagination={false}
        />
      )}
      {(data?.total ?? 0) > 0 && (
        <Pagination
          {...paging}
          align="end"
          simple={small}
          current={place.current}
          pageSize={place.size}
          total={data?.total ?? 0}
          onChange={(current, size) => put({ size, current: size === place.size ? current : 1 }, { replace: true })}
        />
      )}
      {children?.(records)}
    </>
  )
}
