import { useQuery } from '@tanstack/react-query'
import { Flex, Input, Pagination, type TableColumnType, Tabs } from 'antd'
import { type ReactNode, useState } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'
import { usePaging } from '../paging.tsx'
import { WideTable } from '../WideTable.tsx'
import { useSmall } from '../window/use-width.ts'
import { NoAnswer } from './NoAnswer.tsx'

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

/** One kind of them: the word on its tab, what is asked for, and which count stands beside the word. */
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

/** People in tabs with their counts, found by name, page by page. */
export function CountedTable<Row extends object, Count extends string, Values extends Place>(
  props: Props<Row, Count, Values>,
) {
  const { path, read, query, kinds, rowKey, columns, tools, children } = props
  const t = useT()
  const paging = usePaging()
  const small = useSmall()
  const [tab, setTab] = useState('0')
  const [name, setName] = useState('')
  const [place, setPlace] = useState({ current: 1, size: 10 })
  const filters: Values = { ...query, ...kinds[Number(tab)]?.query, ...(name && { name }) }
  const values: Values = { ...filters, ...place }
  const { data, error, isError, isFetching, refetch } = useQuery({
    queryKey: [path, values],
    queryFn: ({ signal }) => read(values, signal),
  })
  const first = () => setPlace({ ...place, current: 1 })
  if (isError) return <NoAnswer error={error} onRetry={() => void refetch()} />
  const records = data?.records ?? []
  const shown = columns(records)
  return (
    <>
      <Flex wrap gap={8} justify="space-between">
        <Input.Search
          allowClear
          style={{ width: 240 }}
          placeholder={t('姓名')}
          aria-label={t('姓名')}
          onSearch={value => {
            setName(value.trim())
            first()
          }}
        />
        {tools(filters, data?.counts)}
      </Flex>
      <Tabs
        activeKey={tab}
        onChange={next => {
          setTab(next)
          first()
        }}
        items={kinds.map(({ label, count }, at) => ({
          key: String(at),
          label: data ? `${t(label)} ${data.counts[count]}` : t(label),
        }))}
      />
      {small && records.length > 0 ? (
        <Cards rows={records} rowKey={rowKey} columns={shown} />
      ) : (
        <WideTable<Row>
          label={t('名单')}
          rowKey={rowKey}
          size="middle"
          loading={isFetching}
          dataSource={records}
          columns={[...shown]}
          width={shown.reduce((sum, { width }) => sum + Number(width ?? 0), 0)}
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
          onChange={(current, size) => setPlace({ current: size === place.size ? current : 1, size })}
        />
      )}
      {children?.(records)}
    </>
  )
}
