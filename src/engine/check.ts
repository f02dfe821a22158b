import { undoSeconds } from './action.ts'
import { namesRows, readCall } from './call.ts'
import { type Entity, fieldOf } from './entity.ts'
import { transitionsOf } from './event.ts'
import type { Keep, Kind } from './field.ts'
import { daysAgo, type ListView, plainTests, widerTest } from './list-view.ts'
import { type Child, columnField, columnNames, farNames, permissionsOf, type Resource, stepsOf } from './resource.ts'
import { waysOf } from './scope.ts'
import { type Search, searchOf, searchWays } from './search.ts'
import { isFar } from './step.ts'
import { suggestionProblems } from './suggest.ts'
import type { View } from './view.ts'

interface Loose {
  label: string
  call: string
  input?: readonly string[]
  ask?: object
  begin?: object
  when?: object
  single?: object | false
  on?: string
  open?: string
  leads?: string
  done?: string
  undo?: { call: string; seconds?: number }
  download?: true
  answer?: object
}

const repeated = (values: readonly string[]): readonly string[] => [
  ...new Set(values.filter((v, i) => values.indexOf(v) !== i)),
]

function within(
  resource: Resource,
  byName: ReadonlyMap<string, Resource>,
  entities: ReadonlyMap<string, Entity>,
): string[] {
  const at = `resources: ${resource.name}`
  const problems: string[] = []
  const known = (where: string, name: string) => {
    if (!fieldOf(resource.entity, name))
      problems.push(`${at}: ${where} names «${name}», which ${resource.entity.name} does not have`)
  }
  for (const where of ['search', 'filters'] as const)
    for (const name of resource[where]) {
      if (isFar(name)) continue
      if (!resource.measured.includes(name)) known(where, name)
      const field = columnField(resource, name)
      if (field && (searchOf[field.kind] === 'none' || field.hidden))
        problems.push(`${at}: ${where} names «${name}», but a ${field.kind} cannot be searched`)
    }
  for (const [name, way] of Object.entries(resource.searchBy)) {
    const field = columnField(resource, name)
    if (!resource.search.includes(name)) problems.push(`${at}: searchBy names «${name}», which search does not`)
    else if (field && !searchWays(field.kind).includes(way))
      problems.push(`${at}: searchBy says «${way}» of «${name}», but a ${field.kind} is not searched so`)
  }
  problems.push(...derivedProblems(resource, at), ...wireProblems(resource, at), ...farProblems(resource, byName, at))
  problems.push(...throughProblems(resource, byName, at))
  for (const group of resource.form)
    for (const input of group.inputs) {
      known('form', input.field)
      if (resource.entity.properties[input.field]?.filled)
        problems.push(`${at}: form offers «${input.field}», which the server fills`)
    }
  for (const [name, field] of Object.entries(resource.entity.properties))
    if (field.ref && !entities.has(field.ref))
      problems.push(`schemas: ${resource.entity.name}.${name} refers to «${field.ref}», which is no entity`)
  problems.push(...withinProblems(resource, byName), ...codeProblems(resource, byName))
  problems.push(...orderProblems(resource, at), ...bulkProblems(resource, at))
  problems.push(...partitionProblems(resource.entity), ...removalProblems(resource, byName))
  for (const child of resource.children) {
    const other = byName.get(child.resource)
    if (!other) problems.push(`${at}: children names «${child.resource}», which is no resource`)
    else if (!other.entity.properties[child.by])
      problems.push(`${at}: children points by «${child.by}», which ${child.resource} does not have`)
    if (child.in === 'form') problems.push(...formChildProblems(resource, child, other, at))
  }
  for (const [name, action] of Object.entries(resource.actions as Record<string, Loose>)) {
    const call = readCall(action.call as never)
    if (!call.path) problems.push(`${at}: action ${name} has no path in its call «${action.call}»`)
    for (const field of action.input ?? []) known(`action ${name}`, field)
    for (const one of notAsked(action))
      problems.push(`${at}: action ${name} begins with «${one}», which it does not ask for`)
    for (const field of action.input ?? [])
      if (field in (action.ask ?? {})) problems.push(`${at}: action ${name} asks for «${field}» twice`)
    if (action.answer && (action.open || action.download))
      problems.push(`${at}: action ${name} has an answer, but opens a page or sends a file`)
    for (const [, part = ''] of (action.leads ?? '').matchAll(/:([A-Za-z]\w*)/g))
      if (!(part in ((action.answer as { of?: object } | undefined)?.of ?? {})))
        problems.push(`${at}: action ${name} leads to «${action.leads}», but answers no «${part}»`)
  }
  problems.push(
    ...callProblems(resource, at),
    ...answerProblems(resource, at),
    ...undoProblems(resource, at),
    ...listProblems(resource, at),
    ...conditionProblems(resource, at),
    ...askedProblems(resource, at),
    ...suggestionProblems(resource, at),
  )
  if (resource.addPage && !resource.can.includes('add'))
    problems.push(`${at}: addPage is «${resource.addPage}», but no rows are added`)
  problems.push(...transitionProblems(resource, at, entities))
  return problems
}

/** Two actions at one address that answer differently: a client that calls it would not know what comes. */
function answerProblems({ actions }: Resource, at: string): string[] {
  const first = new Map<string, readonly [name: string, answer: string]>()
  return Object.entries(actions as Record<string, Loose>).flatMap(([name, { call, answer }]) => {
    const { method, path } = readCall(call as never)
    const [address, text] = [`${method} ${path}`, JSON.stringify(answer ?? null)]
    const [other, said] = first.get(address) ?? [name, text]
    first.set(address, [other, said])
    return said === text ? [] : [`${at}: action ${name} answers otherwise than ${other}, which has its address`]
  })
}

/** Most seconds for which something can be undone: what is said of it does not stand there for ever. */
const mostSeconds = 60

/** What takes an action back is another one of the same rows, and begins at once. */
function undoProblems({ actions, transitions, view }: Resource, at: string): string[] {
  // The buttons of a view are some of those of its resource.
  if (view) return []
  const all = Object.entries(actions as Record<string, Loose>)
  const silent = Object.keys(transitions).filter(name => (transitions as Record<string, Partial<Loose>>)[name]?.undo)
  return [
    ...silent
      .filter(name => !(name in actions))
      .map(name => `${at}: transition ${name} is undone by a button, but has none itself`),
    ...all.flatMap(([name, { undo, on = 'row', open, download, done }]) => {
      const where = `${at}: action ${name}`
      const nameless = done !== undefined && !done.includes('{{name}}') ? [`${where} says done without «{{name}}»`] : []
      if (!undo) return nameless
      const other = all.find(([key, { call }]) => key !== name && call === undo.call)?.[1]
      const isAsking = (other?.input ?? []).length > 0 || Object.keys(other?.ask ?? {}).length > 0
      const { seconds = undoSeconds } = undo
      return [
        ...nameless,
        ...(open || download || on === 'toolbar' || on === 'empty' ? [`${where} is undone, but changes no rows`] : []),
        ...(other ? [] : [`${where} is undone by «${undo.call}», which is no call of another action`]),
        ...(other && (other.on ?? 'row') !== on
          ? [`${where} is undone by «${undo.call}», which is not for the same rows`]
          : []),
        ...(isAsking ? [`${where} is undone by «${undo.call}», which asks for something`] : []),
        ...(seconds > 0 && seconds <= mostSeconds
          ? []
          : [`${where} can be undone for ${seconds} seconds, not 1 to ${mostSeconds}`]),
      ]
    }),
  ]
}

/** Two actions under one call, or an action under a call that the resource has itself. */
function callProblems({ calls, actions, can }: Resource, at: string): string[] {
  const addressOf = (text: string) => {
    const { method, path, fixed } = readCall(text as never)
    return `${method} ${path}${JSON.stringify(fixed ?? {})}`
  }
  const own = Object.entries({ add: calls.submit, remove: calls.remove } as const).flatMap(([what, call]) =>
    can.includes(what as 'add' | 'remove') ? [[addressOf(call), what] as const] : [],
  )
  const taken = new Map<string, string>([...own, [addressOf(calls.list), 'list'], [addressOf(calls.detail), 'detail']])
  const all = Object.entries(actions as Record<string, Loose>)
  return all.flatMap(([name, { call }]) => {
    const address = addressOf(call)
    const other = taken.get(address)
    taken.set(address, name)
    if (other !== undefined) return [`${at}: action ${name} has the call of ${other}, «${call}»`]
    const { method, path, fixed } = readCall(call as never)
    const sharer = fixed && all.find(([, one]) => addressOf(one.call) === `${method} ${path}{}`)
    return sharer ? [`${at}: action ${sharer[0]} fixes no value that tells its call from that of ${name}`] : []
  })
}

/** Ways to search that find what somebody types without saying where. */
const found: readonly Search[] = ['part', 'sealed']

/** Kinds of fields whose texts nobody may compare in a named filter. */
const shut: readonly Kind[] = ['sealed', 'secret']

/** What a list shows and offers: its box, its named filters and its drawn buttons. */
function listProblems(resource: Resource, at: string): string[] {
  const { entity, find, views, todos, main, tree, can, actions, columns, empty } = resource
  const kindOf = (name: string) => columnField(resource, name)?.kind
  const unfound = find.filter(name => {
    const kind = kindOf(name)
    return !kind || !found.includes(searchOf[kind]) || fieldOf(entity, name)?.hidden
  })
  const named = Array.isArray(main) ? (main as readonly string[]) : []
  const shown = columns.flatMap(({ field, with: below = [] }) => [field, ...below])
  return [
    ...unfound.map(name => `${at}: find names «${name}», which is not found by a text that is typed`),
    ...(tree && Object.keys(views).length > 0 ? [`${at}: has views, but its rows are a tree`] : []),
    ...Object.entries(views).flatMap(([name, view]) => [
      ...(name.trim() ? [] : [`${at}: a view has no name`]),
      ...chipProblems(resource, `${at}: view ${name}`, view),
    ]),
    ...Object.entries(todos).flatMap(([name, { since = 'createTime', overdue = {} }]) => [
      ...(name in views ? [] : [`${at}: todos name «${name}», which is none of its views`]),
      ...(kindOf(since) === 'dateTime' ? [] : [`${at}: todos count ${name} since «${since}», which is no time`]),
      ...chipProblems(resource, `${at}: overdue of ${name}`, overdue),
    ]),
    ...named
      .filter(
        name => !(can as readonly string[]).includes(name) && (actions as Record<string, Loose>)[name] === undefined,
      )
      .map(name => `${at}: main names «${name}», which is neither an action nor what it can`),
    ...named
      .filter(name => ((actions as Record<string, Loose>)[name]?.on ?? 'row') !== 'row')
      .map(name => `${at}: main names «${name}», which does not stand at a row`),
    ...Object.values(empty?.next ?? {})
      .filter(to => !to.startsWith('/') && !(can as readonly string[]).includes(to))
      .filter(to => !['toolbar', 'empty'].includes((actions as Record<string, Loose>)[to]?.on ?? 'row'))
      .map(to => `${at}: empty names «${to}», which is neither a page, what it can nor a button above the table`),
    ...repeated(shown).map(name => `${at}: columns show «${name}» twice`),
  ]
}

/** Kinds of fields that are compared by their size. */
const sized: readonly Kind[] = ['integer', 'decimal', 'money', 'flag', 'state', 'dict']

/** What is wrong with a named filter: fields that there are not, values that they do not have, comparisons that mean nothing. */
function chipProblems(resource: Resource, where: string, view: ListView): string[] {
  const { entity, measured } = resource
  const plain = Object.entries(plainTests(view, null)).filter(([name]) => !measured.includes(name))
  const kindOf = (name: string) => (measured.includes(name) ? columnField(resource, name) : fieldOf(entity, name))?.kind
  return [
    ...unmet(entity, where, Object.fromEntries(plain)),
    ...Object.entries(view).flatMap(([field, test]) => {
      const kind = kindOf(field)
      if (kind && shut.includes(kind)) return [`${where} looks at «${field}», which is ${kind}`]
      const { word, of } = widerTest(test) ?? {}
      if (word === undefined) return []
      if (word === 'since' || word === 'before') {
        if (kind !== 'dateTime' && kind !== 'date') return [`${where} asks since when «${field}» is, which is no time`]
        const isMoment = daysAgo(String(of)) !== undefined || (kind === 'dateTime' && of === '$now')
        return isMoment ? [] : [`${where} says «${of}», which is no day`]
      }
      const other = typeof of === 'number' ? 'integer' : kindOf(String(of))
      const unsized = [[field, kind] as const, [of, other] as const].filter(([, one]) => !one || !sized.includes(one))
      return unsized.map(([name]) => `${where} compares «${name}», which is no number`)
    }),
  ]
}

/** Fields and values of a condition, or of what an action sets, that rows of an entity do not have. */
function unmet(entity: Resource['entity'], where: string, condition: object | null | undefined): string[] {
  return Object.entries(condition ?? {}).flatMap(([name, test]) => {
    const field = fieldOf(entity, name)
    if (!field) return name === 'status' ? [] : [`${where} names «${name}», which ${entity.name} does not have`]
    const given: unknown = typeof test === 'object' && test !== null && 'not' in test ? test.not : test
    const values = (Array.isArray(given) ? given : [given]) as readonly unknown[]
    const { enum: keys } = field
    const strange = values.filter(
      value => keys && value !== null && value !== '' && !keys.includes(value as string | number),
    )
    return strange.map(value => `${where} has «${name}» as ${JSON.stringify(value)}, which is none of its values`)
  })
}

/** Inputs that are hidden though they are always required, and conditions on what the form does not hold. */
function askedProblems({ entity, form }: Resource, at: string): string[] {
  const inputs = form.flatMap(group => group.inputs)
  const entered = new Set(inputs.map(input => input.field))
  return inputs.flatMap(({ field: name, when }) => {
    const field = entity.properties[name]
    const condition = entity.requiredWhen[name]
    if (!when || !field) return []
    const isAlways = entity.required.includes(name) && field.default === undefined
    const strange = Object.keys(when).filter(one => !entered.has(one))
    return [
      ...strange.map(one => `${at}: the input «${name}» is shown by «${one}», which the form does not have`),
      ...(isAlways ? [`${at}: the input «${name}» is hidden at times, but the field is always required`] : []),
      ...(condition && JSON.stringify(condition) !== JSON.stringify(when)
        ? [`${at}: the input «${name}» has another condition than requiredWhen of ${entity.name}`]
        : []),
    ]
  })
}

/** Conditions of a definition, wherever they stand. */
function conditionProblems(
  { entity, actions, sealed, editable, removable, owner, form, scope }: Resource,
  at: string,
): string[] {
  const cases = scope && 'cases' in scope ? scope.cases : []
  return [
    ...entity.uniques.flatMap(rule => unmet(entity, `schemas: ${entity.name}: a unique rule`, rule.where)),
    ...Object.entries(entity.requiredWhen).flatMap(([name, condition]) => [
      ...unmet(entity, `schemas: ${entity.name}: requiredWhen of ${name}`, condition),
      ...(name in condition ? [`schemas: ${entity.name}: requiredWhen of ${name} depends on the field itself`] : []),
    ]),
    ...unmet(entity, `${at}: sealed`, sealed),
    ...unmet(entity, `${at}: editable`, editable),
    ...unmet(entity, `${at}: removable`, removable?.when),
    ...unmet(entity, `${at}: owner.where`, owner?.where),
    ...cases.flatMap(({ when }) => unmet(entity, `${at}: a case of its scope`, when)),
    ...form.flatMap(({ inputs }) =>
      inputs.flatMap(input => unmet(entity, `${at}: the input «${input.field}»`, input.when)),
    ),
    ...Object.entries(actions as Record<string, Loose>).flatMap(([name, { on, when, single }]) => [
      ...unmet(entity, `${at}: action ${name}: when`, when),
      ...unmet(entity, `${at}: action ${name}: single`, single || null),
      ...(single !== undefined && on !== 'rows'
        ? [`${at}: action ${name} says at which single rows it stands, but it is on no selected rows`]
        : []),
    ]),
  ]
}

/** Words of a transition that stand for a value. */
const setWords: readonly unknown[] = ['$now', '$caller', '$reason']

/** What is written into rows: fields that there are, each with a value that it may have. */
function setProblems(entity: Resource['entity'], where: string, set: object): string[] {
  const values = Object.entries(set).filter(([, value]) => !setWords.includes(value))
  const words = Object.keys(set).filter(name => setWords.includes(set[name as never]) && !fieldOf(entity, name))
  return [
    ...unmet(entity, where, Object.fromEntries(values)),
    ...words.map(name => `${where} names «${name}», which ${entity.name} does not have`),
  ]
}

/** Transitions without a label, rows or a change; reasons that are kept nowhere; rows along that do not refer to this one. */
function transitionProblems(resource: Resource, at: string, entities: ReadonlyMap<string, Entity>): string[] {
  const { entity, actions } = resource
  return Object.entries(transitionsOf(resource)).flatMap(([name, transition]) => {
    const { label, call, on, set, when, along = {}, reason, reasonAs, skipped, num } = transition
    const where = `${at}: transition ${name}`
    const usesReason = [set, ...Object.values(along).map(one => one.set)].some(one =>
      Object.values(one).includes('$reason'),
    )
    return [
      ...(label?.trim() ? [] : [`${where} has no label`]),
      ...(reserved.includes(name) ? [`${where} has the name of an event that every resource has`] : []),
      ...(Object.keys(set).length > 0 ? [] : [`${where} sets nothing`]),
      ...(call && !readCall(call).params.some(namesRows)
        ? [`${where} takes neither id nor ids in its call «${call}»`]
        : []),
      ...((actions as Readonly<Record<string, Loose>>)[name]?.call === call
        ? []
        : [`${where} has the name of an action`]),
      ...(reason && !usesReason && (!entity.history || transition.log === false)
        ? [`${where} asks for a reason that nothing keeps`]
        : []),
      ...(usesReason && !reason ? [`${where} writes a reason that it does not ask for`] : []),
      ...(reasonAs && !reason ? [`${where} names a reason that it does not ask for`] : []),
      ...(reasonAs && reasonAs in (transition.ask ?? {}) ? [`${where} asks for «${reasonAs}» twice`] : []),
      ...(skipped !== undefined && on !== 'rows' ? [`${where} says of skipped rows what nobody asks of one`] : []),
      ...(skipped !== undefined && num ? [`${where} answers both a number and a list of rows`] : []),
      ...(num && num !== 'rows' && !(num in along) ? [`${where} counts «${num}», which does not change along`] : []),
      ...unmet(entity, `${where}: when`, call ? null : when),
      ...setProblems(entity, `${where}: set`, set),
      ...Object.entries(along).flatMap(([of, one]) => {
        const other = entities.get(of)
        if (!other) return [`${where}: along names «${of}», which is no entity`]
        return [
          ...(other.properties[one.by]?.ref === entity.name
            ? []
            : [`${where}: along points by «${one.by}», which does not refer to ${entity.name}`]),
          ...unmet(other, `${where}: along: when`, one.when),
          ...setProblems(other, `${where}: along: set`, one.set),
        ]
      }),
    ]
  })
}

/** Events that every resource has. */
const reserved: readonly string[] = ['submit', 'remove']

/** Values that a dialog would begin with and has no input for. */
function notAsked({ input = [], ask = {}, begin = {} }: Loose): readonly string[] {
  return Object.keys(begin).filter(name => !input.includes(name) && !(name in ask))
}

/** Columns and sums of what is there, sums of what is a number, and no derived value in the place of a stored one. */
function derivedProblems(resource: Resource, at: string): string[] {
  const { derived, totals, entity, measured } = resource
  const unknown = (where: string, names: readonly string[]) =>
    names
      .filter(name => !isFar(name) && !columnField(resource, name))
      .map(name => `${at}: ${where} names «${name}», which ${entity.name} does not have`)
  const stored = Object.keys(derived).filter(name => fieldOf(entity, name))
  const wordy = totals.filter(name => !summed.includes(columnField(resource, name)?.kind ?? 'integer'))
  const unmeasured = measured.filter(name => !sized.includes(derived[name]?.kind ?? 'text'))
  return [
    ...unknown('columns', columnNames(resource)),
    ...unmeasured.map(name => `${at}: measured names «${name}», which is no derived number`),
    ...unknown('totals', totals),
    ...stored.map(name => `${at}: derived names «${name}», which is stored`),
    ...wordy.map(name => `${at}: totals names «${name}», which is neither a whole number nor an amount`),
  ]
}

/** Kinds that the rows of a form cannot have: lists do not carry them. */
const unlisted: readonly Kind[] = ['richText', 'json', 'secret']

/** Rows in a form are those of another resource that are added or edited one by one, and point here by what is written. */
function formChildProblems({ entity }: Resource, child: Child, other: Resource | undefined, at: string): string[] {
  const isEntered = other?.can.some(can => can === 'add' || can === 'edit')
  const inputs = other?.form.flatMap(group => group.inputs.map(input => input.field)) ?? []
  const heavy = inputs.filter(name => unlisted.includes(other?.entity.properties[name]?.kind ?? 'text'))
  return [
    ...heavy.map(name => `${at}: the form holds ${child.resource}, of which lists do not show «${name}»`),
    ...(other?.entity.properties[child.by]?.filled
      ? [`${at}: the form holds ${child.resource}, whose «${child.by}» the server fills`]
      : []),
    ...(entity.properties[child.resource] ? [`${at}: the form holds ${child.resource}, which is a field, too`] : []),
    ...(isEntered && other?.entity.key === 'id' && other.tree === null && child.resource !== entity.name
      ? []
      : [`${at}: the form holds ${child.resource}, whose rows are not entered one by one`]),
  ]
}

/** A view is of a resource that is offered, its rows can be met, and its tabs are values with words. */
function viewProblems({ name, entity, view }: View, byName: ReadonlyMap<string, Resource>): string[] {
  const at = `resources: ${name}`
  const { of, where, tabs } = view
  const isWorded = !tabs || ['state', 'dict', 'flag'].includes(fieldOf(entity, tabs.field)?.kind ?? '')
  return [
    ...(byName.has(of) ? [] : [`${at}: is a view of «${of}», which stands in no menu`]),
    ...unmet(entity, `${at}: where`, where),
    ...(isWorded ? [] : [`${at}: tabs by «${tabs.field}», whose values have no words`]),
    ...(entity.properties.view ? [`${at}: the field «view» has the name by which lists ask for a view`] : []),
    ...(Object.keys(where).length > 0 ? [] : [`${at}: shows all rows: say «where» or «tabs»`]),
  ]
}

/** Names with a dot lead to what may be shown, and to what the list of the other rows is searched by: it has the indexes. */
function farProblems(resource: Resource, byName: ReadonlyMap<string, Resource>, at: string): string[] {
  return farNames(resource).flatMap(name => {
    const step = resource.steps[name]
    const { search, find } = resource
    const isSought = search.includes(name) || find.includes(name)
    const where = columnNames(resource).includes(name) ? 'columns' : search.includes(name) ? 'search' : 'find'
    if (!step) return [`${at}: ${where} names «${name}», which leads to no field of another entity`]
    const { field, to } = step
    if (field.hidden) return [`${at}: ${where} names «${name}», which never leaves the server`]
    if (!isSought) return []
    if (searchOf[field.kind] === 'none')
      return [`${at}: ${where} names «${name}», but a ${field.kind} cannot be searched`]
    const other = [...byName.values()].find(one => one.entity.name === to)
    return other && [...other.search, ...other.filters].includes(step.name)
      ? []
      : [`${at}: ${where} names «${name}», which the list of ${to} itself is not searched by`]
  })
}

/** Rows that others are about are found by the box of their own list. */
function throughProblems({ foundThrough }: Resource, byName: ReadonlyMap<string, Resource>, at: string): string[] {
  const unfound = foundThrough?.of.filter(name => !byName.get(name)?.find.length) ?? []
  return unfound.map(name => `${at}: foundThrough names «${name}», whose list has nothing that it is found by`)
}

/** Second names and words beside fields: of fields that are there, that have words, and under a name that is free. */
function wireProblems({ entity, names, aliases, choices, tree }: Resource, at: string): string[] {
  const pairs = [...Object.entries(names), ...Object.entries(aliases)]
  const pointed = [...pairs.map(([, name]) => name), ...choices]
  const unknown = pointed.filter(name => !entity.properties[name])
  const taken = pairs.map(([wire]) => wire).filter(wire => fieldOf(entity, wire))
  const wordless = Object.values(names).filter(name => {
    const field = entity.properties[name]
    return field && !field.ref && !field.dict && name !== tree?.parent
  })
  const shut = pointed.filter(name => entity.properties[name]?.hidden)
  return [
    ...unknown.map(name => `${at}: a name on the wire stands for «${name}», which ${entity.name} does not have`),
    ...taken.map(name => `${at}: «${name}» is a second name and a field`),
    ...wordless.map(name => `${at}: names asks for the words of «${name}», which has none`),
    ...shut.map(name => `${at}: a name on the wire stands for «${name}», which never leaves the server`),
  ]
}

/** Kinds of which a sum says something. */
const summed: readonly Kind[] = ['integer', 'money']

/** An order by hand needs a whole number that the list is sorted by and rows that may be edited, and it is no tree. */
function orderProblems({ order, entity, sort, can, tree }: Resource, at: string): string[] {
  if (!order) return []
  const { by, within: group } = order
  return [
    ...(entity.properties[by]?.kind === 'integer' ? [] : [`${at}: order by «${by}», which is no whole number`]),
    ...(group && !entity.properties[group]
      ? [`${at}: order within «${group}», which ${entity.name} does not have`]
      : []),
    ...(sort === by ? [] : [`${at}: order by «${by}», but the list is sorted by «${sort}»`]),
    ...(can.includes('edit') && !tree ? [] : [`${at}: order of rows that are not edited one by one`]),
  ]
}

/** What many rows take at once is entered in their form and can be the same in all of them. */
function bulkProblems({ bulk, entity, form, can, actions }: Resource, at: string): string[] {
  if (bulk.length === 0) return []
  const inputs = form.flatMap(group => group.inputs)
  const isEntered = (name: string) => inputs.some(({ field, readonly }) => field === name && !readonly)
  const uniques = new Set(entity.uniques.filter(({ fields }) => fields.length === 1).flatMap(({ fields }) => fields))
  const isUnique = (name: string) => uniques.has(name) || entity.properties[name]?.unique === true
  const paths = Object.values(actions as Record<string, Loose>).map(({ call }) => readCall(call as never).path)
  return [
    ...bulk.filter(name => !isEntered(name)).map(name => `${at}: bulk names «${name}», which the form does not edit`),
    ...bulk.filter(isUnique).map(name => `${at}: bulk names «${name}», which no two rows share`),
    ...repeated(bulk).map(name => `${at}: bulk names «${name}» twice`),
    ...(can.includes('edit') ? [] : [`${at}: bulk of rows that are not edited`]),
    ...(paths.includes('change') ? [`${at}: bulk has the call «POST change», which an action has`] : []),
  ]
}

/** Unique rules of a table that is cut by month: the database holds them within a month only. */
function partitionProblems({ partition, name, properties, uniques }: Resource['entity']): string[] {
  if (!partition) return []
  const single = Object.keys(properties).filter(field => properties[field]?.unique)
  const fields = [...single, ...uniques.map(rule => rule.fields.join(', '))]
  return fields.map(field => `schemas: ${name} is cut by ${partition}, where «${field}» cannot be unique`)
}

/** Rows that go with a row which nobody removes, or which goes with them in turn. */
function removalProblems({ entity }: Resource, byName: ReadonlyMap<string, Resource>): string[] {
  const resources = [...byName.values()]
  const goneWith = (name: string): readonly string[] =>
    resources
      .filter(one => one.entity.name === name)
      .flatMap(one => Object.values(one.entity.properties))
      .flatMap(({ ref, onRemove }) => (ref && onRemove ? [ref] : []))
  const above = new Set(goneWith(entity.name))
  for (const name of above) for (const one of goneWith(name)) above.add(one)
  return Object.entries(entity.properties).flatMap(([name, { ref, onRemove }]) => {
    if (!ref || !onRemove) return []
    const at = `schemas: ${entity.name}.${name} goes with ${ref}`
    const isRemoved = resources.some(one => one.entity.name === ref && one.can.includes('remove'))
    return [
      ...(isRemoved || goneWith(ref).length > 0 ? [] : [`${at}, whose rows are not removed one by one`]),
      ...(above.has(entity.name) ? [`${at}, which goes with ${entity.name} itself`] : []),
    ]
  })
}

/** References narrowed by a field that one of the two entities does not have, or whose choices are not offered by it. */
function withinProblems({ entity }: Resource, byName: ReadonlyMap<string, Resource>): string[] {
  return Object.entries(entity.properties).flatMap(([name, { ref, within: by }]) => {
    if (!ref || !by) return []
    const other = [...byName.values()].find(one => one.entity.name === ref)
    const lacking = [entity, other?.entity].filter(one => one && !one.properties[by]).map(one => one?.name)
    if (other && !other.search.includes(by)) lacking.push(`search of ${other.name}`)
    return lacking.map(where => `schemas: ${entity.name}.${name} is within «${by}», which ${where} does not have`)
  })
}

/** Codes of rows of an entity that there is not, or that are not found by the fields that are named. */
function codeProblems({ entity }: Resource, byName: ReadonlyMap<string, Resource>): string[] {
  return Object.entries(entity.properties).flatMap(([name, { codeOf }]) => {
    if (!codeOf) return []
    const { entity: named, by, within } = codeOf
    const other = [...byName.values()].find(one => one.entity.name === named && !one.view)
    const at = `schemas: ${entity.name}.${name} is a code of «${named}»`
    if (!other) return [`${at}, of which there is no list`]
    return [
      ...[by, within].filter(one => !other.search.includes(one)).map(one => `${at}, which is not searched by «${one}»`),
      ...(entity.properties[within] ? [] : [`${at} within «${within}», which ${entity.name} does not have`]),
    ]
  })
}

/** Entities that a resource's rows belong to: those its fields refer to, and those its scope goes through. */
const targetsOf = ({ entity, scope }: Resource): readonly (readonly [field: string, entity: string])[] => [
  ...Object.entries(entity.properties).flatMap(([name, { ref }]) => (ref ? [[name, ref] as const] : [])),
  ...waysOf(scope).flatMap(way => ('through' in way && way.to ? [[way.through, way.to] as const] : [])),
]

/** Whether a scope limits rows in some way of its own. */
const isLimiting = ({ scope }: Resource): boolean => waysOf(scope).some(way => !('wide' in way))

/** Entities whose rows are met by some and not by others: those a rule names, and whatever is met through them. */
function limitedEntities(resources: readonly Resource[]): ReadonlySet<string> {
  const rules = resources.flatMap(({ scope }) => waysOf(scope).flatMap(way => ('by' in way ? [way.of] : [])))
  return new Set([...rules, ...resources.filter(isLimiting).map(({ entity }) => entity.name)])
}

/** Rows that refer to what only some may meet must say who meets them; what a scope names must be there. */
function scopeProblems(
  resource: Resource,
  byEntity: ReadonlyMap<string, Resource>,
  limited: ReadonlySet<string>,
): string[] {
  const { name, entity, scope } = resource
  const at = `resources: ${name}`
  if (!scope) {
    const [field, target] = targetsOf(resource).find(([, to]) => limited.has(to) && to !== entity.name) ?? []
    if (!field) return limited.has(entity.name) ? [`${at}: has no scope, but rows of others are scoped by it`] : []
    return [`${at}: has no scope, but «${field}» refers to ${target}, whose rows are not met by everybody`]
  }
  return waysOf(scope).flatMap(way => {
    if ('wide' in way) return way.wide.trim() ? [] : [`${at}: scope is wide without a reason`]
    const field = 'by' in way ? way.field : way.through
    if (field !== 'id' && !entity.properties[field])
      return [`${at}: scope names «${field}», which ${entity.name} does not have`]
    if ('by' in way) return field === 'id' ? [] : wrongTarget(resource, field, way.of)
    const to = way.to ?? entity.properties[field]?.ref
    const other = to === undefined ? undefined : byEntity.get(to)
    if (!other) return [`${at}: scope goes through «${field}», which leads to no resource`]
    const key = way.key ?? 'id'
    return key === 'id' || other.entity.properties[key]
      ? []
      : [`${at}: scope looks for «${key}», which ${other.name} does not have`]
  })
}

/** Kinds whose values say who somebody is. */
const telling: readonly Kind[] = ['sealed', 'image', 'file']

/** What is wrong with how long something is kept. */
function periodProblems(at: string, keep: Keep | null | undefined): string[] {
  if (!keep) return []
  return [
    ...(Number.isInteger(keep.months) && keep.months > 0 ? [] : [`${at} is kept for ${keep.months} months`]),
    ...(keep.ground.trim() ? [] : [`${at} is kept without a ground`]),
  ]
}

/** Personal data of which nobody says what they are for and how long they are kept, and rows that lead to no person. */
function keepProblems(entity: Entity, entities: ReadonlyMap<string, Entity>): string[] {
  const at = `schemas: ${entity.name}`
  const { about, keep, purpose, personal } = entity
  const unkept = Object.entries(entity.properties).filter(
    ([, field]) => telling.includes(field.kind) && !field.keep && !keep,
  )
  const to = about && about !== 'id' ? entity.properties[about]?.ref : undefined
  const person = to === undefined ? undefined : entities.get(to)
  const isLost = about !== null && about !== 'id' && !person?.about
  return [
    ...unkept.map(([name, { kind }]) => `${at}.${name} is ${kind}, and nothing says how long it is kept (keep)`),
    ...(isLost ? [`${at} is about «${about}», which leads to nobody`] : []),
    ...(about !== null && !(keep && purpose?.trim()) ? [`${at} is about somebody without purpose and keep`] : []),
    ...personal
      .filter(name => !entity.properties[name])
      .map(name => `${at}: personal names «${name}», which is no field`),
    ...periodProblems(at, keep),
    ...Object.entries(entity.properties).flatMap(([name, field]) => periodProblems(`${at}.${name}`, field.keep)),
  ]
}

/** An owner must be told apart by a field, and what is read by owners must be said: rows and fields. */
function ownerProblems({ name, entity, owner, measured }: Resource): string[] {
  if (!owner) return []
  const at = `resources: ${name}`
  if (!owner.field || !owner.where || !owner.fields?.length)
    return [`${at}: owner does not say what its owner reads (field, where, fields)`]
  const names = [owner.field, ...Object.keys(owner.where), ...owner.fields.filter(one => !measured.includes(one))]
  return names
    .filter(one => !entity.properties[one])
    .map(one => `${at}: owner names «${one}», which ${entity.name} does not have`)
}

function wrongTarget({ name, entity }: Resource, field: string, of: string): string[] {
  return entity.properties[field]?.ref === of
    ? []
    : [`resources: ${name}: scope names «${field}», which does not refer to ${of}`]
}

/**
 * What types cannot see across definitions: names that exist nowhere, conditions that no row meets, and paths, calls and
 * permission codes used twice.
 * @param given the resources
 * @param givenViews further screens on their rows
 * @returns one sentence per problem, naming the definition and the field; empty when all is well
 */
export function check(given: readonly Resource[], givenViews: readonly View[] = []): string[] {
  const entityNamed = new Map(given.map(one => [one.entity.name as string, one.entity]))
  const stepped = <R extends Resource>(one: R): R => ({ ...one, steps: stepsOf(one, name => entityNamed.get(name)) })
  const [resources, views] = [given.map(stepped), givenViews.map(stepped)]
  const screens = [...resources, ...views]
  const byName = new Map(resources.map(one => [one.name as string, one]))
  const entities = new Map(resources.map(one => [one.entity.name as string, one.entity]))
  const byEntity = new Map(resources.map(one => [one.entity.name as string, one]))
  const limited = limitedEntities(resources)
  const twice = (what: string, values: readonly string[]) =>
    repeated(values).map(v => `resources: ${what} «${v}» is used twice`)
  return [
    ...twice(
      'name',
      screens.map(one => one.name),
    ),
    ...twice(
      'path',
      resources.map(one => one.path),
    ),
    ...twice(
      'screen',
      screens.flatMap(one => one.route ?? []),
    ),
    ...twice(
      'permission code',
      screens.flatMap(one => [one.code, ...permissionsOf(one).map(p => p.code)]),
    ),
    ...screens.flatMap(one => within(one, byName, entities)),
    ...views.flatMap(one => viewProblems(one, byName)),
    ...resources.flatMap(one => scopeProblems(one, byEntity, limited)),
    ...resources.flatMap(ownerProblems),
    ...[...entities.values()].flatMap(one => keepProblems(one, entities)),
  ]
}
