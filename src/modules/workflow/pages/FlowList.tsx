import { ReloadOutlined } from '@ant-design/icons'
import { Button, Checkbox, Space, type TableColumnType, Tooltip } from 'antd'
import { type ReactNode, useId, useState } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictSelect } from '../../../screens/fields/DictSelect.tsx'
import ListFailure from '../../../screens/ListFailure.tsx'
import { usePaging } from '../../../screens/paging.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { WideTable } from '../../../screens/WideTable.tsx'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { useSmall } from '../../../screens/window/use-width.ts'
import type {
  allRuns,
  claimable,
  copies,
  deployedProcesses,
  doneTasks,
  ownRuns,
  startable,
  waitingTasks,
} from '../contract.ts'
import { DiagramDialog, type Shown } from './DiagramDialog.tsx'
import { FlowCards } from './FlowCards.tsx'
import type { FlowRow } from './flow-row.ts'
import { RowActions, type Way } from './RowActions.tsx'
import '../../../screens/screens.css'
import './flow.css'
import { Nothing } from '../../../screens/parts/Nothing.tsx'

/** The lists of processes. */
type Lists =
  | typeof startable
  | typeof claimable
  | typeof waitingTasks
  | typeof ownRuns
  | typeof copies
  | typeof doneTasks
  | typeof allRuns
  | typeof deployedProcesses

/** What a list of processes is made of. */
export interface FlowListProps {
  title: string
  list: Lists
  columns: TableColumnType<FlowRow>[]
  /** Said when there is nothing. */
  empty: string
  /** The page that a row leads to. */
  way?: Way | undefined
  /** Further buttons of a row. */
  more?: ((row: FlowRow) => ReactNode) | undefined
  /** Whether those that cannot go on may be looked for. */
  hasIncidents?: boolean
  /** Buttons above the list. */
  tools?: ReactNode
}

const keyOf = (row: FlowRow): string => row.taskId || row.id || row.processInstanceId || row.processDefinitionName

function CategorySearch({ value, onChange }: { value?: string | undefined; onChange: (next?: string) => void }) {
  const t = useT()
  // Lists of other tabs stay in the document.
  const id = useId()
  return (
    <search className="search-bar">
      <div className="search-item">
        <label htmlFor={id}>{t('流程分类')}</label>
        <DictSelect
          id={id}
          code={'flow'}
          value={value}
          onChange={next => onChange(next === undefined ? undefined : String(next))}
        />
      </div>
    </search>
  )
}

interface RowsProps extends Pick<FlowListProps, 'title' | 'columns'> {
  rows: readonly FlowRow[]
  buttons: (row: FlowRow) => ReactNode
  at: { current: number; pageSize: number; total: number }
  onTurn: (current: number, size: number) => void
}

/** The rows, as a table or as cards. */
function Rows({ title, rows, columns, buttons, at, onTurn }: RowsProps) {
  const t = useT()
  const small = useSmall()
  if (small)
    return (
      <FlowCards
        rows={rows}
        keyOf={keyOf}
        columns={columns}
        buttons={buttons}
        at={at}
        onTurn={(page: number) => onTurn(page, at.pageSize)}
      />
    )
  return (
    <WideTable<FlowRow>
      label={t(title)}
      rowKey={keyOf}
      dataSource={rows}
      columns={[...columns, { key: 'actions', title: t('操作'), fixed: 'right', render: (_, row) => buttons(row) }]}
      width="max-content"
      pagination={at}
      onChange={next => onTurn(next.current ?? 1, next.pageSize ?? at.pageSize)}
    />
  )
}

/** A list of processes or tasks, narrowed by category. */
export function FlowList({ title, list: endpoint, columns, empty, way, more, tools, hasIncidents }: FlowListProps) {
  const t = useT()
  const [shown, show] = useState<Shown>()
  const [category, setCategory] = useState<string>()
  const [incident, setIncident] = useState(false)
  const [{ current, size }, turn] = useState({ current: 1, size: 10 })
  const list = useEndpoint<Lists>(endpoint, {
    current,
    size,
    ...(category && { category }),
    ...(incident && { incident: '1' as const }),
  })
  const rows: readonly FlowRow[] = list.data?.records ?? []
  const narrow = (next?: string): void => {
    setCategory(next)
    turn({ current: 1, size })
  }
  const buttons = (row: FlowRow): ReactNode => (
    <RowActions row={row} way={way} onDiagram={show}>
      {more?.(row)}
    </RowActions>
  )
  const at = { ...usePaging(), current, pageSize: size, total: list.data?.total ?? 0 }
  return (
    <div className="list-screen">
      <CategorySearch value={category} onChange={narrow} />
      <div className="list-body">
        <div className="list-bar">
          <Space wrap>
            {hasIncidents && (
              <Checkbox
                checked={incident}
                onChange={event => {
                  setIncident(event.target.checked)
                  turn({ current: 1, size })
                }}
              >
                {t('只看异常')}
              </Checkbox>
            )}
            {tools}
            <Tooltip title={t('刷新')}>
              <Button
                icon={<ReloadOutlined aria-hidden />}
                aria-label={t('刷新')}
                onClick={() => void list.refetch()}
              />
            </Tooltip>
          </Space>
        </div>
        {list.isError && <ListFailure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <PageSkeleton />}
        {list.data && rows.length === 0 && (
          <Nothing small text={t(category || incident ? '没有符合条件的数据' : empty)} />
        )}
        {rows.length > 0 && (
          <Rows
            title={title}
            rows={rows}
            columns={columns}
            buttons={buttons}
            at={at}
            onTurn={(page, of) => turn({ current: page, size: of })}
          />
        )}
      </div>
      {shown && <DiagramDialog of={shown} onClose={() => show(undefined)} />}
    </div>
  )
}
