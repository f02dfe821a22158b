import { DeleteOutlined, ImportOutlined, PlusOutlined, ReloadOutlined, ThunderboltOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, type ReactNode, Suspense } from 'react'
import { useT, useVerb } from '../platform/i18n/i18n.ts'
import type { RowButton } from './ActionButtons.tsx'
import { actionsAt } from './actions.ts'
import { ownValues, useAdding } from './adding.ts'
import { ExportButton } from './ExportButton.tsx'
import type { ListScreenProps, Opened } from './list-props.ts'
import type { Actions } from './use-actions.tsx'
import type { Rows, TableRow } from './use-rows.ts'

const BulkMenu = lazy(() => import('./BulkMenu.tsx'))

interface BarProps {
  props: ListScreenProps
  may: (what: string) => boolean
  actions: Actions
  table: Rows
  chosen: readonly TableRow[]
  open: (opened: Opened) => void
  /** What is done to the chosen rows. */
  bulk: readonly RowButton[]
  chooser: ReactNode
  /** Saved views, where no line of filters stands below that has them. */
  views: ReactNode
}

/** The buttons above a table; the title of a list inside another screen before them. */
export function ListBar({ props, may, actions, table, chosen, open, bulk, chooser, views }: BarProps) {
  const t = useT()
  const add = useAdding()
  const verb = useVerb()
  const { resource, slots, embedded, title, filter } = props
  // Screens whose buttons are all drawn have these there, too.
  const isDrawn = resource.main === 'all'
  const onBar = actionsAt(resource, 'toolbar').filter(action => may(action.name))
  return (
    <div className="list-bar">
      {embedded && title && <h2>{t(title)}</h2>}
      {slots?.toolbar?.({ reload: table.reload, chosen, filters: table.filters })}
      {may('add') && (
        <Button
          type="primary"
          icon={<PlusOutlined aria-hidden />}
          onClick={() => add({ resource, open, defaults: ownValues(filter) })}
        >
          {t('新增')}
        </Button>
      )}
      {onBar.map(action => (
        <Button
          key={action.name}
          danger={action.danger}
          icon={<ThunderboltOutlined aria-hidden />}
          loading={actions.busy === action.name}
          onClick={() => actions.start(action, [], filter)}
        >
          {verb(action.label)}
        </Button>
      ))}
      {isDrawn &&
        bulk.map(({ key, label, danger, run }) => (
          <Button
            key={key}
            danger={danger}
            icon={key === 'remove' ? <DeleteOutlined aria-hidden /> : undefined}
            loading={actions.busy === key}
            onClick={run}
          >
            {verb(label)}
          </Button>
        ))}
      {may('import') && (
        <Button icon={<ImportOutlined aria-hidden />} onClick={() => open({ what: 'import' })}>
          {t('导入')}
        </Button>
      )}
      {may('export') && <ExportButton resource={resource} filters={table.filters} />}
      <Suspense fallback={null}>
        {!isDrawn && bulk.length > 0 && <BulkMenu buttons={bulk} />}
        {views}
      </Suspense>
      <span className="list-signs">
        <Button icon={<ReloadOutlined aria-hidden />} aria-label={t('刷新')} title={t('刷新')} onClick={table.reload} />
        {chooser}
      </span>
    </div>
  )
}
