import { DownOutlined } from '@ant-design/icons'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { App, Button, Dropdown } from 'antd'
import { lazy, type ReactNode, Suspense, useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Resource } from '#engine'
import { savedview } from '#resources/system/savedview'
import type { ViewContent } from '#schemas/system/savedview'
import { call } from '../platform/http/browser/call.ts'
import { useT } from '../platform/i18n/i18n.ts'
import { actionsAt } from './actions.ts'
import { countSavedViews, dropSavedView, keepSavedView, type SavedView, savedViews } from './contract.ts'
import { grouped } from './fields/number.ts'
import { useMay } from './may.ts'
import { usePreference } from './preferences.ts'
import { filtersToQuery } from './providers/query.ts'
import { absolute, holdsDay, keptLike, relative } from './relative-days.ts'
import type { TableSettings } from './table-settings.ts'
import { useActions } from './use-actions.tsx'
import { CHIP, linked, type Rows, VIEW, type Viewed } from './use-rows.ts'
import type { Naming } from './ViewName.tsx'
import { doneText } from './window/toasts.tsx'
import './view-chips.css'

interface Props {
  resource: Resource
  table: Rows
  /** How the list is drawn now. */
  settings: TableSettings
  /** Draws it otherwise, as long as a view is looked at. */
  onSettings: (settings: TableSettings | undefined) => void
}

/** The views of a list that whoever asks may use. */
function useViews(resource: Resource) {
  const { data, refetch, isFetched } = useQuery({
    queryKey: [savedViews.path],
    queryFn: ({ signal }) => call(savedViews, {}, { signal, pass: 'all' }),
    staleTime: 60_000,
    retry: false,
  })
  const own = Array.isArray(data) ? data.filter(one => one.resource === resource.name) : undefined
  return { views: own, isKnown: isFetched, reload: () => void refetch() }
}

/** How many rows each view has here, by its id: one call, asked again whenever the rows are. */
function useNumbers(
  resource: Resource,
  hasViews: boolean,
  { filters, own, tableQuery }: Rows,
): ReadonlyMap<string, number> {
  const fixed = filters.filter(one => !own.includes(one) && !('field' in one && one.field === CHIP))
  const query = { resource: resource.name, within: JSON.stringify(filtersToQuery(fixed)) }
  const { data = [] } = useQuery({
    queryKey: [countSavedViews.path, query, tableQuery.dataUpdatedAt],
    queryFn: ({ signal }) => call(countSavedViews, query, { signal, pass: 'all' }),
    enabled: hasViews && tableQuery.dataUpdatedAt > 0,
    placeholderData: keepPreviousData,
    retry: false,
  })
  // Other Blade servers count none.
  return new Map(Array.isArray(data) ? data.map(({ id, number }) => [id, Number(number)] as const) : [])
}

/** What the list shows now, as a view keeps it. */
function contentOf(
  { own, sorters, pageSize, chip }: Rows,
  settings: TableSettings,
  daysOf: (filters: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): ViewContent {
  const [sorter] = sorters
  return {
    ...settings,
    filters: daysOf(filtersToQuery(own)),
    pageSize,
    ...(sorter && { sort: `${sorter.order === 'desc' ? '-' : ''}${sorter.field}` }),
    ...(chip.name && { chip: chip.name }),
  }
}

// Few views are named.
const ViewName = lazy(() => import('./ViewName.tsx'))

/** The views of a list that were saved or shared, and what can be done with them. The one that is looked at stands in the address. */
export default function SavedViews({ resource, table, settings, onSettings }: Props): ReactNode {
  const t = useT()
  const { message, modal } = App.useApp()
  const [query, setQuery] = useSearchParams()
  const { views = [], isKnown, reload } = useViews(resource)
  const numbers = useNumbers(resource, views.length > 0, table)
  const [kept, keep] = usePreference<Viewed>(`table.${resource.name}`)
  const may = useMay(savedview)
  const sharing = useActions(savedview, reload)
  const [naming, setNaming] = useState<Naming>()
  const asked = query.get(VIEW)
  const view = views.find(({ id }) => id === asked)
  const open = (id: string | undefined, content: ViewContent = {}, replace = false): void =>
    setQuery(id ? { [VIEW]: id, [CHIP]: content.chip ?? '' } : { [CHIP]: '' }, { replace })

  const apply = useEffectEvent((id: string | null, one: SavedView | undefined) => {
    // Nothing is known of a view that was just saved, or is no longer there.
    if (id && !one) return table.setViewed(id)
    const { filters = {}, sort, pageSize, columns, widths, density = 'medium' } = (one?.content ?? {}) as ViewContent
    onSettings(one && { density, ...(columns && { columns }), ...(widths && { widths }) })
    if (!table.isOpening) return
    const texts = Object.fromEntries(Object.entries(absolute(filters)).map(([key, value]) => [key, String(value)]))
    table.search(linked(resource, new URLSearchParams(texts)))
    table.setSorters(sort ? [{ field: sort.replace(/^-/, ''), order: sort.startsWith('-') ? 'desc' : 'asc' }] : [])
    table.setPageSize(pageSize ?? resource.pageSize)
    table.setViewed(id)
  })
  const begin = useEffectEvent(() => {
    const own = views.find(({ id }) => id === kept.view)
    if (own && location.search === '') return open(own.id, own.content as ViewContent, true)
    if (asked === null && table.viewed === undefined) table.setViewed(null)
  })
  useEffect(() => {
    if (isKnown) begin()
  }, [isKnown])
  const isMeant = isKnown && (asked !== null || table.viewed !== undefined)
  useEffect(() => {
    if (isMeant) apply(asked, view)
  }, [isMeant, asked, view])

  const save = async (title: string, isMoving: boolean): Promise<void> => {
    const made = contentOf(table, settings, isMoving ? relative : filters => filters)
    const { id } = await call(keepSavedView, { resource: resource.name, title, content: made })
    table.setViewed(id)
    void message.success(doneText(t('保存成功'), title))
    reload()
    setQuery(now => new URLSearchParams([...[...now].filter(([key]) => key !== VIEW), [VIEW, id]]))
  }
  const change = async (one: SavedView, title: string, next: ViewContent): Promise<void> => {
    await call(keepSavedView, { id: one.id, resource: resource.name, title, content: next })
    void message.success(doneText(t('更新成功'), title))
    reload()
  }
  const drop = (one: SavedView): void =>
    void modal.confirm({
      title: t('确定删除视图「{{title}}」?', { title: one.title }),
      okText: t('确定'),
      cancelText: t('取消'),
      okButtonProps: { danger: true },
      onOk: async () => {
        await call(dropSavedView, { id: one.id })
        open(undefined)
        reload()
      },
    })
  const share = actionsAt(savedview, 'row').find(({ name }) => name === 'share')
  const isDefault = view !== undefined && kept.view === view.id
  const mine = view?.isMine ? view : undefined
  const items = [
    { key: 'save', label: t('保存为视图'), onClick: () => setNaming({}) },
    ...(view
      ? [
          {
            key: 'default',
            label: t(isDefault ? '取消默认' : '设为默认'),
            onClick: () => keep({ view: isDefault ? undefined : view.id }),
          },
        ]
      : []),
    ...(mine
      ? [
          {
            key: 'update',
            label: t('更新为现在的样子'),
            onClick: () => {
              const { filters: before = {} } = mine.content as ViewContent
              const next = contentOf(table, settings, filters => keptLike(before, filters))
              void change(mine, mine.title, next).catch(() => undefined)
            },
          },
          { key: 'rename', label: t('重命名'), onClick: () => setNaming({ view: mine }) },
          ...(share && may('share')
            ? [{ key: 'share', label: t('分享'), onClick: () => sharing.start(share, [mine]) }]
            : []),
          { key: 'drop', label: t('删除'), danger: true, onClick: () => drop(mine) },
        ]
      : []),
  ]
  return (
    <fieldset className="view-chips" aria-label={t('视图')}>
      {views.map(one => (
        <button
          key={one.id}
          type="button"
          aria-pressed={one === view}
          onClick={() => (one === view ? open(undefined) : open(one.id, one.content as ViewContent))}
        >
          {one.title}
          {numbers.has(one.id) && <span>{grouped(numbers.get(one.id) ?? 0)}</span>}
        </button>
      ))}
      <Dropdown trigger={['click']} menu={{ items }}>
        <Button type="text" aria-haspopup="menu">
          {t('视图')} <DownOutlined aria-hidden />
        </Button>
      </Dropdown>
      {sharing.dialog}
      {naming && (
        <Suspense fallback={null}>
          <ViewName
            {...naming}
            hasDays={holdsDay(filtersToQuery(table.own))}
            onSave={(title, isMoving) =>
              naming.view ? change(naming.view, title, naming.view.content as ViewContent) : save(title, isMoving)
            }
            onClose={() => setNaming(undefined)}
          />
        </Suspense>
      )}
    </fieldset>
  )
}
