import { AimOutlined, ZoomInOutlined, ZoomOutOutlined } from '@ant-design/icons'
import { Alert, Button, Modal, Space, Spin } from 'antd'
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { callOf } from '#engine'
import { flowDeployment } from '#resources/workflow/flow-deployment'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { type ModelView, modelView, type Step } from '../contract.ts'
import type { Drawing } from './draw.ts'
import { StepList, words } from './StepList.tsx'
import './flow.css'
import { type FlowStep, stepsOf } from './steps.ts'

/** Which process: one that runs or has run, one that was deployed, or a model as it was saved last. */
export type Shown =
  | { readonly processInstanceId: string }
  | { readonly processDefinitionId: string }
  | { readonly modelId: string }

const none: Step[] = []

/** What a dialog shows: a model is read with all that belongs to it, a process as it is shown. */
function useView(of: Shown) {
  const isModel = 'modelId' in of
  const model = useEndpoint(callOf(flowDeployment, 'detail'), { id: isModel ? of.modelId : '' }, { enabled: isModel })
  const process = useEndpoint(modelView, isModel ? {} : of, { enabled: !isModel })
  const view: ModelView | undefined = isModel ? model.data && { xml: model.data.xml ?? '', flow: none } : process.data
  const { isPending, error } = isModel ? model : process
  return { view, isPending, error }
}

/** What the signs mean. */
function Legend(): ReactNode {
  const t = useT()
  return (
    <ul className="flow-legend" aria-label={t('图例')}>
      {(Object.keys(words) as FlowStep['state'][]).map(state => (
        <li key={state}>
          <span className="flow-sign" data-state={state} aria-hidden />
          {t(words[state])}
        </li>
      ))}
    </ul>
  )
}

/** Puts the drawing on the page; the program that draws is loaded now and not before. */
function useDrawing({ xml, flow }: ModelView, onChild: (id: string) => void) {
  const place = useRef<HTMLDivElement>(null)
  const [drawing, setDrawing] = useState<Drawing>()
  const [failed, setFailed] = useState(false)
  const show = useEffectEvent(onChild)
  useEffect(() => {
    let left = false
    let made: Drawing | undefined
    const start = async (): Promise<void> => {
      const { draw } = await import('./draw.ts')
      if (left || !place.current) return
      made = await draw(place.current, xml, stepsOf(flow), id => show(id))
      if (left) made.end()
      else setDrawing(made)
    }
    start().catch(() => !left && setFailed(true))
    return () => {
      left = true
      made?.end()
    }
  }, [xml, flow])
  return { place, drawing, failed }
}

function Tools({ of }: { of: Drawing }): ReactNode {
  const t = useT()
  return (
    <Space.Compact>
      <Button icon={<ZoomInOutlined aria-hidden />} aria-label={t('放大')} onClick={() => of.zoom(1.25)} />
      <Button icon={<ZoomOutOutlined aria-hidden />} aria-label={t('缩小')} onClick={() => of.zoom(0.8)} />
      <Button icon={<AimOutlined aria-hidden />} onClick={() => of.fit()}>
        {t('适应窗口')}
      </Button>
    </Space.Compact>
  )
}

/**
 * The drawing of a process with its steps marked; a process that one of them has called opens over it.
 * @param isDrawingOnly the steps in words stand elsewhere on the page
 */
export function Diagram({ xml, flow, isDrawingOnly }: ModelView & { isDrawingOnly?: boolean }): ReactNode {
  const t = useT()
  const [child, setChild] = useState<string>()
  const { place, drawing, failed } = useDrawing({ xml, flow }, setChild)
  if (failed) return <Alert type="error" showIcon title={t('流程图无法显示：模型不完整')} />
  return (
    <>
      <div className="flow-bar">
        {flow.length > 0 ? <Legend /> : <span>{t('这个流程还没有流转记录')}</span>}
        {drawing && <Tools of={drawing} />}
      </div>
      <section className="flow-drawing" ref={place} aria-label={drawing?.names.join('、') ?? t('流程图')}>
        {!drawing && <Spin className="flow-wait" />}
      </section>
      <p className="flow-keys">{t('拖动可移动；获得焦点后可按 Ctrl 加方向键移动，Ctrl 加滚轮缩放。')}</p>
      {flow.length > 0 && !isDrawingOnly && <StepList of={flow} />}
      {child && <DiagramDialog of={{ processInstanceId: child }} onClose={() => setChild(undefined)} />}
    </>
  )
}

/** A process as a picture that can be moved and enlarged but not changed; done steps and the current one are marked. */
export function DiagramDialog({ of, onClose }: { of: Shown; onClose: () => void }): ReactNode {
  const t = useT()
  const { view, isPending, error } = useView(of)
  return (
    <Modal open title={t('流程图展示')} width={1000} footer={null} onCancel={onClose} destroyOnHidden>
      {isPending && <Spin style={{ display: 'block', margin: '80px auto' }} />}
      {error && <Alert type="error" showIcon title={error.message} />}
      {view && <Diagram xml={view.xml} flow={view.flow} />}
    </Modal>
  )
}
