import { Button, Space } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import { dictionary } from '../../../screens/contract.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import type { Shown } from './DiagramDialog.tsx'
import type { FlowRow } from './flow-row.ts'

/** What a row of a list leads to. */
export type Way = 'form' | 'handle' | 'detail'

/** Where the pages of each kind of process are: the remark of its entry in dictionary `flow`. */
function useRoutes(): ReadonlyMap<string, string> {
  const { data = [] } = useEndpoint(dictionary, { code: 'flow' })
  return new Map(data.flatMap(({ dictKey, remark }) => (remark ? [[dictKey, remark] as const] : [])))
}

const titles = { form: '发起', handle: '办理', detail: '详情' } as const

/** The part of an address behind the kind of process, or nothing while something of it is missing. */
function tailOf(row: FlowRow, way: Way): string | undefined {
  const parts = {
    form: [row.processDefinitionId],
    handle: [row.taskId, row.processInstanceId, row.businessId],
    detail: [row.processInstanceId, row.businessId],
  }[way]
  return parts.every(Boolean) ? [way, ...parts].join('/') : undefined
}

/** What the diagram of a row shows: the way it has taken, or the process as it was deployed. */
function diagramOf(row: FlowRow): Shown | undefined {
  if (row.processInstanceId) return { processInstanceId: row.processInstanceId }
  return row.processDefinitionId ? { processDefinitionId: row.processDefinitionId } : undefined
}

/** The buttons of a row: its page, where this kind of process has one, its diagram, and what else there is to do. */
export function RowActions(props: {
  row: FlowRow
  way: Way | undefined
  onDiagram: (of: Shown) => void
  children?: ReactNode
}): ReactNode {
  const { row, way, onDiagram, children } = props
  const t = useT()
  const route = useRoutes().get(String(row.category))
  const tail = way && tailOf(row, way)
  const shown = diagramOf(row)
  return (
    <Space size={12} className="flow-acts">
      {way && route && tail && <Link to={`/work/process/${route}/${tail}`}>{t(titles[way])}</Link>}
      {shown && (
        <Button type="link" size="small" onClick={() => onDiagram(shown)}>
          {t('流程图')}
        </Button>
      )}
      {children}
    </Space>
  )
}
