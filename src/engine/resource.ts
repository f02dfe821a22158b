import type { Action, AnyName } from './action.ts'
import type { CallText } from './call.ts'
import type { Condition } from './condition.ts'
import { type Entity, type Fields, fieldOf, type NameOf, type Row } from './entity.ts'
import type { Entities, EntityName, Field } from './field.ts'
import type { ListView, ListViews } from './list-view.ts'
import type { PlainRefusalName } from './refusal.ts'
import type { Scope } from './scope.ts'
import type { SearchBy } from './search.ts'
import type { Reply } from './shape.ts'
import { type FarName, isFar, type Step, stepOf } from './step.ts'
import type { Suggestion } from './suggest.ts'
import type { Todo, Todos } from './todo.ts'
import { type AnyTransition, buttonOf, type InputsOf, type TransitionOf, type Transitions } from './transition.ts'

/** What the generated half offers of a resource. */
export type Ability = 'view' | 'add' | 'edit' | 'remove' | 'export' | 'import'

/**
 * Cells that the application has beside those of the kinds, by name. It registers them, so that a name without a cell does not
 * compile: `declare module '#engine' { interface NamedCells { heat: true } }`.
 */
export interface NamedCells {}

/** Inputs that the application has beside those of the kinds, by name; registered like {@link NamedCells}. */
export interface NamedInputs {}

/** Name of a cell of the application. */
export type CellName = keyof NamedCells & string

/** Name of an input of the application. */
export type InputName = keyof NamedInputs & string

/** A column of the table that needs more than its name. */
export interface Column<Name extends string = string> {
  readonly field: Name
  /** Pixels. */
  readonly width?: number
  readonly fixed?: 'left' | 'right'
  /** A cell of the application by name instead of the kind's own. */
  readonly as?: CellName
  /** Hidden until chosen in the column chooser. */
  readonly folded?: true
  /** Further columns that stand below it in the same cell, small and quiet, such as a number below a name. */
  readonly with?: readonly Name[]
  /** Stands in the last line of a card on a phone; by default the first two columns after those of the lines before. */
  readonly card?: true
}

/** An input of the form that needs more than its name. */
export interface Input<Name extends string = string, R = Record<string, unknown>> {
  readonly field: Name
  /** Twenty-fourths of the row; 12 by default, 24 for long text. */
  readonly span?: number
  /** Shown but not editable: always, or only when an existing row is edited. */
  readonly readonly?: true | 'edit'
  /** An input of the application by name instead of the kind's own. */
  readonly as?: InputName
  /** Shown only while the form meets this condition; by default that of the entity's `requiredWhen`. */
  readonly when?: Condition<R>
  /**
   * A time or a day that the form suggests, worked out of another one: `{ from: 'examStartTime', days: -47, at: '09:00' }`. Whoever
   * fills in the form takes it or enters another.
   */
  readonly suggest?: Suggestion<Name>
}

/** What stands where a list has no rows at all. */
export interface EmptyList<Act extends string = string> {
  /** One sentence. */
  readonly text: string
  /**
   * Buttons of what comes next, by their labels: adding, importing, a button above the table, or a page, in whose address `:field`
   * stands for what the list is filtered by.
   */
  readonly next?: { readonly [label: string]: Act | `/${string}` }
}

/** A list of names, or names with options, in the order seen. */
export type Inputs<E> = E extends Entity ? readonly (NameOf<E> | Input<NameOf<E>, Row<E>>)[] : never

/** An order made by hand. */
export interface Order<Name extends string = string> {
  readonly by: Name
  readonly within?: Name
}

/** Which rows belong to a candidate, which of them the candidate reads, and what of them. */
export interface Owner<Name extends string = string, C = Condition, D extends string = never> {
  /** Field whose value is the candidate's own id. */
  readonly field: Name
  /** What a row has to be before its owner reads it; `{}` for all. */
  readonly where: C
  /**
   * What its owner reads of a row, besides its id and the times it was made and changed. Nothing else is filtered or sorted by.
   */
  readonly fields: readonly (Name | D)[]
}

/** Derived numbers by their names; nothing while the names are not known. */
type Numbers<D extends string> = string extends D ? unknown : { readonly [K in D]: number }

/** What is offered of an entity. Everything but `path` has a default. `D` names its derived fields, `M` those that are measured. */
export interface Definition<E extends Entity, D extends string = never, M extends D = D> {
  /** Address below `/api`, for example `/blade-system/param`. */
  readonly path: string
  /** Title of the screen; the entity's own by default. */
  readonly title?: string
  /** Permission code of the screen and prefix of its buttons' codes; the entity's name with `_` by default. */
  readonly code?: string
  /** Address of the screen; `/<module>/<name>` by default. */
  readonly route?: string
  /** Calls that differ from `GET page`, `GET detail?id`, `POST submit`, `POST remove?ids`. */
  readonly calls?: {
    readonly list?: CallText
    readonly detail?: CallText
    readonly submit?: CallText
    readonly remove?: CallText
  }
  /** What it allows; everything but `import` by default, `['view']` for logs. */
  readonly can?: readonly Ability[]
  /**
   * What is said to whoever calls `submit` or `remove` all the same where adding, editing or removing is not offered: a
   * sentence that names the right action.
   */
  readonly instead?: { readonly [K in 'add' | 'edit' | 'remove']?: string }
  /**
   * Label of one more button, `<code>_setting`, that stands for adding, editing and removing: whoever is granted it may do
   * all of them.
   */
  readonly setting?: string
  /**
   * Columns of the table, derived fields among them; every visible field by default. A name with a dot is a field of the row
   * that a reference names: `exam.signEndTime` where the entity has `examId`. It is empty where whoever asks does not meet that
   * row, and is never shown to candidates.
   */
  readonly columns?: readonly (AnyName<E> | FarName<E> | D | Column<AnyName<E> | FarName<E> | D>)[]
  /** Whole numbers and amounts, stored or derived, whose sum over all rows that are found stands below the table. */
  readonly totals?: readonly (NameOf<E> | D)[]
  /**
   * Fields in the search bar, allowed as filters with every operator. Everything else is refused (input.invalid). A field
   * behind a reference, `exam.examName`, is one that the list of the other rows can be searched by, too. A derived one is `measured`.
   */
  readonly search?: readonly (AnyName<E> | FarName<E> | M)[]
  /**
   * Texts that one box above the list searches together (`keyword=`): each by its part, those that are sealed by the whole. Fields
   * behind references among them, `user.realName`. Without it the fields of the search bar stand there by themselves.
   */
  readonly find?: readonly (AnyName<E> | FarName<E>)[]
  /** Rows of other resources that a row is about: the box of the list finds it by what finds those, too. */
  readonly foundThrough?: FoundThrough<NameOf<E>>
  /**
   * Named filters above the list, each with the number of its rows (`chip=`, `GET views`):
   * `{ 待缴: { payState: PayState.due }, 我的: { createUser: '$caller' }, 今天: { time: { since: '$today' } }, 全部: {} }`. The
   * first is opened. Numbers that are `measured` are tested like those that are stored: `{ 已满: { signNum: { atLeast: 'most' } } }`.
   */
  readonly views?: { readonly [name: string]: ListView<Row<E> & Numbers<D>> }
  /**
   * Named filters whose rows wait for somebody, each a line of that person's to-dos:
   * `{ 待处理: { label: '待处理的成绩复核', overdue: { createTime: { before: '$today-2' } } } }`.
   */
  readonly todos?: { readonly [view: string]: Todo<Row<E>, AnyName<E>> }
  /**
   * Derived numbers that the database works out for each row, by the server's hook `measure`: lists are sorted by them and filtered by
   * those of `search`, and named filters test them.
   */
  readonly measured?: readonly M[]
  /** How fields of the search bar are searched where it is not in the way of their kind: `{ volts: 'between' }`. */
  readonly searchBy?: Readonly<Partial<Record<AnyName<E> | FarName<E>, SearchBy>>>
  /** Fields that lists can be filtered and sorted by beyond those of the search bar, with every operator. */
  readonly filters?: readonly AnyName<E>[]
  /**
   * Words that rows carry beside a reference or a key of a dictionary, by their name on the wire:
   * `{ roleName: 'roleId', sexName: 'sex' }`. A reference has its label as `<field>Name` without being named here.
   */
  readonly names?: Readonly<Record<string, NameOf<E>>>
  /** Second names of fields on the wire, `{ key: 'modelKey' }`: answered beside the field, and taken in filters and submits. */
  readonly aliases?: Readonly<Record<string, NameOf<E>>>
  /** Fields that the choices of `select` carry beside their label; they are found by a part of a text among these, too. */
  readonly choices?: readonly NameOf<E>[]
  /** Order of the list, `-` for descending; `-createTime` by default. */
  readonly sort?: AnyName<E> | `-${AnyName<E>}`
  /**
   * Rows are put into their order by hand, with the pointer or the keys; the order stands in the whole number `by`, which
   * the list is sorted by. `within` names the field whose value rows of one order share, such as the exam of a field.
   * Gives the call `POST arrange?ids` for whoever may edit: the rows named take each other's places, in the order given.
   */
  readonly order?: Order<NameOf<E>>
  /**
   * Fields of the form that many rows take at once: `bulk: ['enable', 'openRatio']`. Gives the button 「批量修改」 for chosen rows and
   * the call `POST change?ids` for whoever may edit: up to 500 rows by `ids`, their `versions` beside them where the entity has
   * one, and the fields that all of them take. It checks what the form checks, and changes all of the rows or none.
   */
  readonly bulk?: readonly NameOf<E>[]
  /** Inputs of the form, grouped by title or not; every field the server does not fill by default. */
  readonly form?: Inputs<E> | Readonly<Record<string, Inputs<E>>>
  /**
   * Groups of the form that are asked when their time has come, each with the time or day that says so:
   * `{ 成绩与公示: 'examEndTime' }`, or `createTime` for what follows once the row is there. Until then the group is folded, and can be
   * opened.
   */
  readonly later?: Readonly<Record<string, NameOf<E> | 'createTime'>>
  /** Address of a page made by hand on which rows are added, in place of the form: `/exam/new`. */
  readonly addPage?: `/${string}`
  /** Rows that are met with the row that they belong to, as its `children`, and have no entry in the menu. */
  readonly menu?: false
  /** Changes by the form that other people are told of. */
  readonly announce?: Announce<Row<E>>
  /**
   * Tables of dependent rows in the detail, in this order: the entity and its field that points here,
   * `{ examitems: { label: '招聘岗位', by: 'examId' } }`. With `in: 'form'` the rows are edited in the form, too, and saved with
   * the row in one transaction: a submit carries them under the name of the entity. Who may add, edit and remove them is as
   * their own resource says.
   */
  readonly children?: {
    readonly [N in EntityName]?: { readonly label: string; readonly by: NameOf<Entities[N]>; readonly in?: 'form' }
  }
  /** Rows form a tree by this field: `list` answers the tree, `lazy` one level at a time with `hasChildren`. */
  readonly tree?: { readonly parent: NameOf<E>; readonly lazy?: true }
  /** What candidates see and change of it: rows of their own, and of those what is said here. Without it they see none. */
  readonly owner?: Owner<NameOf<E>, Condition<Row<E>>, M>
  /**
   * Which rows staff meet. Where rows refer to something that is met by appointment, directly or through others, it must be
   * said, or the server does not start.
   */
  readonly scope?: Scope<NameOf<E> | 'id'>
  /** Rows that meet this are built in: neither changed nor removed (row.builtIn). */
  readonly sealed?: Condition<Row<E>>
  /**
   * Rows that may be changed in the form: others have no such button, and the server refuses (row.wrongState, or what a
   * hook says).
   */
  readonly editable?: Condition<Row<E>>
  /**
   * Rows that may be removed: others have no such button, and the server refuses with `refusal`, or what a hook says. Rows
   * that go with another (`onRemove: 'with'`) are not asked. `removable: { when: { payStatus: ExampayStatus.draft } }`.
   */
  readonly removable?: Removable<Condition<Row<E>>>
  /** Rows first on a page; 10 by default. */
  readonly pageSize?: 10 | 30 | 50 | 100 | 200
}

/** A group of a form, with the time from which on it is asked. */
export interface FormGroup {
  readonly title: string
  readonly inputs: readonly Input[]
  readonly later?: string
}

/** Which rows may be removed, and how others are refused. */
export interface Removable<C = Condition> {
  readonly when: C
  /** Refusal of rows that do not meet it. Default row.wrongState. */
  readonly refusal?: PlainRefusalName
}

/** What makes a screen a view of a resource. */
export interface ViewOf {
  /** Name of the resource. */
  readonly of: string
  /** Permission code of the resource. */
  readonly code: string
  readonly name: string
  /** Which rows it shows, those of its tabs among the conditions. */
  readonly where: Condition
  readonly tabs: { readonly field: string; readonly values: readonly (string | number)[] } | null
}

/**
 * Changes that other people are told of: how many they are is asked before saving, and what was drafted for them is linked after. The
 * server drafts it as a listener to the submit.
 */
export interface Announce<R = Readonly<Record<string, unknown>>> {
  /** Rows whose changes are told. */
  readonly when: Condition<R>
  /**
   * A call of the resource that takes the id of the row and the names of the fields that change, `GET countMoved?id,fields`, and answers an
   * `announcedShape`.
   */
  readonly call: CallText
  /** The question before saving; `{{n}}` people are told. */
  readonly confirm: string
  /** What is drafted for them with the change; absent where they are told and nothing is left to do. */
  readonly draft?: AnnounceDraft
}

/** What is drafted with a change that other people are told of. */
export interface AnnounceDraft {
  /** What is said of it when it has been made, as a link. */
  readonly said: string
  /** It is a row of this resource whose field `by` leads to the changed row; which of those are drafts. */
  readonly of: string
  readonly by: string
  readonly where: Condition
  /** Address of the list that it stands in, `:id` for the changed row. The newest draft is opened there. */
  readonly at: `/${string}`
}

/**
 * Rows of other resources that a row is about, whichever resource that is.
 * `foundThrough: { type: 'targetType', ids: 'targetId', of: ['examination', 'user'] }`.
 */
export interface FoundThrough<N extends string = string> {
  /** The field with the name of the resource. */
  readonly type: N
  /** The field with the ids of its rows, between commas. */
  readonly ids: N
  /** Names of the resources by whose rows it is found. */
  readonly of: readonly string[]
}

/** Dependent rows: their resource, its field that points here, and whether the form holds them, too. */
export interface Child {
  readonly label: string
  readonly resource: string
  readonly by: string
  readonly in?: 'form'
}

declare const actionTypes: unique symbol
declare const transitionTypes: unique symbol

/**
 * A resource as the browser and the server read it: plain JSON. `A` are its actions as {@link Actions} has them, `D` its derived
 * fields, `T` its transitions as {@link Transitions} has them.
 */
export interface Resource<E extends Entity = Entity, A = unknown, D extends Fields = Fields, T = unknown> {
  readonly [actionTypes]?: A
  readonly [transitionTypes]?: T
  readonly name: E['name']
  readonly title: string
  readonly entity: E
  readonly path: string
  readonly code: string
  readonly route: string | null
  readonly calls: Readonly<Record<'list' | 'detail' | 'submit' | 'remove', CallText>>
  readonly can: readonly Ability[]
  readonly instead: { readonly [K in 'add' | 'edit' | 'remove']?: string }
  readonly setting: string | null
  readonly columns: readonly Column[]
  /** Where the names with a dot lead, among columns and search. The table of contents fills it: it knows all entities. */
  readonly steps: Readonly<Record<string, Step>>
  readonly derived: D
  readonly measured: readonly string[]
  readonly totals: readonly string[]
  readonly search: readonly string[]
  readonly find: readonly string[]
  readonly foundThrough: FoundThrough | null
  readonly views: ListViews
  readonly todos: Todos
  /** Buttons drawn at a row; null where nothing is said. */
  readonly main: 'all' | readonly string[] | null
  /** What stands where there are no rows; null where nothing is said. */
  readonly empty: EmptyList | null
  readonly searchBy: Readonly<Record<string, SearchBy>>
  readonly filters: readonly string[]
  readonly names: Readonly<Record<string, string>>
  readonly aliases: Readonly<Record<string, string>>
  readonly choices: readonly string[]
  readonly sort: string
  readonly order: Order | null
  readonly bulk: readonly string[]
  readonly form: readonly FormGroup[]
  /** The page on which rows are added; null for the form. */
  readonly addPage: string | null
  /** Whether it has an entry in the menu. */
  readonly menu: boolean
  readonly announce?: Announce
  readonly children: readonly Child[]
  readonly tree: { readonly parent: string; readonly lazy?: true } | null
  readonly owner: Owner | null
  readonly scope: Scope | null
  readonly sealed: Condition | null
  readonly editable: Condition | null
  readonly removable: Removable | null
  readonly pageSize: number
  /** Buttons and calls by name: those of the actions, and those of the transitions that have a call. */
  readonly actions: { readonly [K in keyof A | keyof T]: Action<E> }
  readonly transitions: { readonly [K in keyof T]: unknown }
  /** What makes it a view of another resource; null for a resource. */
  readonly view: ViewOf | null
}

/** A name, or a name with options, as a column. */
export const asColumn = <C extends { field: string }>(one: string | C): C =>
  typeof one === 'string' ? ({ field: one } as C) : one

/** An input with the condition on which its field is asked for, unless it says one itself. */
const asInput = (entity: Entity, one: string | Input): Input => {
  const input = asColumn<Input>(one)
  const when = input.when ?? entity.requiredWhen[input.field]
  return when ? { ...input, when } : input
}

/** The inputs of a form in groups; every field that the server does not fill where nothing is said. */
export const groupsOf = (
  entity: Entity,
  form: unknown,
  later: Readonly<Record<string, string>> = {},
): Resource['form'] => {
  const given =
    form ??
    Object.keys(entity.properties).filter(name => !entity.properties[name]?.filled && !entity.properties[name]?.hidden)
  const groups = (Array.isArray(given) ? { '': given } : given) as Record<string, readonly (string | Input)[]>
  const asked = Object.entries(later).filter(([title]) => !(title in groups))
  // A group that is not there is reported by `check`.
  return [...Object.entries(groups), ...asked.map(([title]) => [title, []] as const)].map(([title, inputs]) => ({
    title,
    inputs: inputs.map(one => asInput(entity, one)),
    ...(later[title] && { later: later[title] }),
  }))
}

const plainKinds = ['json', 'richText', 'secret', 'longText', 'image', 'file']

/**
 * Defines what is offered of an entity: calls, permissions, screens and actions. Data only, so that the browser and the
 * server read the same object.
 * @param entity what is stored
 * @param definition what differs from the defaults; `{ path }` alone is a complete resource
 */
export function resource<
  E extends Entity,
  const N,
  const I,
  const Q,
  const O,
  const U,
  const S,
  const G,
  const J,
  const P,
  const C,
  D extends Fields = Record<never, Field>,
  M extends keyof D & string = never,
>(
  entity: E,
  definition: Definition<E, NoInfer<keyof D & string>, NoInfer<M>> & {
    readonly measured?: readonly M[]
    /**
     * Values that are computed whenever a row is shown and stored nowhere, by name: `{ phases: json('阶段') }`. The
     * server's hook `derive` gives them. Those that are columns stand in the detail and the file, too; none is
     * entered, and none but the `measured` ones sorted or searched by.
     */
    readonly derived?: D
    /** Buttons beyond the generated ones that need code, by name: without `open` each needs a handler or a route of its own. */
    readonly actions?: { readonly [K in keyof N]: Action<E> & { readonly call: N[K] } } & {
      readonly [K in keyof I]: { readonly input?: readonly I[K][] }
    } & { readonly [K in keyof Q]: { readonly ask?: Q[K] } } & { readonly [K in keyof O]: { readonly open?: O[K] } } & {
      readonly [K in keyof U]: { readonly answer?: U[K] }
    }
    /**
     * Which buttons are drawn at a row; the others stand in the menu behind `…`. Of those named the first that the row and the
     * person allow, `['approve', 'view']`; `'all'` as many as there is room for. Without it editing, and viewing where there is none.
     */
    readonly main?: 'all' | readonly (Ability | NoInfer<(keyof N | keyof S) & string>)[]
    /** What stands where there are no rows; that there are none, and adding where somebody may, where nothing is said. */
    readonly empty?: EmptyList<'add' | 'import' | NoInfer<keyof N & string>>
    /** Changes of state, by name: buttons beyond the generated ones that need no code. */
    readonly transitions?: { readonly [K in keyof S]: TransitionOf<E, S[K]> } & {
      readonly [K in keyof G]: { readonly guard?: G[K] }
    } & { readonly [K in keyof J]: { readonly input?: readonly J[K][] } } & {
      readonly [K in keyof P]: { readonly ask?: P[K] }
    } & { readonly [K in keyof C]: { readonly call?: C[K] } }
  },
): Resource<E, Actions<N, I, Q, O, U>, D, Transitions<S, G, J, P, C>> {
  const fields = entity.properties
  const d = definition
  const shown = Object.keys(fields).filter(
    name => !fields[name]?.hidden && !plainKinds.includes(fields[name]?.kind ?? ''),
  )
  return {
    name: entity.name,
    title: d.title ?? entity.title,
    entity,
    path: d.path,
    code: d.code ?? entity.name.replaceAll('-', '_'),
    route: d.route ?? null,
    calls: { list: 'GET page', detail: 'GET detail?id', submit: 'POST submit', remove: 'POST remove?ids', ...d.calls },
    can: d.can ?? ['view', 'add', 'edit', 'remove', 'export'],
    instead: d.instead ?? {},
    setting: d.setting ?? null,
    columns: (d.columns ?? shown).map(asColumn<Column>),
    steps: {},
    derived: (d.derived ?? {}) as D,
    measured: d.measured ?? [],
    totals: d.totals ?? [],
    search: d.search ?? [],
    find: d.find ?? [],
    foundThrough: d.foundThrough ?? null,
    views: (d.views ?? {}) as ListViews,
    todos: (d.todos ?? {}) as Todos,
    main: d.main ?? null,
    empty: d.empty ?? null,
    searchBy: (d.searchBy ?? {}) as Record<string, SearchBy>,
    filters: d.filters ?? [],
    names: d.names ?? {},
    aliases: d.aliases ?? {},
    choices: d.choices ?? [],
    sort: d.sort ?? d.order?.by ?? '-createTime',
    order: d.order ?? null,
    bulk: d.bulk ?? [],
    form: groupsOf(entity, d.form, d.later),
    addPage: d.addPage ?? null,
    menu: d.menu ?? true,
    ...(d.announce && { announce: d.announce as unknown as Announce }),
    children: Object.entries((d.children ?? {}) as Record<string, Omit<Child, 'resource'>>).map(
      ([name, { label, by, in: place }]) => ({ label, resource: name, by, ...(place && { in: place }) }),
    ),
    tree: d.tree ?? null,
    owner: (d.owner as Owner | undefined) ?? null,
    scope: d.scope ?? null,
    sealed: (d.sealed as Condition | undefined) ?? null,
    editable: (d.editable as Condition | undefined) ?? null,
    removable: (d.removable as Removable | undefined) ?? null,
    pageSize: d.pageSize ?? 10,
    actions: buttonsOf(d) as never,
    transitions: (d.transitions ?? {}) as never,
    view: null,
  }
}

/** All buttons in the order in which they are written: those of `actions` first where `actions` stands first. */
const buttonsOf = (definition: object): object =>
  Object.fromEntries(
    Object.entries(definition).flatMap(([word, given]) => {
      if (word === 'actions') return Object.entries(given)
      return word === 'transitions' ? calledOf(given as Readonly<Record<string, AnyTransition>>) : []
    }),
  )

const calledOf = (transitions: Readonly<Record<string, AnyTransition>>): [string, unknown][] =>
  Object.entries(transitions).flatMap(([name, one]) => {
    const button = buttonOf(one)
    return button ? [[name, button]] : []
  })

/** The field of a column: a derived one, one of the entity, a base column, or one behind a reference. */
export const columnField = (
  { derived, entity, steps }: Pick<Resource, 'derived' | 'entity' | 'steps'>,
  name: string,
): Field | undefined => derived[name] ?? steps[name]?.field ?? fieldOf(entity, name)

/** The heading of a column: texts to be translated each by itself and put beside each other with a `·`. */
export function headingOf(resource: Pick<Resource, 'derived' | 'entity' | 'steps'>, name: string): readonly string[] {
  const { before } = resource.steps[name] ?? {}
  const title = columnField(resource, name)?.title ?? name
  return before === undefined ? [title] : [before, title]
}

/** Names of all that a list shows, those that stand below others among them. */
export const columnNames = ({ columns }: Pick<Resource, 'columns'>): readonly string[] => [
  ...new Set(columns.flatMap(({ field, with: below = [] }) => [field, ...below])),
]

/** Names with a dot in the columns and the search of a resource. */
export const farNames = (one: Pick<Resource, 'columns' | 'search' | 'find'>): readonly string[] => [
  ...new Set([...columnNames(one), ...one.search, ...one.find].filter(isFar)),
]

/** Where the names with a dot of a resource lead. Those that lead nowhere are left out; `check` reports them. */
export function stepsOf(
  resource: Pick<Resource, 'columns' | 'search' | 'find' | 'entity'>,
  entityOf: (name: string) => Entity | undefined,
): Resource['steps'] {
  return Object.fromEntries(
    farNames(resource).flatMap(name => {
      const step = stepOf(resource, name, entityOf)
      return step ? [[name, step]] : []
    }),
  )
}

/**
 * What code has to know of the actions of a resource, by name: its call, the fields each takes as `input`, the further ones it
 * asks for, the page it opens and what its handler answers. What an action does not say is `unknown`.
 */
export type Actions<N, I, Q, O, U> = {
  readonly [K in keyof N]: {
    readonly call: N[K]
    readonly input: K extends keyof I ? I[K] : unknown
    readonly ask: K extends keyof Q ? Q[K] : unknown
    readonly open: K extends keyof O ? O[K] : unknown
    readonly answer: K extends keyof U ? U[K] : unknown
  }
}

/** Names of the actions that need code, because they do not only open a page. */
export type HandledBy<R> =
  R extends Resource<infer _E, infer A>
    ? { [K in keyof A]: A[K] extends { readonly open: infer O } ? (unknown extends O ? K : never) : never }[keyof A] &
        string
    : never

/** Names of the actions whose definition says what they answer: a handler does, and no route. */
export type AnsweredBy<R> =
  R extends Resource<infer _E, infer A>
    ? { [K in keyof A]: A[K] extends { readonly answer: infer S } ? (unknown extends S ? never : K) : never }[keyof A] &
        string
    : never

/** What the handler of an action gives for its answer; nothing where the action says none. */
export type OutcomeOf<R, K extends string> =
  R extends Resource<infer _E, infer A>
    ? K extends keyof A
      ? A[K] extends { readonly answer: infer S }
        ? Outcome<S>
        : never
      : never
    : never

type Outcome<S> = unknown extends S ? undefined : Reply<S>

/** What an action of a resource is called with: the fields it takes and those it asks for, read and checked. */
export type InputOf<R, K extends string> =
  R extends Resource<infer E, infer A>
    ? K extends keyof A
      ? A[K] extends { readonly input: infer I; readonly ask: infer Q }
        ? InputsOf<E, I, Q>
        : never
      : never
    : never

/** One button permission of a resource. */
export interface Permission {
  readonly code: string
  readonly label: string
}

const abilityWords: Readonly<Record<Ability, readonly [code: string, label: string]>> = {
  view: ['view', '查看'],
  add: ['add', '新增'],
  edit: ['edit', '修改'],
  remove: ['delete', '删除'],
  export: ['export', '导出'],
  import: ['import', '导入'],
}

/** Permission code of an ability or action of a resource, `param_add`. The resource's own code allows the list itself. */
export function permissionOf(resource: Resource, what: Ability | (string & {})): string {
  const word =
    what in abilityWords
      ? abilityWords[what as Ability][0]
      : (resource.actions as Record<string, { code?: string }>)[what]?.code
  return `${resource.code}_${word ?? what}`
}

/** What is done to rows in the words of the console: adding, editing, removing, an action or a transition by its name. */
export function deedLabel(resource: Resource, act: string): string {
  if (act in abilityWords) return abilityWords[act as Ability][1]
  const named = resource.transitions as Readonly<Record<string, { label?: string }>>
  return named[act]?.label ?? (resource.actions as Readonly<Record<string, { label?: string }>>)[act]?.label ?? act
}

/** Every button permission of a resource, in the order of the console. */
export function permissionsOf(resource: Resource): readonly Permission[] {
  const abilities = resource.can.map(can => ({ code: permissionOf(resource, can), label: abilityWords[can][1] }))
  const actions = Object.entries(resource.actions as Record<string, { label: string }>).map(([name, action]) => ({
    code: permissionOf(resource, name),
    label: action.label,
  }))
  const setting = resource.setting ? [{ code: permissionOf(resource, 'setting'), label: resource.setting }] : []
  return [...abilities, ...actions, ...setting].filter(
    (one, i, all) => all.findIndex(other => other.code === one.code) === i,
  )
}

/** The permissions that one stands for beside itself: those of a resource's `setting`. */
export function impliedBy(resources: readonly Resource[]): ReadonlyMap<string, readonly string[]> {
  return new Map(
    resources
      .filter(one => one.setting)
      .map(one => {
        const { view: _view, export: _export, import: _import, ...written } = abilityWords
        const parts = one.can.filter(can => can in written).map(can => permissionOf(one, can))
        return [permissionOf(one, 'setting'), [one.code, ...parts]] as const
      }),
  )
}
