import { ArrowUpOutlined, DeleteOutlined } from '@ant-design/icons'
import { Button, Checkbox, Flex, Input, InputNumber, Select, type TableColumnType, Typography } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { DictSelect } from '../../../screens/fields/DictSelect.tsx'
import { WideTable } from '../../../screens/WideTable.tsx'
import type { Prototype } from '../contract.ts'
import { movedUp, propertyTypes } from './prototype.ts'

interface Props {
  rows: readonly Prototype[]
  onChange: (rows: readonly Prototype[]) => void
}

type Change = (row: Prototype, change: Partial<Prototype>) => void
type Column = TableColumnType<Prototype>

const switches = {
  isList: '列表显示',
  isForm: '表单显示',
  isRow: '独占一行',
  isRequired: '必填',
  isUnique: '唯一',
  isState: '状态',
  isQuery: '查询',
} as const

const lengths = { jdbcComment: 500, propertyName: 50, dictCode: 50, uniqueGroup: 20, defaultValue: 255 } as const

function useColumns(change: Change): Column[] {
  const t = useT()
  const typed = (name: keyof typeof lengths, title: string, width: number): Column => ({
    key: name,
    title: t(title),
    width,
    render: (_, row) => (
      <Input
        size="small"
        aria-label={`${t(title)} ${row.jdbcName}`}
        value={row[name]}
        maxLength={lengths[name]}
        onChange={event => change(row, { [name]: event.target.value })}
      />
    ),
  })
  const chosen = (name: 'componentType' | 'queryType', title: string, code: string): Column => ({
    key: name,
    title: t(title),
    width: 130,
    render: (_, row) => (
      <DictSelect
        aria-label={`${t(title)} ${row.jdbcName}`}
        code={code}
        value={row[name]}
        onChange={next => change(row, { [name]: String(next ?? '') })}
      />
    ),
  })
  const ticked = Object.entries(switches).map(
    ([name, title]): Column => ({
      key: name,
      title: t(title),
      width: 84,
      align: 'center',
      render: (_, row) => (
        <Checkbox
          aria-label={`${t(title)} ${row.jdbcName}`}
          checked={row[name as keyof typeof switches] === 1}
          onChange={event => change(row, { [name]: event.target.checked ? 1 : 0 })}
        />
      ),
    }),
  )
  const column: Column = {
    key: 'jdbcName',
    title: t('物理列名'),
    width: 180,
    fixed: 'left',
    render: (_, row) => (
      <>
        {row.jdbcName} <Typography.Text type="secondary">{row.jdbcType}</Typography.Text>
      </>
    ),
  }
  const type: Column = {
    key: 'propertyType',
    title: t('属性类型'),
    width: 150,
    render: (_, row) => (
      <Select
        size="small"
        style={{ width: '100%' }}
        aria-label={`${t('属性类型')} ${row.jdbcName}`}
        value={row.propertyType}
        options={Object.keys(propertyTypes).map(value => ({ value, label: value }))}
        onChange={propertyType => change(row, { propertyType, propertyEntity: propertyTypes[propertyType] ?? '' })}
      />
    ),
  }
  const length: Column = {
    key: 'maxLength',
    title: t('最大长度'),
    width: 100,
    render: (_, row) => (
      <InputNumber
        size="small"
        min={1}
        max={10_485_760}
        precision={0}
        style={{ width: '100%' }}
        aria-label={`${t('最大长度')} ${row.jdbcName}`}
        value={row.maxLength === '' ? null : Number(row.maxLength)}
        onChange={next => change(row, { maxLength: next ?? '' })}
      />
    ),
  }
  return [
    column,
    typed('jdbcComment', '注释', 180),
    typed('propertyName', '属性名', 150),
    type,
    length,
    ...ticked,
    typed('uniqueGroup', '组合唯一', 110),
    chosen('componentType', '组件类型', 'component_type'),
    typed('dictCode', '字典编码', 140),
    typed('defaultValue', '默认值', 120),
    chosen('queryType', '查询方式', 'query_type'),
  ]
}

/** The fields of a model as a table to type in; the order is the order seen. */
export function FieldsTable({ rows, onChange }: Props) {
  const t = useT()
  const columns = useColumns((row, change) => onChange(rows.map(one => (one === row ? { ...one, ...change } : one))))
  const buttons: Column = {
    key: 'buttons',
    title: t('操作'),
    width: 96,
    fixed: 'right',
    render: (_, row, at) => (
      <Flex>
        <Button
          type="text"
          size="small"
          icon={<ArrowUpOutlined aria-hidden />}
          disabled={at === 0}
          aria-label={`${t('上移')} ${row.jdbcName}`}
          onClick={() => onChange(movedUp(rows, at))}
        />
        <Button
          type="text"
          size="small"
          danger
          icon={<DeleteOutlined aria-hidden />}
          aria-label={`${t('删除')} ${row.jdbcName}`}
          onClick={() => onChange(rows.filter(one => one !== row))}
        />
      </Flex>
    ),
  }
  return (
    <WideTable<Prototype>
      label={t('字段配置')}
      size="small"
      rowKey="jdbcName"
      dataSource={[...rows]}
      columns={[...columns, buttons]}
      pagination={false}
      width="max-content"
    />
  )
}
