import Modeler from 'bpmn-js/lib/Modeler'
import 'bpmn-js/dist/assets/bpmn-js.css'
import 'bpmn-js/dist/assets/diagram-js.css'
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css'
import { language as inUse, type Language, t } from '../../../../platform/i18n/i18n.ts'
import { drawable, type Part as Laid, type Moddle } from '../layout.ts'
import { translator } from './bpmn-texts.ts'
import { flowable, inOneNamespace } from './flowable.ts'
import { limits } from './limits.ts'

/** A part of a model: what a step or a line says beside where it is drawn. */
export interface Part {
  readonly $type: string
  readonly $parent?: Part
  id?: string
  get<T>(name: string): T | undefined
}

/** A step or a line of the drawing, or the process itself. */
export interface Shape {
  readonly id: string
  readonly type: string
  readonly businessObject: Part
  readonly source?: Shape
  readonly target?: Shape
  /** What a name belongs to that stands beside it. */
  readonly labelTarget?: Shape
  readonly outgoing: readonly Shape[]
}

/** Values of attributes and parts by their names; undefined takes one away. */
export type Properties = Readonly<Record<string, unknown>>

/** A part of the drawing, in its own units. */
interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** The services of the drawing program that are used. */
interface Services {
  canvas: {
    zoom(to?: number | 'fit-viewport', around?: 'auto'): number
    getRootElement(): Shape
    scrollToElement(shape: Shape, padding: number): void
    getContainer(): HTMLElement
    viewbox(to?: Box): { inner: Box; outer: Pick<Box, 'width' | 'height'> }
  }
  commandStack: { undo(): void; redo(): void; canUndo(): boolean; canRedo(): boolean }
  elementRegistry: { get(id: string): Shape | undefined; getAll(): Shape[] }
  eventBus: {
    on(events: string | string[], listener: () => void): void
    off(events: string | string[], listener: () => void): void
    fire(event: string): void
  }
  moddle: Moddle & { create(type: string, properties: Properties): Part; ids: { assigned(id: string): unknown } }
  modeling: {
    updateProperties(shape: Shape, properties: Properties): void
    updateModdleProperties(shape: Shape, part: Part, properties: Properties): void
  }
  selection: { get(): Shape[]; select(shape: Shape | null): void }
}

/** A drawing that is being made. */
export interface Editor {
  /** Puts it into an element of the page. */
  attach(place: HTMLElement): void
  detach(): void
  /** Replaces what is drawn. @throws when the text is no model */
  open(xml: string): Promise<void>
  /** The model as it is drawn now. */
  xml(): Promise<string>
  /** The one thing chosen, or else the process. */
  chosen(): Shape
  choose(id: string): boolean
  /** Everything drawn, the process too. */
  all(): readonly Shape[]
  set(shape: Shape, properties: Properties): void
  setPart(shape: Shape, part: Part, properties: Properties): void
  make(type: string, properties: Properties, within?: Part): Part
  isTaken(id: string): boolean
  undo(): void
  redo(): void
  readonly canUndo: boolean
  readonly canRedo: boolean
  zoom(by: number): void
  fit(): void
  /** Writes its own texts anew, where the language has changed. */
  say(language: Language): void
  /** Calls a listener after a change, and another after anything else was chosen; answers what ends that. */
  follow(listeners: { changed: () => void; chose: () => void }): () => void
}

const colours = {
  defaultFillColor: 'var(--jx-surface)',
  defaultStrokeColor: 'var(--jx-ink)',
  defaultLabelColor: 'var(--jx-ink)',
}

/** Pixels between what is drawn and the palette or the edges. */
const MARGIN = 30

/** Pixels at the left and at the top that the palette covers; on a phone it lies along the top. */
function covered(container: HTMLElement): { left: number; top: number } {
  const palette = container.querySelector<HTMLElement>('.djs-palette')
  if (!palette) return { left: 0, top: 0 }
  const { offsetLeft, offsetTop, offsetWidth, offsetHeight } = palette
  const isAlong = offsetWidth > offsetHeight
  return { left: isAlong ? 0 : offsetLeft + offsetWidth, top: isAlong ? offsetTop + offsetHeight : 0 }
}

const changes = ['elements.changed', 'commandStack.changed']

/** A drawing that is being made, empty at first. */
export function createEditor(): Editor {
  const modeler = new Modeler<Services>({
    additionalModules: [limits, { translate: ['value', translator(t)] }],
    moddleExtensions: { flowable },
    bpmnRenderer: colours,
    textRenderer: { defaultStyle: { fontFamily: 'inherit' } },
  })
  const canvas = modeler.get('canvas')
  const stack = modeler.get('commandStack')
  const registry = modeler.get('elementRegistry')
  const bus = modeler.get('eventBus')
  const moddle = modeler.get('moddle')
  const modeling = modeler.get('modeling')
  const selection = modeler.get('selection')
  let spoken = inUse()
  return {
    attach(place) {
      modeler.attachTo(place)
    },
    detach: () => modeler.detach(),
    async open(xml) {
      const model = await drawable(moddle, inOneNamespace(xml))
      await modeler.importDefinitions(model as Laid as unknown as Parameters<typeof modeler.importDefinitions>[0])
    },
    xml: async () => (await modeler.saveXML({ format: true })).xml ?? '',
    chosen() {
      const [first, ...others] = selection.get()
      // A name that stands beside its step or line is a shape of its own to the drawing program.
      return first && others.length === 0 ? (first.labelTarget ?? first) : canvas.getRootElement()
    },
    choose(id) {
      const shape = registry.get(id)
      if (!shape) return false
      if (shape === canvas.getRootElement()) selection.select(null)
      else {
        selection.select(shape)
        canvas.scrollToElement(shape, 60)
      }
      return true
    },
    all: () => registry.getAll(),
    set: (shape, properties) => modeling.updateProperties(shape, properties),
    setPart: (shape, part, properties) => modeling.updateModdleProperties(shape, part, properties),
    make(type, properties, within) {
      const part = moddle.create(type, properties)
      return within ? Object.assign(part, { $parent: within }) : part
    },
    isTaken: id => Boolean(moddle.ids.assigned(id)),
    undo: () => stack.undo(),
    redo: () => stack.redo(),
    get canUndo() {
      return stack.canUndo()
    },
    get canRedo() {
      return stack.canRedo()
    },
    zoom: by => void canvas.zoom(canvas.zoom() * by, 'auto'),
    fit() {
      const { inner, outer } = canvas.viewbox()
      const { left, top } = covered(canvas.getContainer())
      const [width, height] = [outer.width - left - 2 * MARGIN, outer.height - top - 2 * MARGIN]
      // Behind another tab it has no size.
      if (width <= 0 || height <= 0) return
      const scale = Math.min(1, width / inner.width, height / inner.height)
      const spare = (height - inner.height * scale) / 2
      canvas.viewbox({
        x: inner.x - (left + MARGIN) / scale,
        y: inner.y - (top + MARGIN + spare) / scale,
        width: outer.width / scale,
        height: outer.height / scale,
      })
    },
    say(language) {
      if (language !== spoken) bus.fire('i18n.changed')
      spoken = language
    },
    follow({ changed, chose }) {
      bus.on(changes, changed)
      bus.on(['selection.changed', 'import.done', 'root.set'], chose)
      return () => {
        bus.off(changes, changed)
        bus.off(['selection.changed', 'import.done', 'root.set'], chose)
      }
    },
  }
}
