import { type Field, fieldOf, type Parameter, permissionsOf, transitionsOf } from '#engine'
import { dictionaries, entities } from '#schemas'
import { parameters } from '#schemas/parameters'
import { domainEvents } from './events.ts'
import { modules, resources, views } from './index.ts'
import { menuPlaces } from './menu-places.ts'
import { sheets } from './sheets.ts'
import { startSteps } from './start-list.ts'
import { countedTodos } from './todos.ts'
import { workspaces } from './workspaces.ts'

const isChinese = (text: unknown): text is string => typeof text === 'string' && /[\u4e00-\u9fff]/.test(text)

/** Every text that definitions give to people; each is the key of its translation. */
export function texts(): string[] {
  const found: unknown[] = []
  const field = (one: Field | undefined) => found.push(one?.title, one?.help, one?.purpose, one?.keep?.ground)
  for (const entity of entities) {
    found.push(entity.title, entity.purpose, entity.keep?.ground)
    for (const name of Object.keys(entity.properties)) field(fieldOf(entity, name))
  }
  for (const name of ['createUser', 'createDept', 'createTime', 'updateUser', 'updateTime'])
    field(fieldOf(entities[0]!, name))
  for (const one of [...resources, ...views]) {
    found.push(
      one.title,
      ...Object.keys(one.views),
      ...Object.values(one.todos).map(todo => todo.label),
      one.empty?.text,
      one.announce?.confirm,
      one.announce?.draft?.said,
      ...Object.keys(one.empty?.next ?? {}),
      ...one.form.map(group => group.title),
      ...one.children.map(child => child.label),
    )
    for (const worked of Object.values<Field>(one.derived)) field(worked)
    found.push(...permissionsOf(one).map(permission => permission.label))
    for (const action of Object.values(
      one.actions as Record<string, { label: string; confirm?: string; done?: string; ask?: object }>,
    )) {
      found.push(action.label, action.confirm, action.done)
      for (const asked of Object.values(action.ask ?? {})) field(asked as Field)
    }
    for (const { label, guard, reason, skipped } of Object.values(transitionsOf(one))) {
      found.push(label, guard, skipped)
      field(reason)
    }
  }
  for (const sheet of sheets) {
    found.push(sheet.title)
    for (const column of sheet.columns) field(column.field)
  }
  found.push(...menuPlaces.map(({ group }) => group?.title))
  for (const module of modules) {
    found.push(module.title)
    for (const page of module.pages ?? []) found.push(page.title, ...(page.buttons ?? []).map(button => button.label))
  }
  for (const one of Object.values<Parameter>(parameters)) {
    field(one.field)
    found.push(one.unit, ...Object.values(one.choices ?? {}))
  }
  for (const one of workspaces) {
    found.push(
      ...one.today.flatMap(line => [line.title, line.verb]),
      ...(one.trend?.numbers ?? []).map(({ title }) => title),
      one.deadline?.verb,
      one.header.line?.value.title,
      one.header.outside?.title,
      one.trend?.title,
    )
    for (const page of one.pages) found.push(page.tab, 'title' in page && page.title)
  }
  found.push(...[...domainEvents.values()].map(event => event.label))
  for (const step of startSteps) found.push(step.title, step.help)
  found.push(...Object.values(countedTodos).map(todo => todo.label))
  for (const one of dictionaries) found.push(one.title, ...Object.values(one.entries))
  return [...new Set(found.filter(isChinese))]
}
