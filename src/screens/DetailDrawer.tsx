import { useOne } from '@refinedev/core'
import { Descriptions, Drawer, Skeleton, Tabs } from 'antd'
import { type ComponentType, useEffect, useState } from 'react'
import { columnField, type Field, fieldOf, type Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import { columnTitle } from './columns.tsx'
import { Cell } from './fields/cells.tsx'
import { namedCell } from './fields/named-cell.ts'
import { isEmpty, type WireRow } from './fields/props.ts'
import History from './History.tsx'
import ListFailure from './ListFailure.tsx'
import type { ListScreenProps } from './list-props.ts'
import { useMay } from './may.ts'
import { scrollStop } from './scroll-stop.ts'
import { definitionOf } from './window/screens.ts'

interface Props {
  resource: Resource
  row: WireRow
  onClose: () => void
  /** What draws the lists of dependent rows. */
  List: ComponentType<ListScreenProps>
}

interface Part {
  readonly title: string
  readonly names: readonly string[]
}

const WIDE = ['richText', 'longText', 'json']
/** Cells that take the whole width, whatever they show. */
const WIDE_CELLS: readonly unknown[] = ['jobGraph']
const BASE = ['createUser', 'createTime', 'updateUser', 'updateTime']

const isTold = (field: Field | undefined): boolean => field !== undefined && !field.hidden && field.kind !== 'secret'

/** Every visible field once: in the groups of the form, then what the server fills or computes, then who and when. */
function detailParts(resource: Resource): readonly Part[] {
  const groups = resource.form.map(group => ({ title: group.title, names: group.inputs.map(input => input.field) }))
  const grouped = new Set(groups.flatMap(group => group.names))
  const besides = resource.columns
    .map(column => column.field)
    .filter(name => name in resource.derived || name in resource.steps)
  const others = [...Object.keys(resource.entity.properties).filter(name => !grouped.has(name)), ...besides]
  const parts = [...groups, { title: '其他信息', names: others }, { title: '记录', names: BASE }]
  return parts
    .map(({ title, names }) => ({ title, names: names.filter(name => isTold(columnField(resource, name))) }))
    .filter(part => part.names.length > 0)
}

function DetailPart({ resource, row, part }: { resource: Resource; row: WireRow; part: Part }) {
  const t = useT()
  const fieldAt = (name: string): Field => columnField(resource, name) as Field
  // What is computed for a column is short, whatever its shape.
  const isWide = (name: string): boolean =>
    WIDE_CELLS.includes(namedCell(resource, name)) || (!(name in resource.derived) && WIDE.includes(fieldAt(name).kind))
  const narrow = part.names.filter(name => !isWide(name))
  const wide = part.names.filter(isWide)
  const items = [...narrow, ...wide].map((name, at) => ({
    key: name,
    label: columnTitle(resource, name),
    // What is alone in its line takes all of it.
    span: at >= narrow.length || at === narrow.length - 1 ? ('filled' as const) : 1,
    children: <Cell field={fieldAt(name)} name={name} row={row} where="detail" as={namedCell(resource, name)} />,
  }))
  const column = { xs: 1, sm: 1, md: 2 }
  return (
    <section className="detail-part">
      {part.title && <h3>{t(part.title)}</h3>}
      <Descriptions bordered size="small" column={column} items={items} styles={{ label: { width: 160 } }} />
    </section>
  )
}

/** The rows of another resource that point at this one by a field. */
function ChildRows({
  name,
  filter,
  List,
}: Pick<Props, 'List'> & { name: string; filter: Readonly<Record<string, unknown>> }) {
  const [resource, setResource] = useState<Resource>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    definitionOf(name).then(setResource, setError)
  }, [name])
  if (error) throw error
  if (!resource) return <Skeleton active paragraph={{ rows: 4 }} />
  return <List resource={resource} filter={filter} embedded />
}

function Children({ resource, row, List }: Pick<Props, 'resource' | 'row' | 'List'>) {
  const t = useT()
  const id = idOf(resource, row)
  const items = resource.children
    .filter(child => child.resource !== resource.name)
    .map(child => {
      const list = <ChildRows key={child.resource} name={child.resource} filter={{ [child.by]: id }} List={List} />
      return { key: child.resource, label: t(child.label), children: list }
    })
  if (resource.entity.history) {
    const history = <History resource={resource} row={row} />
    items.push({ key: 'history', label: t('变更历史'), children: history })
  }
  return items.length > 0 ? <Tabs items={items} style={{ marginTop: 24 }} destroyOnHidden /> : null
}

/** What the row is and how it is called: a reference by its name, a key of a dictionary by its word. */
function Name({ resource: { entity }, row }: Pick<Props, 'resource' | 'row'>) {
  const t = useT()
  const field = fieldOf(entity, entity.label)
  if (!field || isEmpty(row[entity.label])) return t(entity.title)
  return (
    <>
      {t(entity.title)} · <Cell field={field} name={entity.label} row={row} where="table" />
    </>
  )
}

/** Everything of one row, with the tables of the rows that depend on it. */
export default function DetailDrawer({ resource, row, onClose, List }: Props) {
  const may = useMay(resource)
  const { query } = useOne<WireRow & { id?: string }>({
    resource: resource.name,
    id: idOf(resource, row),
    queryOptions: { enabled: may('view'), retry: false, staleTime: 0 },
  })
  const detail = query.data?.data as WireRow | undefined
  return (
    <Drawer open title={<Name resource={resource} row={row} />} size="min(1080px, 100vw)" onClose={onClose}>
      {query.isError && <ListFailure apart error={query.error} onRetry={() => void query.refetch()} />}
      {query.isLoading && <Skeleton active paragraph={{ rows: 8 }} />}
      {detail && (
        <div ref={scrollStop}>
          {detailParts(resource).map(part => (
            <DetailPart key={part.title} resource={resource} row={detail} part={part} />
          ))}
          <Children resource={resource} row={detail} List={List} />
        </div>
      )}
    </Drawer>
  )
}
