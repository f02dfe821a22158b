import { useState } from 'react'
import type { Column, Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import ListScreen from './ListScreen.tsx'
import { Nothing } from './parts/Nothing.tsx'
import type { TableRow } from './use-rows.ts'

interface Props {
  resource: Resource
  /** Side by side, or one over the other. */
  side: boolean
}

/** Pixels of columns side by side, so that those of both tables are seen in a window of 1366. */
const narrow: Readonly<Record<string, number>> = {
  code: 120,
  dictValue: 108,
  dictKey: 92,
  sort: 86,
  isSealed: 64,
  remark: 112,
}

/** A resource with narrow columns, some of them folded away: shown in the detail, and in the list by whoever chooses them. */
const narrowed = (resource: Resource, folded: readonly string[]): Resource => ({
  ...resource,
  columns: resource.columns.map(
    (column): Column => ({
      ...column,
      width: narrow[column.field] ?? column.width,
      ...(folded.includes(column.field) && { folded: true }),
    }),
  ),
})

/** Two levels of one resource: the groups, and what belongs to the chosen one. Nothing is added below without a group. */
export function DictScreen({ resource, side }: Props) {
  const t = useT()
  const [parent, setParent] = useState<TableRow>()
  const child = resource.children[0]
  const id = parent && idOf(resource, parent)
  const title = parent
    ? `${t(child?.label ?? '')} · ${String(parent[resource.entity.label] ?? '')}`
    : (child?.label ?? '')
  return (
    <div className={side ? 'dict-screen abreast' : 'dict-screen'}>
      <ListScreen
        // The key of a group says nothing: only what belongs to it has keys.
        resource={side ? narrowed(resource, ['dictKey', 'remark']) : resource}
        compact={side}
        onRow={setParent}
        current={id}
      />
      {child && id && parent ? (
        <ListScreen
          key={id}
          resource={side ? narrowed(resource, ['remark']) : resource}
          compact={side}
          filter={{ [child.by]: id, code: parent.code }}
          title={title}
          embedded
        />
      ) : (
        <div className="list-body">
          <Nothing small text={t('请先在上级字典中选择一行')} />
        </div>
      )}
    </div>
  )
}
