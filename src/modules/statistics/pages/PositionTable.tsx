import { Table, type TableColumnType, Tag } from 'antd'
import { useT } from '../../../platform/i18n/i18n.ts'
import { usePaging } from '../../../screens/paging.tsx'
import { WideTable } from '../../../screens/WideTable.tsx'
import type { PositionLine } from '../contract.ts'

type Column = readonly [name: keyof PositionLine, title: string, width: number]

const words: readonly Column[] = [
  ['unitName', '单位', 190],
  ['typeName', '岗位类别', 84],
  ['code', '岗位代码', 84],
  ['postName', '岗位名称', 130],
]

const numbers: readonly Column[] = [
  ['planNum', '招聘计划数', 106],
  ['curPlanNum', '核减后计划数', 118],
  ['bmrs', '报名人数', 94],
  ['wshrs', '未审核', 80],
  ['shtgrs', '审核通过', 94],
  ['shbtgrs', '审核不通过', 106],
  ['thrs', '退回修改', 122],
  ['fszrs', '复审中', 104],
  ['jfrs', '缴费人数', 94],
  ['openRatio', '开考比例', 94],
  ['ratio', '实际比例', 94],
]

const figure = (row: PositionLine, name: keyof PositionLine): number => Number(row[name] || 0)

/** Figures of every position, sortable by each, with their sum. */
export function PositionTable({ rows, total }: { rows: readonly PositionLine[]; total: PositionLine | undefined }) {
  const t = useT()
  const paging = usePaging()
  const columns: TableColumnType<PositionLine>[] = [
    ...words.map(([name, title, width], i) => ({
      key: name,
      dataIndex: name,
      title: t(title),
      width,
      ...(i === 0 ? { fixed: 'left' as const } : {}),
      render: (text: string) => (name === 'typeName' ? t(text) : text),
    })),
    ...numbers.map(([name, title, width]) => ({
      key: name,
      dataIndex: name,
      title: t(title),
      width,
      align: 'right' as const,
      sorter: (a: PositionLine, b: PositionLine) => figure(a, name) - figure(b, name),
    })),
    {
      key: 'reach',
      dataIndex: 'reach',
      title: t('达到开考比例'),
      width: 120,
      render: (reach: PositionLine['reach']) =>
        reach !== '' && <Tag color={reach ? 'success' : 'error'}>{t(reach ? '是' : '否')}</Tag>,
    },
  ]
  return (
    <WideTable<PositionLine>
      label={t('岗位')}
      size="small"
      rowKey="code"
      columns={columns}
      dataSource={[...rows]}
      width={1692}
      pagination={{ ...paging, defaultPageSize: 30 }}
      summary={() =>
        total && (
          <Table.Summary fixed>
            <Table.Summary.Row>
              <Table.Summary.Cell index={0} colSpan={words.length}>
                {t('合计')}
              </Table.Summary.Cell>
              {numbers.map(([name], i) => (
                <Table.Summary.Cell key={name} index={words.length + i} align="right">
                  <strong>{total[name]}</strong>
                </Table.Summary.Cell>
              ))}
              <Table.Summary.Cell index={words.length + numbers.length} />
            </Table.Summary.Row>
          </Table.Summary>
        )
      }
    />
  )
}
