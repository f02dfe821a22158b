import { App } from 'antd'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Resource } from '#engine'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import { ActionButtons, type Arranged, arranged, type RowButton, roomFor } from './ActionButtons.tsx'
import { idOf } from './actions.ts'
import { ownValues } from './adding.ts'
import { bulkButtons } from './bulk-buttons.ts'
import { ColumnChooser } from './ColumnChooser.tsx'
import { DataTable } from './DataTable.tsx'
import { ListBar } from './ListBar.tsx'
import type { ListScreenProps, Opened } from './list-props.ts'
import { useMay } from './may.ts'
import { openingOf, rowButtons } from './row-buttons.ts'
import { SearchBar } from './SearchBar.tsx'
import { RowActs, ShowRow } from './show-row.ts'
import { type TableSettings, useTableSettings } from './table-settings.ts'
import { useActions } from './use-actions.tsx'
import { useRemoving } from './use-removing.tsx'
import { everyRow, type Search, searchOf, type TableRow, useRows } from './use-rows.ts'
import { useMet } from './window/use-met.ts'
import { usePlaceFilter } from './workspace/place.ts'

const FormDialog = lazy(() => import('./FormDialog.tsx'))
const DetailDrawer = lazy(() => import('./DetailDrawer.tsx'))
const BulkDialog = lazy(() => import('./BulkDialog.tsx'))
const ImportDialog = lazy(() => import('./ImportDialog.tsx'))
const ChosenBar = lazy(() => import('./ChosenBar.tsx'))
const ViewChips = lazy(() => import('./ViewChips.tsx'))
const SavedViews = lazy(() => import('./SavedViews.tsx'))
const PrintedSearch = lazy(() => import('./PrintedSearch.tsx'))
const ListFailure = lazy(() => import('./ListFailure.tsx'))
const ListEmpty = lazy(async () => ({ default: (await import('./ListStates.tsx')).ListEmpty }))

/** The same in every row: neither a column nor a line below another is needed for it. */
function withoutColumns(resource: Resource, filter: Search = {}): Resource {
  const columns = resource.columns
    .filter(column => !(column.field in filter))
    .map(column => (column.with ? { ...column, with: column.with.filter(name => !(name in filter)) } : column))
  return { ...resource, columns }
}

/** Tells whenever rows have come after the first ones. */
function useReadAgain(at: number, tell: (() => void) | undefined): void {
  const told = useEffectEvent(() => tell?.())
  const last = useRef(0)
  useEffect(() => {
    if (last.current > 0 && at > last.current) told()
    last.current = at
  }, [at])
}

/** A list with everything that belongs to it: search, table, form, detail, actions, import and export. */
export default function ListScreen(given: ListScreenProps) {
  const { embedded, compact, slots } = given
  const here = usePlaceFilter(given.resource)
  const filter = embedded || !here ? given.filter : { ...given.filter, ...here }
  const resource = embedded || here ? withoutColumns(given.resource, filter) : given.resource
  const props = { ...given, resource, filter }
  const t = useT()
  const verb = useVerb()
  const { message } = App.useApp()
  const table = useRows(resource, { filter, embedded, chips: given.chips })
  const may = useMay(resource)
  const actions = useActions(resource, table.reload)
  const [usual, keepUsual] = useTableSettings(resource.name)
  // As long as a view is looked at, what is changed is the view's.
  const [viewed, setViewed] = useState<TableSettings>()
  const [settings, keep] = viewed ? [viewed, setViewed] : [usual, keepUsual]
  const [ids, choose] = useState<readonly string[]>([])
  const [opened, open] = useState<Opened | undefined>(given.begin)
  const showRow = useCallback(
    (of: Resource, id: string) => open({ what: 'detail', row: { [of.entity.key]: id }, of }),
    [],
  )
  const remove = useRemoving(resource, table, () => choose([]))
  const own = searchOf(table.own)
  const close = (): void => open(undefined)
  const saved = (isNew: boolean): void => {
    close()
    // Nobody looks for what has just been added behind a filter.
    if (isNew && table.chip.isLimiting) table.chip.choose(undefined)
    given.onSaved?.()
  }
  const changed = (): void => {
    close()
    choose([])
    table.reload()
  }
  const chosen = everyRow(table.result.data).filter(row => ids.includes(idOf(resource, row)))
  const { error, isError, dataUpdatedAt } = table.tableQuery
  useReadAgain(dataUpdatedAt, given.onRead)
  const around = {
    resource,
    may,
    actions,
    open,
    defaults: ownValues(filter),
    filter: { ...filter, ...own },
    reload: table.reload,
    first: given.slots?.next,
  }
  const clear = (): void => {
    table.search({})
    if (table.chip.isLimiting) table.chip.choose(undefined)
  }
  const isSearched = Object.keys(own).length > 0
  const limited = isSearched || table.chip.isLimiting
  const empty = (
    <Suspense fallback={null}>
      <ListEmpty around={around} limited={limited} chip={isSearched ? undefined : table.chip.name} onClear={clear} />
    </Suspense>
  )
  const buttonsOf = (row: TableRow): RowButton[] =>
    rowButtons(row, { props, may, actions, open, remove, reload: table.reload })
  const arrangedAt = (row: TableRow): Arranged => arranged(buttonsOf(row), resource.main, compact)
  const buttons = (row: TableRow): ReactNode => (
    <ActionButtons buttons={arrangedAt(row)} label={String(row[resource.entity.label] ?? '')} />
  )
  const room = Math.max(...table.result.data.map(row => roomFor(arrangedAt(row), verb, compact)), 0)
  const opening = (row: TableRow) => (given.onRow ? undefined : openingOf(buttonsOf(row)))
  const chooser = <ColumnChooser resource={resource} settings={settings} onChange={keep} />
  const bulk = bulkButtons({
    resource,
    may,
    actions,
    chosen,
    remove,
    change: () => open({ what: 'bulk', rows: chosen }),
    warn: () => void message.warning(t('请选择至少一条数据')),
  })
  const choosable = bulk.length > 0
  const hasBox = resource.find.length > 0
  const isWhole = !embedded || given.chips === true
  const hasChips = isWhole && Object.keys(resource.views).length > 0
  // Screens whose buttons are all drawn are plain ones: their views come with the pointer or the keys.
  const isMet = useMet(resource.main !== 'all' || location.search !== '' || table.isOpening)
  const hasViews = isWhole && (isMet || table.isOpening)
  const savedViews = hasViews && (
    <SavedViews resource={resource} table={table} settings={settings} onSettings={setViewed} />
  )
  const searchBar = (
    <SearchBar
      key={JSON.stringify(own)}
      resource={resource}
      value={own}
      onSearch={table.search}
      without={Object.keys(filter ?? {})}
      busy={table.tableQuery.isFetching}
    />
  )
  return (
    <div className={embedded ? 'list-screen within' : 'list-screen'}>
      {slots?.head}
      {!hasBox && searchBar}
      <div className="list-body">
        <ListBar
          props={props}
          may={may}
          actions={actions}
          table={table}
          chosen={chosen}
          open={open}
          bulk={bulk}
          chooser={chooser}
          views={!hasBox && !hasChips && savedViews}
        />
        {(hasBox || hasChips) && (
          <div className="list-tools">
            {hasBox && searchBar}
            <Suspense fallback={null}>
              <div className="list-chips">
                {hasChips && <ViewChips resource={resource} table={table} />}
                {savedViews}
              </div>
            </Suspense>
          </div>
        )}
        <Suspense fallback={null}>
          {Object.keys(own).length > 0 && <PrintedSearch resource={resource} search={own} />}
        </Suspense>
        {bulk.length > 0 && chosen.length > 0 && resource.main !== 'all' && (
          <Suspense fallback={null}>
            <ChosenBar number={chosen.length} buttons={bulk} onClear={() => choose([])} />
          </Suspense>
        )}
        {isError ? (
          <Suspense fallback={null}>
            <ListFailure error={error} onRetry={table.reload} />
          </Suspense>
        ) : (
          <ShowRow value={showRow}>
            <RowActs value={buttonsOf}>
              <DataTable
                resource={resource}
                table={table}
                settings={settings}
                onSettings={keep}
                buttons={buttons}
                opening={opening}
                room={room}
                empty={empty}
                chosen={choosable ? ids : undefined}
                onChoose={choose}
                columns={slots?.columns}
                onRow={props.onRow}
                current={props.current}
              />
            </RowActs>
          </ShowRow>
        )}
      </div>
      {actions.dialog}
      <Suspense fallback={null}>
        {opened?.what === 'form' && (
          <FormDialog
            resource={resource}
            row={opened.row}
            defaults={opened.defaults}
            fixed={here && !embedded ? ownValues(here) : undefined}
            onClose={close}
            onSaved={() => saved(opened.row === null)}
          />
        )}
        {opened?.what === 'detail' && (
          <DetailDrawer resource={opened.of ?? resource} row={opened.row} onClose={close} List={ListScreen} />
        )}
        {opened?.what === 'bulk' && (
          <BulkDialog resource={resource} rows={opened.rows} onClose={close} onDone={changed} />
        )}
        {opened?.what === 'import' && (
          <ImportDialog resource={resource} fixed={filter} onClose={close} onDone={table.reload} />
        )}
      </Suspense>
    </div>
  )
}
