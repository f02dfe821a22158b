import {
  check,
  checkEvents,
  checkSheets,
  type DomainEvent,
  type Resource,
  type Sheet,
  transitionsOf,
  type View,
  type Workspace,
  workspaceProblems,
} from '#engine'
import { hasRefusal } from '../platform/http/server/refusal.ts'
import { actionsOf } from './action.ts'
import type { Rules, StoredHooks } from './rules.ts'
import { unruled } from './scope.ts'
import type { ScopeRule } from './scope-rule.ts'
import { type SheetEntry, sheetRuleProblems } from './sheet-rules.ts'

/** Actions and removals that refuse with something that has no text. */
const unknownRefusals = (resources: readonly Resource[]): string[] =>
  resources.flatMap(({ name: of, actions, removable }) =>
    [
      ...Object.entries<{ refusal?: string }>(actions).map(
        ([name, { refusal }]) => [`action ${name}`, refusal] as const,
      ),
      ['removable', removable?.refusal] as const,
    ].flatMap(([place, refusal]) =>
      refusal === undefined || hasRefusal(refusal) ? [] : `resources: ${of}: ${place}: there is no refusal ${refusal}`,
    ),
  )

/** Rules that fit no definition, and definitions whose actions or derived values have no rules, one sentence each. */
function ruleProblems(resources: readonly Resource[], rules: Rules): string[] {
  const names = new Set<string>(resources.map(({ name }) => name))
  const strange = Object.keys(rules).filter(name => !names.has(name))
  return [
    ...strange.map(name => `rules: «${name}» is no resource`),
    ...resources.flatMap(resource => {
      const { hooks = {}, handlers = {}, routed = [], guards = {}, listeners = [] } = rules[resource.name] ?? {}
      const at = `rules: ${resource.name}`
      const [actions, transitions] = [actionsOf(resource), transitionsOf(resource)]
      const isOpen = (name: string) => !transitions[name] && !actions[name]?.open
      const bare = Object.keys(actions).filter(name => isOpen(name) && !handlers[name] && !routed.includes(name))
      const unknown = [...Object.keys(handlers), ...routed].filter(name => !actions[name])
      const double = Object.keys(handlers).filter(name => routed.includes(name) || transitions[name])
      const unguarded = Object.keys(transitions).filter(name => transitions[name]?.guard && !(name in guards))
      const idle = Object.keys(guards).filter(name => !transitions[name]?.guard)
      const events = [...Object.keys(transitions), 'submit', 'remove']
      const deaf = listeners.filter(({ event }) => !events.includes(event))
      const isDerived = Object.keys(resource.derived).length > 0
      return [
        ...bare.map(name => `${at}: action ${name} has neither a handler nor a route`),
        ...unknown.map(name => `${at}: «${name}» is no action of the resource`),
        ...double.map(name => `${at}: the handler of ${name} has no say: it is a transition or has a route`),
        ...unguarded.map(name => `${at}: transition ${name} has a guard without a function`),
        ...idle.map(name => `${at}: «${name}» is no transition with a guard`),
        ...deaf.map(({ event }) => `${at}: somebody listens to «${event}», which does not happen to it`),
        ...unworked(resource, hooks).map(
          name => `${at}: nothing works out «${name}»: a hook «derive» or «measure» is missing`,
        ),
        ...(!isDerived && hooks.derive ? [`${at}: the hook «derive» works out what the resource does not derive`] : []),
      ]
    }),
  ]
}

/** Derived values that neither code nor the database works out. */
const unworked = ({ derived }: Resource, { derive, measure = {} }: StoredHooks): string[] =>
  derive ? [] : Object.keys(derived).filter(name => !(name in measure))

/** Workspaces whose line nobody works out, and hooks that work out a line that no workspace shows. */
function lineless(workspaces: readonly Workspace[], rules: Rules): string[] {
  const hasHook = (name: string) => rules[name]?.hooks?.line !== undefined
  const wanted = workspaces.filter(one => one.header.line).map(({ name }) => name)
  const idle = Object.keys(rules).filter(name => hasHook(name) && !wanted.includes(name))
  return [
    ...wanted.filter(name => !hasHook(name)).map(name => `rules: ${name}: a hook «line» of its workspace is missing`),
    ...(workspaces.length > 0 ? idle : []).map(name => `rules: ${name}: the hook «line» belongs to no workspace`),
  ]
}

/** Workbooks that are filled in, and the rules of each. */
export interface SheetDefinitions {
  sheets: readonly Sheet[]
  rules: readonly SheetEntry[]
}

/** What does not fit together of definitions and their rules: one sentence for each problem, naming definition and field. */
export const definitionProblems = (
  resources: readonly Resource[],
  rules: Rules,
  scopes: Readonly<Record<string, ScopeRule>>,
  views: readonly View[] = [],
  books: SheetDefinitions = { sheets: [], rules: [] },
  workspaces: readonly Workspace[] = [],
  events: readonly DomainEvent[] = [],
): string[] => [
  ...check(resources, views),
  ...workspaceProblems(workspaces, [...resources, ...views]),
  ...lineless(workspaces, rules),
  ...unruled(resources, scopes),
  ...unknownRefusals(resources),
  ...ruleProblems(resources, rules),
  ...checkSheets(books.sheets),
  ...checkEvents(events),
  ...sheetRuleProblems(books.sheets, books.rules),
]

/** Says that the definitions do not fit together. @throws with one sentence for each problem, naming definition and field */
export function checkDefinitions(
  resources: readonly Resource[],
  rules: Rules,
  scopes: Readonly<Record<string, ScopeRule>>,
  views: readonly View[],
  books: SheetDefinitions,
  workspaces: readonly Workspace[],
  events: readonly DomainEvent[],
): void {
  const problems = definitionProblems(resources, rules, scopes, views, books, workspaces, events)
  if (problems.length > 0) throw new Error(`The definitions do not fit together:\n${problems.join('\n')}`)
}
