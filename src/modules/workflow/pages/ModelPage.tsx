import { EditOutlined } from '@ant-design/icons'
import { App, Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { RowButton } from '../../../screens/ActionButtons.tsx'
import ListScreen from '../../../screens/ListScreen.tsx'
import { useMay } from '../../../screens/may.ts'
import type { TableRow } from '../../../screens/use-rows.ts'
import { deployModel } from '../contract.ts'
import { useFlowAct } from './acts.ts'
import { DiagramDialog } from './DiagramDialog.tsx'

/** Models of processes: each with its diagram, drawn here or uploaded, and to be deployed. */
export default function ModelPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { modal } = App.useApp()
  const may = useMay(flowDeployment)
  const [shown, show] = useState<string>()
  const deploy = useFlowAct(deployModel)
  const ask = (row: TableRow, reload: () => void): void =>
    void modal.confirm({
      title: t('部署后新发起的流程按这个版本办理，确定部署{{name}}?', { name: String(row.name) }),
      // What is wrong with the model has been shown by then.
      onOk: () => deploy.mutateAsync({ modelId: String(row.id) }).then(reload, () => undefined),
    })
  const draw = (id: string): void => void go(`/flow/model/draw/${id}`)
  const drawNew = may('add') && (
    <Button type="primary" icon={<EditOutlined aria-hidden />} onClick={() => draw('new')}>
      {t('绘制流程')}
    </Button>
  )
  const buttons = (row: TableRow, reload: () => void): RowButton[] => [
    { key: 'diagram', label: '流程图', run: () => show(String(row.id)) },
    ...(may('edit')
      ? [
          { key: 'draw', label: '绘制', run: () => draw(String(row.id)) },
          { key: 'deploy', label: '部署模型', run: () => ask(row, reload) },
        ]
      : []),
  ]
  return (
    <>
      <ListScreen resource={flowDeployment} slots={{ rowButtons: buttons, toolbar: () => drawNew }} />
      {shown && <DiagramDialog of={{ modelId: shown }} onClose={() => show(undefined)} />}
    </>
  )
}
