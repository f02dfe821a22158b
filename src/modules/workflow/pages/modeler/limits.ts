/** A button of the drawing program. */
interface Entry {
  readonly group?: string
  readonly className?: string
  readonly title?: string
  readonly action?: unknown
}
type Entries = Readonly<Record<string, Entry>>
type Change = (entries: Entries) => Entries

interface Registry {
  registerProvider(priority: number, provider: object): void
}
interface Menus {
  registerProvider(id: string, priority: number, provider: object): void
}
interface Factory {
  createShape(attributes: object): object
}
interface Create {
  start(event: Event, shape: object, context?: object): void
}
interface AutoPlace {
  append(from: object, shape: object): void
}
type Say = (text: string) => string

/** Asked after the program's own provider, whose buttons it gets. */
const AFTER = 500

const timer = { eventDefinitionType: 'bpmn:TimerEventDefinition' }

/** What is drawn from the palette beyond the program's own buttons there. */
const drawn = {
  'create.user-task': ['activity', 'bpmn-icon-user-task', 'Create user task', { type: 'bpmn:UserTask' }],
  'create.service-task': ['activity', 'bpmn-icon-service-task', 'Create service task', { type: 'bpmn:ServiceTask' }],
  'create.call-activity': [
    'activity',
    'bpmn-icon-call-activity',
    'Create call activity',
    { type: 'bpmn:CallActivity' },
  ],
  'create.exclusive-gateway': [
    'gateway',
    'bpmn-icon-gateway-xor',
    'Create exclusive gateway',
    { type: 'bpmn:ExclusiveGateway' },
  ],
  'create.parallel-gateway': [
    'gateway',
    'bpmn-icon-gateway-parallel',
    'Create parallel gateway',
    { type: 'bpmn:ParallelGateway' },
  ],
  'create.timer-event': [
    'event',
    'bpmn-icon-intermediate-event-catch-timer',
    'Create timer event',
    { type: 'bpmn:IntermediateCatchEvent', ...timer },
  ],
} as const

/** The palette in its order: only what is carried out when the process runs. */
const palette = [
  'hand-tool',
  'lasso-tool',
  'space-tool',
  'global-connect-tool',
  'tool-separator',
  'create.start-event',
  'create.end-event',
  'create.timer-event',
  'create.user-task',
  'create.service-task',
  'create.exclusive-gateway',
  'create.parallel-gateway',
  'create.subprocess-expanded',
  'create.call-activity',
] as const

/** What a step may be followed by at the press of a button. */
const appended = {
  'append.append-task': ['bpmn-icon-user-task', 'Append user task', 'bpmn:UserTask'],
  'append.gateway': ['bpmn-icon-gateway-xor', 'Append exclusive gateway', 'bpmn:ExclusiveGateway'],
  'append.parallel-gateway': ['bpmn-icon-gateway-parallel', 'Append parallel gateway', 'bpmn:ParallelGateway'],
  'append.service-task': ['bpmn-icon-service-task', 'Append service task', 'bpmn:ServiceTask'],
} as const

/** Buttons beside a step, in their order. */
const beside = [
  'append.append-task',
  'append.gateway',
  'append.parallel-gateway',
  'append.service-task',
  'append.end-event',
  'append.text-annotation',
  'connect',
  'replace',
  'delete',
] as const

/** What a step may be turned into. */
const replacements = new Set([
  'replace-with-none-start',
  'replace-with-none-end',
  'replace-with-none-intermediate-throw',
  'replace-with-none-intermediate-throwing',
  'replace-with-timer-intermediate-catch',
  'replace-with-error-end',
  'replace-with-terminate-end',
  'replace-with-exclusive-gateway',
  'replace-with-parallel-gateway',
  'replace-with-inclusive-gateway',
  'replace-with-user-task',
  'replace-with-service-task',
  'replace-with-receive-task',
  'replace-with-manual-task',
  'replace-with-call-activity',
  'replace-with-expanded-subprocess',
  'replace-with-collapsed-subprocess',
  'replace-with-subprocess',
  'replace-with-timer-boundary',
  'replace-with-non-interrupting-timer-boundary',
  'replace-with-error-boundary',
  'replace-with-sequence-flow',
  'replace-with-default-flow',
  'replace-with-conditional-flow',
])

/** Marks in the head of the menu of replacements that mean something when the process runs. */
const marks = new Set(['toggle-parallel-mi', 'toggle-sequential-mi', 'toggle-non-interrupting'])

const inOrder = (entries: Entries, order: readonly string[]): Entries =>
  Object.fromEntries(order.flatMap(name => (entries[name] ? [[name, entries[name]]] : [])))

const only = (entries: Entries, names: ReadonlySet<string>): Entries =>
  Object.fromEntries(Object.entries(entries).filter(([name]) => names.has(name)))

/** Lets nobody draw what would be refused when the process is deployed. */
class Limits {
  static readonly $inject = ['palette', 'contextPad', 'popupMenu', 'elementFactory', 'create', 'autoPlace', 'translate']

  constructor(
    palette: Registry,
    contextPad: Registry,
    popupMenu: Menus,
    factory: Factory,
    create: Create,
    autoPlace: AutoPlace,
    say: Say,
  ) {
    palette.registerProvider(AFTER, { getPaletteEntries: () => this.#palette(factory, create, say) })
    contextPad.registerProvider(AFTER, {
      getContextPadEntries: () => this.#beside(factory, create, autoPlace, say),
      getMultiElementContextPadEntries: () => (entries: Entries) => entries,
    })
    popupMenu.registerProvider('bpmn-replace', AFTER, {
      getPopupMenuEntries: () => (entries: Entries) => only(entries, replacements),
      getPopupMenuHeaderEntries: () => (entries: Entries) => only(entries, marks),
    })
  }

  #palette(factory: Factory, create: Create, say: Say): Change {
    const own = Object.entries(drawn).map(([name, [group, className, title, attributes]]) => {
      const begin = (event: Event): void => create.start(event, factory.createShape({ ...attributes }))
      return [name, { group, className, title: say(title), action: { dragstart: begin, click: begin } }] as const
    })
    return entries => inOrder({ ...entries, ...Object.fromEntries(own) }, palette)
  }

  #beside(factory: Factory, create: Create, autoPlace: AutoPlace, say: Say): Change {
    const own = Object.entries(appended).map(([name, [className, title, type]]) => {
      const shape = (): object => factory.createShape({ type })
      const dragstart = (event: Event, source: object): void => create.start(event, shape(), { source })
      const click = (_: Event, source: object): void => autoPlace.append(source, shape())
      return [name, { group: 'model', className, title: say(title), action: { dragstart, click } }] as const
    })
    // A step that nothing may follow, such as an end, has none of these buttons.
    return entries => inOrder({ ...entries, ...('append.end-event' in entries && Object.fromEntries(own)) }, beside)
  }
}

/** The module by which the drawing program learns it. */
export const limits = { __init__: ['limits'], limits: ['type', Limits] }
