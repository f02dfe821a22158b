import { Table } from 'antd'
import type { ReactNode } from 'react'
import type { Wire, wrongCellShape } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'

/** What is wrong with a row of a workbook, as the server says it. */
export type WrongRow = Wire<typeof wrongCellShape>

/** What is wrong with a workbook, row by row. */
export function WrongRows({ rows }: { rows: readonly WrongRow[] }): ReactNode {
  const t = useT()
  return (
    <Table<WrongRow>
      size="small"
      tableLayout="fixed"
      rowKey={one => `${one.row}-${one.column}-${one.msg}`}
      dataSource={[...rows]}
      pagination={{ pageSize: 10, hideOnSinglePage: true, showSizeChanger: false }}
      columns={[
        { title: t('行'), dataIndex: 'row', width: 64 },
        { title: t('列'), dataIndex: 'column', width: '32%', render: text => t(String(text ?? '')) },
        { title: t('原因'), dataIndex: 'msg', render: text => t(String(text)) },
      ]}
    />
  )
}
