import { catalogue } from 'virtual:catalogue'
import { App } from 'antd'
import { type ReactNode, useContext } from 'react'
import { Link } from 'react-router-dom'
import type { CodeOf, Resource } from '#engine'
import { useT } from '../platform/i18n/i18n.ts'
import { idOf } from './actions.ts'
import type { WireRow } from './fields/props.ts'
import { callAny, isPage } from './providers/any-resource.ts'
import { useCan } from './providers/rights.ts'
import { ShowRow } from './show-row.ts'
import { definitionOf } from './window/screens.ts'
import { placeRoute } from './workspace/place-route.ts'

interface Props {
  /** The entity of the row. */
  entity: string
  /** Its id, or its code. */
  id: string
  /** How it is found by its code. */
  code?: CodeOf | undefined
  /** The row that names it, whose values tell rows of one code apart. */
  row?: WireRow
  /** What it is called. */
  children: ReactNode
}

/** The id of the row that a code names beside another row; nothing where there is none, or none that the person meets. */
async function idByCode(resource: Resource, value: string, { by, within }: CodeOf, row: WireRow = {}) {
  const params = { [`${by}_equal`]: value, [`${within}_equal`]: row[within], current: 1, size: 1 }
  const sent = await callAny(resource, 'list', { params })
  const [found] = isPage(sent) ? sent.records : sent
  return found && idOf(resource, found)
}

/** The name of another row, which leads to its workspace or shows it, for whoever may look at such rows. */
export default function RowLink({ entity, id, code, row, children }: Props): ReactNode {
  const t = useT()
  const { message } = App.useApp()
  const target = catalogue.find(one => one.entity === entity && !one.isView)
  const may = useCan(`${target?.code}_view`)
  const show = useContext(ShowRow)
  const place = target && placeRoute(target)
  if (place && !code)
    return (
      <Link className="row-link" to={place.replace(':id', id)} onClick={event => event.stopPropagation()}>
        {children}
      </Link>
    )
  if (!target || !may || !show) return children
  const open = async (name: string, shown: typeof show): Promise<void> => {
    const resource = await definitionOf(name)
    const found = code ? await idByCode(resource, id, code, row) : id
    if (found) shown(resource, found)
    else void message.info(t('没有找到「{{name}}」', { name: id }))
  }
  return (
    <button
      type="button"
      className="row-link"
      onClick={event => {
        event.stopPropagation()
        void open(target.name, show).catch(() => undefined)
      }}
    >
      {children}
    </button>
  )
}
