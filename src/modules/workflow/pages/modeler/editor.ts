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
  readonly outgoing: readonly Shape[]
}

/** Values of attributes and parts by their names; undefined takes one away. */
export type Properties = Readonly<Record<string, unknown>>

/** The services of the drawing program that are used. */
interface Services {
  canvas: {
    zoom(to?: number | 'fit-viewport', around?: 'auto'): number
    getRootElement(): Shape
    scrollToElement(shape: Shape, padding: number): void
    scroll(by: { dx: number; dy: number }): void
    viewbox(): { x: number; scale: number; inner: { x: number } }
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

/** Pixels at the left that the palette covers. */
const PALETTE = 125

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
      return first && others.length === 0 ? first : canvas.getRootElement()
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
      canvas.zoom(Math.min(canvas.zoom('fit-viewport', 'auto'), 1), 'auto')
      const { x, inner, scale } = canvas.viewbox()
      const left = (inner.x - x) * scale
      if (left < PALETTE) canvas.scroll({ dx: PALETTE - left, dy: 0 })
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
