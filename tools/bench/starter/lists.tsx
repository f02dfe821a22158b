import { DeleteButton, List, Show, ShowButton, useTable } from '@refinedev/antd'
import { type BaseRecord, useShow } from '@refinedev/core'
import { Space, Table, Typography } from 'antd'

type Columns = Readonly<Record<string, string>>

/** Columns of the two lists: those that the product shows. */
export const signupColumns: Columns = {
  signNo: 'Number',
  name: 'Name',
  examIdName: 'Exam',
  finalUnit: 'Unit',
  finalCode: 'Position',
  sex: 'Sex',
  idCard: 'ID number',
  phone: 'Phone',
  signStatus: 'Status',
  examine: 'Review',
  submitTime: 'Submitted',
  payState: 'Payment',
  ticketState: 'Ticket',
}

/** See {@link signupColumns}. */
export const postColumns: Columns = {
  postName: 'Name',
  postCode: 'Code',
  category: 'Category',
  sort: 'Order',
  remark: 'Remark',
}

/** A list of a resource. */
export function Rows({ columns }: { columns: Columns }) {
  const { tableProps } = useTable({ syncWithLocation: true })
  return (
    <List>
      <Table {...tableProps} rowKey="id">
        {Object.entries(columns).map(([field, title]) => (
          <Table.Column key={field} dataIndex={field} title={title} />
        ))}
        <Table.Column
          title="Actions"
          dataIndex="actions"
          render={(_, record: BaseRecord) => (
            <Space>
              <ShowButton hideText size="small" recordItemId={record.id} />
              <DeleteButton hideText size="small" recordItemId={record.id} />
            </Space>
          )}
        />
      </Table>
    </List>
  )
}

/** A row of a resource. */
export function ShowRow() {
  const { query } = useShow()
  return (
    <Show isLoading={query.isLoading}>
      {Object.entries(query.data?.data ?? {}).map(([field, value]) => (
        <Typography.Paragraph key={field}>
          {field}: {String(value)}
        </Typography.Paragraph>
      ))}
    </Show>
  )
}
