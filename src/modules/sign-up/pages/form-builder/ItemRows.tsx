import { BranchesOutlined, DeleteOutlined, SafetyOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { App, Button, type ButtonProps, Flex, Switch, type TableColumnType, Tag, Typography } from 'antd'
import { useState } from 'react'
import { callOf } from '#engine'
import { examsignitems } from '#resources/exams/examsignitems'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { ArrangingStatus, DragHandle } from '../../../../screens/DragHandle.tsx'
import { DictText } from '../../../../screens/fields/DictText.tsx'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { useSend } from '../../../../screens/parts/use-endpoint.ts'
import { type Arranging, useArranging } from '../../../../screens/use-arranging.ts'
import { WideTable } from '../../../../screens/WideTable.tsx'
import { type FormItem, formInfo } from '../../../exams/contract.ts'
import { ConditionDialog, conditionSources } from './ConditionDialog.tsx'
import { hasRules, RulesDialog } from './RulesDialog.tsx'

const saving = callOf(examsignitems, 'submit')

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
  /** Nothing is changed any more. */
  isFixed: boolean
  arranging: Arranging
  save: (change: Pick<FormItem, 'id'> & Partial<Pick<FormItem, 'required' | 'enable'>>) => void
  edit: (item: FormItem) => void
  rule: (item: FormItem) => void
  remove: (item: FormItem) => void
}

type Columns = TableColumnType<FormItem>[]

/** What an item is. */
function factColumns(items: readonly FormItem[], t: ReturnType<typeof useT>): Columns {
  const condition = (item: FormItem) => conditionText(item, items, t)
  return [
    {
      title: t('显示名称'),
      width: 200,
      render: (_, item) => (
        <>
          <div>{t(item.itemName)}</div>
          <Typography.Text type="secondary">{item.itemCode}</Typography.Text>
        </>
      ),
    },
    { title: t('分组'), width: 130, render: (_, item) => <DictText code="item_group" value={item.groupName} /> },
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
  const { isFixed, arranging, save, edit, rule, remove } = doing
  const flag = (title: string, name: 'required' | 'enable'): Columns[number] => ({
    title,
    width: 80,
    render: (_, item) => (
      <Switch
        size="small"
        aria-label={title}
        disabled={isFixed}
        checked={item[name] === 1}
        onChange={on => save({ id: item.id, [name]: on ? 1 : 0 })}
      />
    ),
  })
  const nameOf = (id: string) => t(items.find(item => item.id === id)?.itemName ?? '')
  const place: Columns[number] = {
    width: 64,
    fixed: 'left',
    title: t('顺序'),
    render: (_, { id }) => <DragHandle arranging={arranging} id={id} name={nameOf(id)} />,
  }
  const buttons: Columns[number] = {
    title: t('操作'),
    width: 128,
    render: (_, item) => (
      <Flex gap={2}>
        <IconButton label={t('条件设置')} icon={<BranchesOutlined aria-hidden />} onClick={() => edit(item)} />
        {hasRules(item) && (
          <IconButton label={t('校验规则')} icon={<SafetyOutlined aria-hidden />} onClick={() => rule(item)} />
        )}
        <IconButton label={t('删除')} danger icon={<DeleteOutlined aria-hidden />} onClick={() => remove(item)} />
      </Flex>
    ),
  }
  const flags = [flag(t('必填'), 'required'), flag(t('启用'), 'enable')]
  return isFixed ? [[], flags] : [[place], [...flags, buttons]]
}

interface Props {
  items: readonly FormItem[]
  /** Nothing is changed any more: they are only read. */
  isFixed?: boolean
}

/** The form's fields in order: put at another place, required or not, on or off, shown under a condition. */
export function ItemRows({ items, isFixed = false }: Props) {
  const t = useT()
  const { modal } = App.useApp()
  const [editing, setEditing] = useState<FormItem | null>(null)
  const [ruled, setRuled] = useState<FormItem | null>(null)
  const save = useSend(saving, { stale: [formInfo], done: false })
  const client = useQueryClient()
  const reload = () => client.invalidateQueries({ queryKey: [formInfo.path] })
  const arranging = useArranging(
    items.map(item => item.id),
    async ids => {
      await call(callOf(examsignitems, 'arrange'), { ids: ids.join(',') })
      await reload()
    },
  )
  const remove = (item: FormItem) =>
    modal.confirm({
      title: t('确定将选择数据删除?'),
      content: t(item.itemName),
      onOk: () => call(callOf(examsignitems, 'remove'), { ids: item.id }).then(reload, () => undefined),
    })
  const doing = {
    isFixed,
    arranging,
    save: save.mutate,
    edit: setEditing,
    rule: setRuled,
    remove: (item: FormItem) => void remove(item),
  }
  const [first, last] = actColumns(items, doing, t)
  return (
    <>
      <ArrangingStatus arranging={arranging} nameOf={id => t(items.find(item => item.id === id)?.itemName ?? '')} />
      <WideTable<FormItem>
        label={t('信息项')}
        rowKey="id"
        size="small"
        pagination={false}
        loading={save.isPending || arranging.busy}
        width={1060}
        dataSource={arranging.order.flatMap(id => items.find(item => item.id === id) ?? [])}
        rowClassName={item => (item.id === arranging.lifted ? 'lifted-row' : '')}
        locale={{
          emptyText: <Nothing small picture="letter" text={t('还没有信息项，请从库添加')} />,
        }}
        columns={[...first, ...factColumns(items, t), ...last]}
      />
      {editing && (
        <ConditionDialog
          saving={saving}
          row={{ id: editing.id, name: editing.itemName, showWhen: editing.showWhen }}
          sources={conditionSources(items, editing.id)}
          onClose={() => setEditing(null)}
        />
      )}
      {ruled && <RulesDialog item={ruled} onClose={() => setRuled(null)} />}
    </>
  )
}
