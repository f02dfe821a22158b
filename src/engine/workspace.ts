import type { AnyName } from './action.ts'
import type { CallText } from './call.ts'
import { type Condition, matches } from './condition.ts'
import { type Entity, type Fields, type FieldsOf, fieldOf, type NameOf, type Row, type ValueOf } from './entity.ts'
import type { Entities, EntityName, Field, Kind } from './field.ts'
import { asColumn, type CellName, type Column, columnField, permissionOf, type Resource } from './resource.ts'
import { isFar, stepOf } from './step.ts'

/** The rows of a list that belong to the row of a workspace. */
export interface ListPage {
  /** The resource, or a view of one by its name with the dot. */
  readonly list: EntityName | `${EntityName}.${string}`
  /**
   * The field that refers to the row of the workspace; one with a dot goes through another reference, `payRecord.examId`. By default
   * the only reference that the entity has to it.
   */
  readonly by?: string
  /** Address of a page made by hand that shows the same rows another way: it is opened first, the list stands behind it. */
  readonly overview?: `/${string}`
}

/** A page made by hand. */
interface MadePage<Act extends string> {
  /** Its address. It finds the row in its place. */
  readonly page: `/${string}`
  /** The action that it is for: only whoever may do that opens it. */
  readonly may?: Act
  /** It opens in a window of its own, and finds the id of the row under this name in its address. */
  readonly apart?: string
}

/** One page of a workspace: a list, a page made by hand, the form of the row itself, or what has been changed. */
export type WorkspacePage<Act extends string = string> =
  | ListPage
  | MadePage<Act>
  /** The form of the row, with a title of its own. */
  | { readonly form: true; readonly title: string }
  /**
   * Who has changed what, of the row itself and of the rows of its lists whose entities keep a history. It names further entities
   * whose rows belong to the row.
   */
  | { readonly history: readonly EntityName[]; readonly title: string }

/** Names of the pages of a workspace, whatever tab they stand in. */
type PageName<P> = { [G in keyof P]: keyof P[G] }[keyof P] & string

/** What waits for work: rows of a list that meet a condition. The line leads to that list, filtered by the same condition. */
type Waiting<N, Page> = N extends EntityName
  ? {
      /** One value for each field; the search of the list must have it. */
      readonly where?: { readonly [K in keyof FieldsOf<Entities[N]>]?: ValueOf<FieldsOf<Entities[N]>[K]> }
      /** A named filter of the list, which the rows are in. */
      readonly view?: string
      /** The page that has the list, or one made by hand that shows the same rows. */
      readonly page: Page
      /** What the address of a page made by hand says, so that it shows them. */
      readonly asks?: Readonly<Record<string, string>>
      /** The time since when a row waits. */
      readonly oldest?: AnyName<Entities[N]>
      /** A field with fixed words, a stored or a derived one: of how many rows it says what. */
      readonly parts?: string
      /** What is done there, in a word. */
      readonly verb?: string
      /** Another line whose rows these are among: it is left out where it has no more. */
      readonly among?: string
      /** It says what is in the way, and is no work of its page: tabs do not count it. */
      readonly quiet?: true
    }
  : never

/** A number of rows, or a sum over them, that leads to their list. */
interface Figure<Page> {
  readonly of: EntityName
  /** As in {@link Waiting}. */
  readonly where?: Readonly<Record<string, string | number>>
  /** As in {@link Waiting}. */
  readonly view?: string
  readonly page: Page
  /** The whole number or amount that is summed up, instead of counting rows. */
  readonly sum?: string
}

/** How many rows of a list came on each day. */
interface Trend<Page> {
  /** What the rows are together. */
  readonly title: string
  readonly of: EntityName
  /** One value for each field, as in {@link Waiting}. */
  readonly where: Readonly<Record<string, string | number>>
  /** The page that has the list. */
  readonly page: Page
  /** The time at which a row came. */
  readonly time: string
  /** Numbers that stand below it, by their titles. */
  readonly numbers?: Readonly<Record<string, Figure<Page>>>
}

/** Where a missing thing is mended: a page. The list of a page opens the row that lacks something, or with `new` the form of a new one. */
type Mend<Page> =
  | Page
  | {
      readonly page: Page
      /** Values that a new row begins with. */
      readonly new: Readonly<Record<string, string | number>>
    }

/** What a workspace says. `Page` are the names of its pages, `D` the derived fields of its resource, `Act` its actions. */
interface WorkspaceDefinition<E extends Entity, D extends string, Act extends string, Page extends string> {
  /** Address of the workspace, which ends with `/:id`; its pages stand below it. */
  readonly route: `/${string}/:id`
  /** What stands above every page. */
  readonly header: {
    /** Says in which state the row is. */
    readonly state?: NameOf<E>
    /** A shorter name of the row for its tab, where it has one. */
    readonly short?: NameOf<E>
    /** Values in one line. */
    readonly facts?: readonly (AnyName<E> | D | Column<AnyName<E> | D>)[]
    /** Values of rows in a state, in place of those. */
    readonly states?: readonly {
      readonly when: Condition<Row<E>>
      readonly facts: readonly (AnyName<E> | D | Column<AnyName<E> | D>)[]
    }[]
    /** A cell across the whole width with a value that the server's hook `line` works out. */
    readonly line?: { readonly as: CellName; readonly value: Field }
    /** Actions that are drawn as buttons where the row allows them; the others stand in a menu. */
    readonly main?: readonly Act[]
    /** A page that others see of such a row; it opens in a window of its own. */
    readonly outside?: { readonly title: string; readonly address: `/${string}`; readonly when: Condition<Row<E>> }
  }
  /** What the row needs before its next step. */
  readonly checks?: {
    /** A call of the resource that answers a `checkLineShape` for each thing that is needed, `GET checkRelease?id`. */
    readonly call: CallText
    /** Rows of which everything is shown: what is missing, and what is done. */
    readonly while: Condition<Row<E>>
    /** Rows of which only what is missing is shown, because it was there once. */
    readonly later?: Condition<Row<E>>
    /** Keys of lines that are of no concern later. */
    readonly once?: readonly string[]
    /** Rows of which everything is shown when somebody asks for it, because the step can be taken once more. */
    readonly again?: Condition<Row<E>>
    /** The action that everything is needed for. */
    readonly then: Act
    /** What the question before that action tells of the row. */
    readonly tell?: readonly (AnyName<E> | D)[]
    /** Address of a page made by hand that shows what others will see of the row: it stands beside what is missing. */
    readonly seen?: `/${string}`
    /** Where a missing thing is mended, by its key. */
    readonly mend: Readonly<Record<string, Mend<Page>>>
  }
  /** Rows in whose place nothing is changed any more: lists there offer only what reads, and actions that say `still`. */
  readonly still?: Condition<Row<E>>
  /**
   * What ends next: a derived field of `deadlineShape`. It stands at the home, with a button in the word `verb` that opens the part of the
   * header's line whose `fields` have that field.
   */
  readonly deadline?: { readonly field: D; readonly verb: string }
  /** Rows that come day after day, as a line with how many there are and how many came today. */
  readonly trend?: Trend<Page>
}

/** The header of a workspace, as browser and server read it. */
interface WorkspaceHeader {
  readonly state: string | null
  readonly short: string | null
  readonly facts: readonly Column[]
  readonly states: readonly { readonly when: Condition; readonly facts: readonly Column[] }[]
  readonly line: { readonly as: CellName; readonly value: Field } | null
  readonly main: readonly string[]
  readonly outside: { readonly title: string; readonly address: string; readonly when: Condition } | null
}

/** One page of a workspace, with the tab it stands in. */
export type PageOfWorkspace = { readonly tab: string; readonly name: string } & (
  | { readonly list: string; readonly by: string; readonly overview: string | null }
  /** `code` is the permission that it needs beside its place in the menu. */
  | { readonly page: string; readonly code: string | null; readonly apart: string | null }
  /** `code` is the permission to edit rows of the resource. */
  | { readonly form: true; readonly title: string; readonly code: string }
  /** `code` is the permission to look at rows of the resource; `by` is how rows of each further entity belong to the row. */
  | {
      readonly history: readonly { readonly of: string; readonly by: string }[]
      readonly title: string
      readonly code: string
    }
)

/** What waits for work, as browser and server read it. */
export interface TodayOfWorkspace extends FigureOfWorkspace {
  readonly asks: Readonly<Record<string, string>>
  readonly oldest: string | null
  readonly parts: string | null
  readonly verb: string | null
  readonly among: string | null
  readonly quiet: boolean
}

/** A number that leads to a list, as browser and server read it. */
export interface FigureOfWorkspace {
  readonly title: string
  readonly of: string
  readonly where: Readonly<Record<string, string | number>>
  readonly view: string | null
  readonly page: string
  readonly sum: string | null
}

/** How many rows of a list came on each day, as browser and server read it. */
export type TrendOfWorkspace = Omit<Trend<string>, 'numbers'> & { readonly numbers: readonly FigureOfWorkspace[] }

/** Where a missing thing is mended, as browser and server read it. */
interface MendOfWorkspace {
  readonly page: string
  /** Values of a new row; null where none is added. */
  readonly new: Readonly<Record<string, string | number>> | null
}

/** What the row of a workspace needs, as browser and server read it. */
export interface ChecksOfWorkspace {
  readonly call: CallText
  readonly while: Condition
  readonly later: Condition | null
  readonly once: readonly string[]
  readonly again: Condition | null
  readonly then: string
  readonly tell: readonly string[]
  readonly seen: string | null
  readonly mend: Readonly<Record<string, MendOfWorkspace>>
}

/** A place around one row: plain JSON. */
export interface Workspace {
  /** Name of the resource whose row it is around. */
  readonly name: string
  /** Title of the resource. */
  readonly title: string
  readonly route: string
  /** What stands above every page. */
  readonly header: WorkspaceHeader
  readonly checks: ChecksOfWorkspace | null
  readonly today: readonly TodayOfWorkspace[]
  readonly trend: TrendOfWorkspace | null
  readonly still: Condition | null
  readonly deadline: { readonly field: string; readonly verb: string } | null
  /** In the order of their tabs. */
  readonly pages: readonly PageOfWorkspace[]
}

/**
 * Defines a place around one row: a header, what is missing and what waits for work as its home, and pages that show what belongs to
 * the row. Its call `GET workspace?id`, addresses, tabs and the choice of another row follow. Whoever may open one of its pages may
 * open it.
 * @param resource whose rows have such a place
 * @param definition `pages` names the tabs, and in each the pages by the last part of their address
 */
export function workspace<
  E extends Entity,
  A,
  D extends Fields,
  T,
  const P extends Readonly<Record<string, Readonly<Record<string, WorkspacePage<(keyof A | keyof T) & string>>>>>,
  const Y extends Readonly<Record<string, EntityName>>,
>(
  resource: Resource<E, A, D, T>,
  definition: WorkspaceDefinition<E, keyof D & string, (keyof A | keyof T) & string, NoInfer<PageName<P>>> & {
    readonly pages: P
    /** What waits for work, by its title, each `of` an entity; a line with nothing to do is not shown. */
    readonly today?: { readonly [K in keyof Y]: { readonly of: Y[K] } & Waiting<Y[K], NoInfer<PageName<P>>> }
  },
): Workspace {
  const { name, title } = resource as unknown as Resource
  const { route, header, checks, today, trend, still, deadline, pages } = definition as unknown as Given
  const codeOf = (what: string) => permissionOf(resource as unknown as Resource, what)
  return {
    name,
    title,
    route,
    header: {
      state: header.state ?? null,
      short: header.short ?? null,
      facts: (header.facts ?? []).map(asColumn<Column>),
      states: (header.states ?? []).map(({ when, facts }) => ({ when, facts: facts.map(asColumn<Column>) })),
      line: header.line ?? null,
      main: header.main ?? [],
      outside: header.outside ?? null,
    },
    checks: checks ? checksOf(checks) : null,
    today: Object.entries(today ?? {}).map(([line, one]) => ({ ...bareLine, ...one, title: line })),
    trend: trend ? { ...trend, numbers: figuresOf(trend.numbers) } : null,
    still: still ?? null,
    deadline: deadline ?? null,
    pages: Object.entries(pages).flatMap(([tab, inside]) =>
      Object.entries(inside).map(([page, one]): PageOfWorkspace => {
        const at = { tab, name: page }
        if ('list' in one) return { ...at, list: one.list, by: one.by ?? '', overview: one.overview ?? null }
        if ('page' in one)
          return { ...at, page: one.page, code: one.may ? codeOf(one.may) : null, apart: one.apart ?? null }
        if ('form' in one) return { ...at, ...one, code: codeOf('edit') }
        return { ...at, ...one, history: one.history.map(of => ({ of, by: '' })), code: codeOf('view') }
      }),
    ),
  }
}

const bareFigure = { where: {}, view: null, sum: null } as const
/** What a line of today leaves unsaid. */
const bareLine = { ...bareFigure, asks: {}, oldest: null, parts: null, verb: null, among: null, quiet: false } as const

const figuresOf = (given: Trend<string>['numbers'] = {}): FigureOfWorkspace[] =>
  Object.entries(given).map(([title, one]) => ({ ...bareFigure, ...one, title }))

/** Checks with what they leave unsaid. */
const checksOf = ({ mend, ...checks }: GivenChecks): ChecksOfWorkspace => ({
  later: null,
  once: [],
  again: null,
  tell: [],
  seen: null,
  ...checks,
  mend: Object.fromEntries(
    Object.entries(mend).map(([key, one]) => [key, typeof one === 'string' ? { page: one, new: null } : one]),
  ),
})

/** Checks without the types of their resource. */
type GivenChecks = Pick<ChecksOfWorkspace, 'call' | 'while' | 'then'> &
  Partial<Omit<ChecksOfWorkspace, 'mend'>> & { readonly mend: Readonly<Record<string, string | MendOfWorkspace>> }

/** A definition without the types of its resource. */
interface Given {
  readonly route: string
  readonly header: Partial<Omit<WorkspaceHeader, 'facts' | 'states'>> & {
    readonly facts?: readonly (string | Column)[]
    readonly states?: readonly { readonly when: Condition; readonly facts: readonly (string | Column)[] }[]
  }
  readonly checks?: GivenChecks
  readonly today?: Readonly<
    Record<string, Pick<TodayOfWorkspace, 'of' | 'page'> & Partial<Omit<TodayOfWorkspace, 'title' | 'of' | 'page'>>>
  >
  readonly trend?: Trend<string>
  readonly still?: Condition
  readonly deadline?: Workspace['deadline']
  readonly pages: Readonly<Record<string, Readonly<Record<string, WorkspacePage>>>>
}

/** Fields of an entity that refer to another. */
const pointersTo = (entity: Entity, target: string): readonly string[] =>
  Object.keys(entity.properties).filter(name => {
    const { kind, ref } = entity.properties[name] ?? {}
    return kind === 'ref' && ref === target
  })

/** The resource or view of a list page. */
const listOf = (page: PageOfWorkspace, screens: readonly Resource[]): Resource | undefined =>
  'list' in page ? screens.find(one => one.name === page.list) : undefined

/**
 * A workspace whose lists know by which field their rows belong to its row. Lists of entities without a reference, or with several,
 * stay as they are; {@link workspaceProblems} reports them.
 * @param screens all resources and views
 */
export function withPointers(one: Workspace, screens: readonly Resource[]): Workspace {
  const target = entityOf(one, screens)?.name ?? ''
  const onlyPointer = (entity: Entity | undefined): string => {
    const [by = '', ...others] = entity ? pointersTo(entity, target) : []
    return others.length === 0 ? by : ''
  }
  const pages = one.pages.map((page): PageOfWorkspace => {
    if ('history' in page)
      return {
        ...page,
        history: page.history.map(({ of }) => ({
          of,
          by: onlyPointer(screens.find(({ entity }) => entity.name === of)?.entity),
        })),
      }
    return 'list' in page && !page.by ? { ...page, by: onlyPointer(listOf(page, screens)?.entity) } : page
  })
  return { ...one, pages }
}

const entityOf = ({ name }: Workspace, screens: readonly Resource[]): Entity | undefined =>
  screens.find(one => one.name === name)?.entity

/** Names of the fields that are shown of the row: in the header, and in the question before its next step. */
export const shownNames = ({
  header: { state, short, facts, states },
  checks,
  deadline,
}: Workspace): readonly string[] => [
  ...new Set([
    ...(state ? [state] : []),
    ...(short ? [short] : []),
    ...[facts, ...states.map(one => one.facts)].flat().map(({ field }) => field),
    ...(checks?.tell ?? []),
    ...(deadline ? [deadline.field] : []),
  ]),
]

/** The values in the header of a row, by its state. */
export const factsOfRow = ({ header: { facts, states } }: Workspace, row: Readonly<Record<string, unknown>>) =>
  states.find(one => matches(row, one.when))?.facts ?? facts

/** The list of an entity among the pages of a workspace: that of a page, or for a page made by hand the one that shows such rows, too. */
export function listBehind(
  { pages }: Pick<Workspace, 'pages'>,
  { page: name, of }: Pick<FigureOfWorkspace, 'page' | 'of'>,
  screens: readonly Resource[],
): { readonly list: Resource; readonly by: string } | undefined {
  const page = pages.find(one => one.name === name)
  const some = page && 'page' in page ? pages : page ? [page] : []
  for (const one of some) {
    const list = listOf(one, screens)
    if (list && !list.view && list.entity.name === of && 'by' in one) return { list, by: one.by }
  }
  return undefined
}

/** What a list is asked for, so that it shows the rows that a number counts. */
export const figureQuery = ({ where, view }: Pick<FigureOfWorkspace, 'where' | 'view'>): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(where).map(([name, value]) => [name, String(value)])),
  ...(view !== null && { chip: view }),
})

/** Whether the rows of a page point to the row of the workspace by the field that is said. */
function isPointer(
  list: Resource,
  by: string,
  target: string,
  entityNamed: (name: string) => Entity | undefined,
): boolean {
  if (!isFar(by)) return fieldOf(list.entity, by)?.ref === target
  return stepOf(list, by, entityNamed)?.field.ref === target
}

const timeKinds: readonly Kind[] = ['date', 'dateTime']

function pageProblems(one: Workspace, screens: readonly Resource[], at: string): string[] {
  const entityNamed = (name: string) => screens.find(({ entity }) => entity.name === name)?.entity
  const target = entityOf(one, screens)?.name ?? ''
  const names = one.pages.map(({ name }) => name)
  const twice = names.filter((name, i) => names.indexOf(name) !== i)
  return [
    ...twice.map(name => `${at}: two pages are called «${name}»`),
    ...names.filter(name => !/^[a-z][a-z-]*$/.test(name)).map(name => `${at}: «${name}» is no part of an address`),
    ...one.pages.flatMap(page => {
      if ('history' in page)
        return page.history.flatMap(({ of, by }) => {
          const entity = entityNamed(of)
          if (!entity?.history) return [`${at}: page ${page.name} tells of «${of}», which keeps no history`]
          return by ? [] : [`${at}: page ${page.name}: which rows of ${of} belong to one ${target} is not plain`]
        })
      if (!('list' in page)) return []
      const list = listOf(page, screens)
      if (!list) return [`${at}: page ${page.name} lists «${page.list}», which is no resource`]
      const found = pointersTo(list.entity, target)
      if (!page.by)
        return found.length === 0
          ? [
              `${at}: page ${page.name}: ${page.list} has no reference to ${target}; say which way it belongs to one (by)`,
            ]
          : [`${at}: page ${page.name}: ${page.list} refers to ${target} by ${found.join(' and ')}; say by which (by)`]
      return isPointer(list, page.by, target, entityNamed)
        ? []
        : [`${at}: page ${page.name}: «${page.by}» of ${page.list} does not refer to ${target}`]
    }),
  ]
}

function figureProblems(
  one: Workspace,
  screens: readonly Resource[],
  at: string,
  { title, of, where, view, page, sum, ...figure }: FigureOfWorkspace,
): string[] {
  const found = listBehind(one, { page, of }, screens)
  if (!one.pages.some(other => other.name === page)) return [`${at} «${title}» leads to «${page}», which is no page`]
  if (!found) return [`${at} «${title}» leads to «${page}», which does not list ${of}`]
  const { list } = found
  const { oldest, parts } = 'oldest' in figure ? (figure as TodayOfWorkspace) : { oldest: null, parts: null }
  const time = oldest === null ? undefined : fieldOf(list.entity, oldest)
  return [
    ...Object.keys(where)
      .filter(field => !list.search.includes(field))
      .map(field => `${at} «${title}» asks for «${field}», which the search of ${list.name} does not have`),
    ...(view === null || view in list.views ? [] : [`${at} «${title}» asks for «${view}», which is no view of ${of}`]),
    ...(sum === null || list.totals.includes(sum)
      ? []
      : [`${at} «${title}» sums up «${sum}», which is no total of ${of}`]),
    ...(oldest === null || (time && timeKinds.includes(time.kind))
      ? []
      : [`${at} «${title}» is as old as «${oldest}», which is no time of ${of}`]),
    ...(parts === null || (oldest === null && columnField(list, parts)?.dict)
      ? []
      : [`${at} «${title}» is parted by «${parts}», which has no fixed words in ${of}, or by a time as well`]),
  ]
}

function todayProblems(one: Workspace, screens: readonly Resource[], at: string): string[] {
  const titles = one.today.map(({ title }) => title)
  return [
    ...[...one.today, ...(one.trend?.numbers ?? [])].flatMap(line =>
      figureProblems(one, screens, `${at}: today`, line),
    ),
    ...one.today.flatMap(({ title, among }) =>
      among === null || titles.includes(among) ? [] : [`${at}: today «${title}» is among «${among}», which is no line`],
    ),
  ]
}

function trendProblems({ trend, pages }: Workspace, screens: readonly Resource[], at: string): string[] {
  if (!trend) return []
  const page = pages.find(other => other.name === trend.page)
  const list = page && listOf(page, screens)
  if (!list || list.view || list.entity.name !== trend.of)
    return [`${at}: the trend «${trend.title}» leads to «${trend.page}», which does not list ${trend.of}`]
  const time = fieldOf(list.entity, trend.time)
  return [
    ...Object.keys(trend.where)
      .filter(field => !list.search.includes(field))
      .map(field => `${at}: the trend asks for «${field}», which the search of ${list.name} does not have`),
    ...(time && timeKinds.includes(time.kind) ? [] : [`${at}: the trend goes by «${trend.time}», which is no time`]),
  ]
}

/** New rows that begin with what they do not have, or where there is no list to add them to. */
function mendProblems(one: Workspace, screens: readonly Resource[], at: string): string[] {
  return Object.entries(one.checks?.mend ?? {}).flatMap(([key, { page: name, new: values }]) => {
    const page = one.pages.find(other => other.name === name)
    if (!page || !values) return []
    const list = listOf(page, screens)
    if (!list?.can.includes('add')) return [`${at}: «${key}» adds a row on «${name}», where none can be added`]
    return Object.keys(values)
      .filter(field => !fieldOf(list.entity, field))
      .map(field => `${at}: «${key}» begins a row with «${field}», which ${list.name} does not have`)
  })
}

/**
 * What types cannot see of workspaces: pages and fields that are nowhere, references that do not lead here.
 * @param given workspaces with their pointers
 * @param screens all resources and views
 * @returns one sentence per problem, naming the workspace and the word; empty when all is well
 */
export function workspaceProblems(given: readonly Workspace[], screens: readonly Resource[]): string[] {
  const routes = given.map(({ route }) => route)
  return given.flatMap(one => {
    const at = `workspaces: ${one.name}`
    const resource = screens.find(({ name }) => name === one.name)
    if (!resource) return [`${at}: there is no such resource`]
    const pages = new Set(one.pages.map(({ name }) => name))
    const unknown = shownNames(one).filter(name => !columnField(resource, name))
    const { then, mend = {} } = one.checks ?? {}
    const acts = Object.keys(resource.actions)
    return [
      ...(routes.indexOf(one.route) === given.indexOf(one) ? [] : [`${at}: its address «${one.route}» is taken`]),
      ...unknown.map(name => `${at}: shows «${name}», which ${resource.name} does not have`),
      ...[...one.header.main, ...(then === undefined ? [] : [then])]
        .filter(name => !acts.includes(name))
        .map(name => `${at}: «${name}» is no button of ${resource.name}`),
      ...Object.entries(mend)
        .filter(([, { page }]) => !pages.has(page))
        .map(([key, { page }]) => `${at}: «${key}» is mended on «${page}», which is no page`),
      ...mendProblems(one, screens, at),
      ...pageProblems(one, screens, at),
      ...todayProblems(one, screens, at),
      ...trendProblems(one, screens, at),
    ]
  })
}
