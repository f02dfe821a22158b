import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import { type Drawn, layOut, type Node } from './layout.ts'
import { type FlowStep, lastOf } from './steps.ts'

/** A part of a model as the viewer reads it. */
interface Part {
  $type: string
  id: string
  name?: string
  flowElements?: Part[]
  sourceRef?: Part
  targetRef?: Part
  rootElements?: Part[]
  diagrams?: Part[]
  plane?: { planeElement?: unknown[] }
}

/** The viewer's services that are used. */
interface Services {
  canvas: { zoom(to?: number | 'fit-viewport', around?: 'auto'): number; addMarker(id: string, name: string): void }
  moddle: { fromXML(xml: string): Promise<{ rootElement: Part }>; create(type: string, values: object): Part }
  elementRegistry: { get(id: string): { width?: number } | undefined }
  overlays: { add(id: string, overlay: object): string }
}

/** A drawing on the page. */
export interface Drawing {
  /** Names of the steps in the order of the model, for whoever does not see the picture. */
  names: string[]
  /** Shows all of it. */
  fit(): void
  /** Makes it larger or smaller by a factor. */
  zoom(by: number): void
  /** Takes it off the page. */
  end(): void
}

const shapeOf = ({ $type }: Part): Node['shape'] =>
  $type.endsWith('Event') ? 'event' : $type.endsWith('Gateway') ? 'gateway' : 'task'

const isLine = ({ $type }: Part): boolean => $type === 'bpmn:SequenceFlow'
const isStep = ({ $type }: Part): boolean => /(Event|Gateway|Task|Activity|SubProcess|Transaction)$/.test($type)

function drawingOf(moddle: Services['moddle'], process: Part, { boxes, lines }: Drawn): Part {
  const elements = process.flowElements ?? []
  const part = (id: string): Part | undefined => elements.find(one => one.id === id)
  const shapes = [...boxes].map(([id, box]) => {
    const bounds = moddle.create('dc:Bounds', box)
    return moddle.create('bpmndi:BPMNShape', { id: `${id}_shape`, bpmnElement: part(id), bounds })
  })
  const edges = [...lines].map(([id, points]) => {
    const waypoint = points.map(point => moddle.create('dc:Point', point))
    return moddle.create('bpmndi:BPMNEdge', { id: `${id}_edge`, bpmnElement: part(id), waypoint })
  })
  const planeElement = [...shapes, ...edges]
  const plane = moddle.create('bpmndi:BPMNPlane', { id: 'plane', bpmnElement: process, planeElement })
  return moddle.create('bpmndi:BPMNDiagram', { id: 'diagram', plane })
}

/** Draws what has no drawing of its own. */
function complete(moddle: Services['moddle'], definitions: Part, process: Part | undefined): void {
  const isDrawn = definitions.diagrams?.some(one => (one.plane?.planeElement?.length ?? 0) > 0)
  if (isDrawn || !process) return
  const elements = process.flowElements ?? []
  const nodes = elements.filter(isStep).map(one => ({ id: one.id, shape: shapeOf(one) }))
  const edges = elements.filter(isLine).flatMap(({ id, sourceRef, targetRef }) => {
    return sourceRef && targetRef ? [{ id, from: sourceRef.id, to: targetRef.id }] : []
  })
  definitions.diagrams = [drawingOf(moddle, process, layOut(nodes, edges))]
}

/** The sign at a step's corner: what colour says is also said by shape. */
function sign(state: FlowStep['state']): HTMLElement {
  const found = document.createElement('span')
  found.className = 'flow-sign'
  found.dataset.state = state
  return found
}

function mark(viewer: NavigatedViewer<Services>, steps: readonly FlowStep[]): void {
  const [canvas, registry, overlays] = [viewer.get('canvas'), viewer.get('elementRegistry'), viewer.get('overlays')]
  for (const { id, state, isLine } of lastOf(steps)) {
    const element = registry.get(id)
    if (!element) continue
    canvas.addMarker(id, `flow-${state}`)
    if (!isLine) overlays.add(id, { position: { top: -12, right: 12 }, html: sign(state) })
  }
}

/** Shows all of it, with room for the signs at its edges. */
function fitAll(canvas: Services['canvas']): void {
  canvas.zoom(canvas.zoom('fit-viewport', 'auto') * 0.92, 'auto')
}

/**
 * Draws a process into an element of the page and marks its steps.
 * @throws when the text is no model
 */
export async function draw(into: HTMLElement, xml: string, steps: readonly FlowStep[]): Promise<Drawing> {
  // Marked steps have other values of these.
  const colours = {
    defaultFillColor: 'var(--flow-fill, var(--jx-surface))',
    defaultStrokeColor: 'var(--flow-stroke, var(--jx-ink))',
  }
  const viewer = new NavigatedViewer<Services>({
    container: into,
    bpmnRenderer: { ...colours, defaultLabelColor: 'var(--jx-ink)' },
  })
  try {
    const moddle = viewer.get('moddle')
    const { rootElement } = await moddle.fromXML(xml)
    const process = rootElement.rootElements?.find(one => one.$type === 'bpmn:Process')
    complete(moddle, rootElement, process)
    await viewer.importDefinitions(rootElement as unknown as Parameters<typeof viewer.importDefinitions>[0])
    mark(viewer, steps)
    const canvas = viewer.get('canvas')
    fitAll(canvas)
    return {
      names: (process?.flowElements ?? []).filter(isStep).map(one => one.name || one.id),
      fit: () => fitAll(canvas),
      zoom: by => void canvas.zoom(canvas.zoom() * by, 'auto'),
      end: () => viewer.destroy(),
    }
  } catch (error) {
    viewer.destroy()
    throw error
  }
}
