import NavigatedViewer from 'bpmn-js/lib/NavigatedViewer'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import { t } from '../../../platform/i18n/i18n.ts'
import { drawable, type Moddle, type Part, processOf } from './layout.ts'
import { type FlowStep, lastOf } from './steps.ts'

/** The viewer's services that are used. */
interface Services {
  canvas: { zoom(to?: number | 'fit-viewport', around?: 'auto'): number; addMarker(id: string, name: string): void }
  moddle: Moddle
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

const isStep = ({ $type }: Part): boolean => /(Event|Gateway|Task|Activity|SubProcess|Transaction)$/.test($type)

/** The sign at a step's corner: what colour says is also said by shape. */
function sign(state: FlowStep['state']): HTMLElement {
  const found = document.createElement('span')
  found.className = 'flow-sign'
  found.dataset.state = state
  return found
}

/** The button at a step that leads to the process it has called. */
function way(child: string, onChild: (id: string) => void): HTMLElement {
  const found = document.createElement('button')
  found.type = 'button'
  found.className = 'flow-child'
  found.textContent = t('打开子流程')
  found.addEventListener('click', () => onChild(child))
  return found
}

/** Names beside steps have the room that they took where they were drawn; letters of another machine may be wider. */
function widenNames({ diagrams = [] }: Part): void {
  for (const { label } of diagrams.flatMap(one => one.plane?.planeElement ?? [])) {
    const bounds = label?.bounds
    if (!bounds) continue
    const more = Math.ceil(bounds.width * 0.3) + 8
    bounds.x -= more / 2
    bounds.width += more
  }
}

/** Says the names that have English, as lists do: those of the models we bring. What is drawn here is not saved. */
function sayNames(parts: readonly Part[] = []): void {
  for (const part of parts) {
    if (part.name) part.name = t(part.name)
    sayNames(part.flowElements)
  }
}

function mark(viewer: NavigatedViewer<Services>, steps: readonly FlowStep[], onChild: (id: string) => void): void {
  const [canvas, registry, overlays] = [viewer.get('canvas'), viewer.get('elementRegistry'), viewer.get('overlays')]
  for (const { id, state, isLine, child } of lastOf(steps)) {
    const element = registry.get(id)
    if (!element) continue
    canvas.addMarker(id, `flow-${state}`)
    if (!isLine) overlays.add(id, { position: { top: -12, right: 12 }, html: sign(state) })
    if (child) overlays.add(id, { position: { bottom: 12, left: 8 }, html: way(child, onChild) })
  }
}

/** Shows all of it, with room for the signs at its edges. */
function fitAll(canvas: Services['canvas']): void {
  canvas.zoom(canvas.zoom('fit-viewport', 'auto') * 0.92, 'auto')
}

/**
 * Draws a process into an element of the page and marks its steps.
 * @param onChild called with the process that a step has called, when somebody wants to see it
 * @throws when the text is no model
 */
export async function draw(
  into: HTMLElement,
  xml: string,
  steps: readonly FlowStep[],
  onChild: (id: string) => void,
): Promise<Drawing> {
  // Marked steps have other values of these.
  const colours = {
    defaultFillColor: 'var(--flow-fill, var(--jx-surface))',
    defaultStrokeColor: 'var(--flow-stroke, var(--jx-ink))',
  }
  const viewer = new NavigatedViewer<Services>({
    container: into,
    bpmnRenderer: { ...colours, defaultLabelColor: 'var(--jx-ink)' },
    textRenderer: { defaultStyle: { fontFamily: 'inherit' } },
  })
  try {
    const model = await drawable(viewer.get('moddle'), xml)
    widenNames(model)
    sayNames(model.rootElements)
    await viewer.importDefinitions(model as unknown as Parameters<typeof viewer.importDefinitions>[0])
    mark(viewer, steps, onChild)
    const canvas = viewer.get('canvas')
    fitAll(canvas)
    return {
      names: (processOf(model)?.flowElements ?? []).filter(isStep).map(one => one.name || one.id),
      fit: () => fitAll(canvas),
      zoom: by => void canvas.zoom(canvas.zoom() * by, 'auto'),
      end: () => viewer.destroy(),
    }
  } catch (error) {
    viewer.destroy()
    throw error
  }
}
