import { ArrowDownOutlined, ArrowUpOutlined, DeleteOutlined, SettingOutlined } from '@ant-design/icons'
import { App, Button, type ButtonProps, Empty, Flex, Switch, Table, type TableColumnType, Tag, Typography } from 'antd'
import { useState } from 'react'
import { DictText } from '../../fields/DictText.tsx'
import { call } from '../../http.ts'
import { useT } from '../../i18n.ts'
import { useAct } from '../use-call.ts'
import { ConditionDialog } from './ConditionDialog.tsx'
import type { FormItem } from './types.ts'

const stale = ['/blade-exam/examination/getFormInfo']
const path = '/blade-signitems/examsignitems'

/** A condition in words: `是否应届毕业生 = 否`. */
function conditionText(item: FormItem, items: readonly FormItem[], t: (text: string) => string): string {
  if (!item.showWhen) return ''
  return Object.entries(item.showWhen)
    .map(([code, values]) => `${t(items.find(one => one.itemCode === code)?.itemName ?? code)} = ${values.join(' / ')}`)
    .join('，')
}

/** A small button that shows nothing but a picture. */
function IconButton({ label, ...rest }: { label: string } & ButtonProps) {
  return <Button size="small" type="text" aria-label={label} {...rest} />
}

interface Doing {
  move: (from: number, to: number) => void
  save: (change: Pick<FormItem, 'id'> & Partial<Pick<FormItem, 'required' | 'enable'>>) => void
  edit: (item: FormItem) => void
  remove: (item: FormItem) => void
}

type Columns = TableColumnType<FormItem>[]

/** What an item is. */
function factColumns(items: readonly FormItem[], t: ReturnType<typeof useT>): Columns {
  const condition = (item: FormItem) => conditionText(item, items, t)
  return [
    {
      title: t('显示名称'),
      render: (_, item) => (
        <>
          <div>{t(item.itemName)}</div>
          <Typography.Text type="secondary">{item.itemCode}</Typography.Text>
        </>
      ),
    },
    { title: t('分组'), width: 110, render: (_, item) => <DictText code="item_group" value={item.groupName} /> },
    {
      title: t('控件类型'),
      width: 110,
      render: (_, item) => <DictText code="form_input_type" value={item.inputType} />,
    },
    {
      title: t('显示条件'),
      width: 220,
      render: (_, item) =>
        condition(item) ? (
          <Tag>{condition(item)}</Tag>
        ) : (
          <Typography.Text type="secondary">{t('总是显示')}</Typography.Text>
        ),
    },
  ]
}

/** What can be done with an item in its row: its place first, the others last. */
function actColumns(items: readonly FormItem[], doing: Doing, t: ReturnType<typeof useT>): [Columns, Columns] {
  const { move, save, edit, remove } = doing
  const flag = (title: string, name: 'required' | 'enable'): Columns[number] => ({
    ...{ title, width: 80 },
    render: (_, item) => (
      <Switch
        size="small"
        aria-label={title}
        checked={item[name] === 1}
        onChange={on => save({ id: item.id, [name]: on ? 1 : 0 })}
      />
    ),
  })
  const place: Columns[number] = {
    ...{ title: t('顺序'), width: 96 },
    render: (_, _item, i) => (
      <Flex gap={2}>
        <IconButton label={t('上移')} disabled={i === 0} icon={<ArrowUpOutlined />} onClick={() => move(i, i - 1)} />
        <IconButton
          label={t('下移')}
          disabled={i === items.length - 1}
          icon={<ArrowDownOutlined />}
          onClick={() => move(i, i + 1)}
        />
      </Flex>
    ),
  }
  const buttons: Columns[number] = {
    ...{ title: t('操作'), width: 96 },
    render: (_, item) => (
      <Flex gap={2}>
        <IconButton label={t('条件设置')} icon={<SettingOutlined />} onClick={() => edit(item)} />
        <IconButton label={t('删除')} danger icon={<DeleteOutlined />} onClick={() => remove(item)} />
      </Flex>
    ),
  }
  return [[place], [flag(t('必填'), 'required'), flag(t('启用'), 'enable'), buttons]]
}

/** The form's fields in order: moved up and down, required or not, on or off, shown under a condition. */
export function ItemRows({ examId, items }: { examId: string; items: readonly FormItem[] }) {
  const t = useT()
  const { modal } = App.useApp()
  const [editing, setEditing] = useState<FormItem | null>(null)
  const save = useAct(`${path}/submit`, { stale, done: false })
  const arrange = useAct(`${path}/arrange`, { stale, done: false })
  const move = (from: number, to: number) => {
    const ids = items.map(item => item.id)
    ids.splice(to, 0, ...ids.splice(from, 1))
    arrange.mutate({ examId, ids })
  }
  const remove = (item: FormItem) =>
    modal.confirm({
      title: t('确定将选择数据删除?'),
      content: t(item.itemName),
      onOk: () =>
        call('POST', `${path}/remove`, { params: { ids: item.id } }).then(
          () => arrange.mutate({ examId, ids: items.filter(one => one.id !== item.id).map(one => one.id) }),
          () => undefined,
        ),
    })
  const doing = { move, save: save.mutate, edit: setEditing, remove: (item: FormItem) => void remove(item) }
  const [first, last] = actColumns(items, doing, t)
  return (
    <>
      <Table<FormItem>
        rowKey="id"
        size="small"
        pagination={false}
        loading={save.isPending || arrange.isPending}
        scroll={{ x: 860 }}
        dataSource={[...items]}
        locale={{
          emptyText: <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('还没有信息项，请从库添加')} />,
        }}
        columns={[...first, ...factColumns(items, t), ...last]}
      />
      {editing && <ConditionDialog item={editing} items={items} onClose={() => setEditing(null)} />}
    </>
  )
}
