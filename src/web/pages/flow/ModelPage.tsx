import { type ReactNode, useState } from 'react'
import { flowDeployment } from '#resources/flow/flow-deployment'
import ListScreen from '../../screens/ListScreen.tsx'
import { DiagramDialog } from './DiagramDialog.tsx'

/** Models of processes, each with its diagram. */
export default function ModelPage(): ReactNode {
  const [shown, show] = useState<string>()
  return (
    <>
      <ListScreen
        resource={flowDeployment}
        slots={{ rowButtons: row => [{ key: 'diagram', label: '流程图', run: () => show(String(row.id)) }] }}
      />
      {shown && <DiagramDialog of={{ processDefinitionId: shown }} onClose={() => show(undefined)} />}
    </>
  )
}
