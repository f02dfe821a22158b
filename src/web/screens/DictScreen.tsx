import { Empty } from 'antd'
import { useState } from 'react'
import type { Resource } from '#engine'
import { useT } from '../i18n.ts'
import { idOf } from './actions.ts'
import ListScreen from './ListScreen.tsx'
import type { TableRow } from './use-rows.ts'

interface Props {
  resource: Resource
  /** Side by side, or one over the other. */
  side: boolean
}

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
      <ListScreen resource={resource} onRow={setParent} current={id} />
      {child && id && parent ? (
        <ListScreen
          key={id}
          resource={resource}
          filter={{ [child.by]: id, code: parent.code }}
          title={title}
          embedded
        />
      ) : (
        <div className="list-body">
          <Empty image={Empty.PRESENTED_IMAGE_SIMPLE} description={t('请先在上级字典中选择一行')} />
        </div>
      )}
    </div>
  )
}
