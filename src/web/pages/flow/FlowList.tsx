import { ReloadOutlined } from '@ant-design/icons'
import { Button, Empty, type TableColumnType, Tooltip } from 'antd'
import { useId, useState } from 'react'
import { PageSkeleton } from '../../chrome/PageSkeleton.tsx'
import { DictSelect } from '../../fields/DictSelect.tsx'
import { useT } from '../../i18n.ts'
import ListFailure from '../../screens/ListFailure.tsx'
import { PAGE_SIZES } from '../../screens/page-sizes.ts'
import { useRead } from '../use-call.ts'
import { DiagramDialog, type Shown } from './DiagramDialog.tsx'
import { RowActions, type Way } from './RowActions.tsx'
import '../../screens/screens.css'
import { WideTable } from '../../screens/WideTable.tsx'

/** One line of a list of processes or tasks. */
export interface FlowRow {
  readonly id?: string
  readonly taskId?: string
  readonly taskName?: string
  readonly processInstanceId?: string
  readonly processDefinitionId?: string
  readonly businessId?: string
  readonly processDefinitionName: string
  readonly key?: string
  readonly category: string | number
  readonly version?: number
  readonly suspensionState?: number
  readonly assignee?: string
  readonly createTime?: string
  readonly endTime?: string
  readonly deployTime?: string
}

interface Props {
  title: string
  path: string
  columns: TableColumnType<FlowRow>[]
  /** The page that a row leads to. */
  way?: Way
}

const keyOf = (row: FlowRow): string => row.taskId ?? row.id ?? row.processInstanceId ?? row.processDefinitionName

/** A list of processes or tasks, narrowed by category. */
export function FlowList({ title, path, columns, way }: Props) {
  const t = useT()
  const [shown, show] = useState<Shown>()
  // Lists of other tabs stay in the document.
  const id = useId()
  const [category, setCategory] = useState<string>()
  const [{ current, size }, turn] = useState({ current: 1, size: 10 })
  const list = useRead<{ records: FlowRow[]; total: number }>(path, { current, size, ...(category && { category }) })
  const rows = list.data?.records ?? []
  return (
    <div className="list-screen">
      <search className="search-bar">
        <div className="search-item">
          <label htmlFor={id}>{t('流程分类')}</label>
          <DictSelect
            id={id}
            code="flow"
            value={category}
            onChange={next => {
              setCategory(next === undefined ? undefined : String(next))
              turn({ current: 1, size })
            }}
          />
        </div>
      </search>
      <div className="list-body">
        <div className="list-bar">
          <h1>{t(title)}</h1>
          <Tooltip title={t('刷新')}>
            <Button icon={<ReloadOutlined />} aria-label={t('刷新')} onClick={() => void list.refetch()} />
          </Tooltip>
        </div>
        {list.isError && <ListFailure error={list.error} onRetry={() => void list.refetch()} />}
        {list.isPending && <PageSkeleton />}
        {list.data && rows.length === 0 && (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description={category ? t('没有符合条件的数据') : t('没有数据：流程引擎尚未开放，目前只能维护流程模型')}
          />
        )}
        {rows.length > 0 && (
          <WideTable<FlowRow>
            label={t(title)}
            rowKey={keyOf}
            dataSource={rows}
            columns={[
              ...columns,
              {
                ...{ key: 'actions', title: t('操作'), fixed: 'right' },
                render: (_, row) => <RowActions {...{ row, way, onDiagram: show }} />,
              },
            ]}
            scroll={{ x: 'max-content' }}
            pagination={{ current, pageSize: size, total: list.data?.total ?? 0, pageSizeOptions: PAGE_SIZES }}
            onChange={at => turn({ current: at.current ?? 1, size: at.pageSize ?? size })}
          />
        )}
      </div>
      {shown && <DiagramDialog of={shown} onClose={() => show(undefined)} />}
    </div>
  )
}
