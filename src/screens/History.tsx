import { Skeleton } from 'antd'
import type { ReactNode } from 'react'
import { callOf, fieldOf, type historyChangeShape, type historyEntryShape, type Resource, type Wire } from '#engine'
import { isMissing } from '../platform/http/browser/absent.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { Cell } from './fields/cells.tsx'
import { isEmpty, type WireRow } from './fields/props.ts'
import ListFailure from './ListFailure.tsx'
import { Nothing } from './parts/Nothing.tsx'
import { useEndpoint } from './parts/use-endpoint.ts'
import { WideTable } from './WideTable.tsx'

type Entry = Wire<typeof historyEntryShape>
type Change = Wire<typeof historyChangeShape>

/** A value of a field, drawn as the detail draws it; of what is large or secret there is no value to draw. */
export function Changed({ resource, change }: { resource: Resource; change: Change }): ReactNode {
  const t = useT()
  const { field: name, from, to, fromName, toName } = change
  const field = fieldOf(resource.entity, name)
  if (!field) return null
  const value = (one: unknown, label: string) => (
    <Cell field={field} name={name} row={{ [name]: one, [`${name}Name`]: label } as WireRow} where="detail" />
  )
  return (
    <div>
      {t(field.title)}：
      {isEmpty(from) && isEmpty(to) ? (
        t('内容已修改')
      ) : (
        <>
          {value(from, fromName)} → {value(to, toName)}
        </>
      )}
    </div>
  )
}

/** Who changed which fields of a row, from what to what, when and why: the newest first. */
export default function History({ resource, row }: { resource: Resource; row: WireRow }): ReactNode {
  const t = useT()
  const query = useEndpoint(callOf(resource, 'history'), { [resource.entity.key]: idOf(resource, row) })
  // Another Blade server keeps none.
  if (isMissing(query.error)) return <Nothing small picture="letter" text={t('没有变更记录')} />
  if (query.isError) return <ListFailure apart error={query.error} onRetry={() => void query.refetch()} />
  if (!query.data) return <Skeleton active paragraph={{ rows: 4 }} />
  return (
    <WideTable<Entry>
      label={t('变更历史')}
      rowKey="id"
      size="small"
      dataSource={query.data}
      pagination={{ pageSize: 10, hideOnSinglePage: true }}
      width="max-content"
      columns={[
        { title: t('时间'), dataIndex: 'time', width: 170 },
        { title: t('操作人'), key: 'user', width: 120, render: (_, one) => one.userName || one.userId },
        { title: t('操作'), key: 'act', width: 120, render: (_, one) => t(one.actName) },
        {
          title: t('变更内容'),
          key: 'changes',
          render: (_, one) =>
            one.changes.map(change => <Changed key={change.field} resource={resource} change={change} />),
        },
        { title: t('原因'), dataIndex: 'reason', width: 200 },
      ]}
    />
  )
}
