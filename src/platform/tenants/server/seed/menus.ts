import { type Action, permissionsOf, type Resource } from '#engine'
import { modules, resources } from '#resources'
import { menuPlaces } from '#resources/menu-places'
import { ButtonFunc, MenuCategory } from '#schemas/dictionaries'

/** Where a button stands: 1 above the table, 2 at a row, 3 both. */
type Place = 1 | 2 | 3

/** A menu or button as the definitions say it, by code. */
export interface SeedMenu {
  code: string
  name: string
  /** Code of the menu in whose branch it stands. */
  parent: string | null
  /** Code of the module, page or screen that it belongs to: what is granted with that. Null for modules and {@link isGroup groups}. */
  owner: string | null
  path: string | null
  source: string | null
  alias: string
  /** 1 menu, 2 button. */
  category: 1 | 2
  /** Where a button stands, a key of dictionary `button_func`; null for menus. */
  action: Place | null
}

/** The branch in which something stands that does not stand in that of its module. */
const placed = new Map(menuPlaces.flatMap(({ code, holds }) => holds.map(one => [one, code] as const)))

const groups = menuPlaces.flatMap(({ code, group }) => (group ? [{ code, ...group }] : []))
const groupCodes = new Set(groups.map(one => one.code))

/** Whether an entry only holds others: nobody is granted it, it is seen by whoever sees one of them. */
export const isGroup = (code: string): boolean => groupCodes.has(code)

const menu = (code: string, name: string, path: string, parent: string | null, source: string | null): SeedMenu => ({
  code,
  name,
  path,
  parent: placed.get(code) ?? parent,
  owner: parent,
  source,
  alias: code,
  category: MenuCategory.menu,
  action: null,
})

const button = (code: string, name: string, parent: string, action: Place): SeedMenu => ({
  code,
  name,
  parent,
  owner: parent,
  path: null,
  source: null,
  alias: code.slice(code.lastIndexOf('_') + 1),
  category: MenuCategory.button,
  action,
})

const aboveTable = new Set(['新增', '导出', '导入'])
const atBoth = new Set(['删除'])

function placeOf(resource: Resource, label: string): Place {
  if (aboveTable.has(label)) return ButtonFunc.toolbar
  if (atBoth.has(label)) return ButtonFunc.toolbarAndRow
  const actions = Object.values(resource.actions as Record<string, Action<unknown>>)
  const found = actions.find(action => action.label === label)
  return found && found.on !== undefined && found.on !== 'row' ? ButtonFunc.toolbar : ButtonFunc.row
}

/** The screen in whose rows those of a resource are met. @throws where there is none */
function holderOf({ name }: Resource): Resource {
  const found = resources.find(({ children }) => children.some(child => child.resource === name))
  if (!found) throw new Error(`${name} has no entry in the menu, and is no child of another resource.`)
  return found
}

function menusOfResource(resource: Resource, module: { code: string; path: string }): SeedMenu[] {
  const path = resource.route ?? `${module.path}/${resource.name}`
  const buttons = permissionsOf(resource).map(({ code, label }) =>
    button(code, label, resource.code, placeOf(resource, label)),
  )
  if (!resource.menu)
    return [button(resource.code, resource.title, holderOf(resource).code, ButtonFunc.row), ...buttons]
  return [menu(resource.code, resource.title, path, module.code, null), ...buttons]
}

/** Menus of the console: one branch per module, its pages and screens, their buttons. */
const consoleMenus: readonly SeedMenu[] = [
  menu('wel', '首页', '/wel/index', null, 'home'),
  menu('dashboard', '数据看板', '/wel/dashboard', null, 'dashboard'),
  ...modules.flatMap(module => [
    ...groups.filter(one => one.before === module.code).map(one => menu(one.code, one.title, one.path, null, one.icon)),
    menu(module.code, module.title, module.path, null, module.icon),
    ...module.views.flatMap(view => menusOfResource(view, module)),
    ...(module.pages ?? []).flatMap(page => [
      menu(page.code, page.title, page.path, module.code, null),
      ...(page.buttons ?? []).map(one => button(one.code, one.label, page.code, ButtonFunc.row)),
    ]),
    ...module.resources.flatMap(resource => menusOfResource(resource, module)),
  ]),
]

/** What a candidate sees. */
const candidateMenus: readonly SeedMenu[] = [
  menu('my_home', '首页', '/wel/index', null, 'home'),
  menu('my_exam', '考试报名', '/signup/examList', null, 'exam'),
  menu('my_signup', '我的报名', '/signup/mySignup', null, 'audit'),
  menu('my_pay', '缴费', '/signup/examPay', null, 'pay'),
  menu('my_ticket', '准考证', '/signup/ticket', null, 'ticket'),
  menu('my_score', '成绩', '/signup/score', null, 'result'),
  menu('my_notice', '通知', '/signup/notice', null, 'notice'),
  menu('my_info', '我的资料', '/info/index', null, 'user'),
]

/** Every menu and button, those above before those below. */
export const menus: readonly SeedMenu[] = [...consoleMenus, ...candidateMenus]

const byCode = new Map(menus.map(one => [one.code, one]))

const pathOf = (code: string): string[] => {
  const owner = byCode.get(code)?.owner
  return owner ? [...pathOf(owner), code] : [code]
}

/**
 * The codes that a role's grants mean, parents included.
 * @param grants words as described at the roles
 * @throws for a word that names nothing
 */
export function codesOf(grants: string): Set<string> {
  const found = new Set<string>()
  const below = (code: string) => menus.map(one => one.code).filter(one => pathOf(one).includes(code))
  for (const word of grants.split(' ').filter(Boolean)) {
    const code = word.replace(/^-|!$/g, '')
    if (code !== '*' && !byCode.has(code)) throw new Error(`No menu or button has the code «${code}».`)
    if (word === '*') for (const one of consoleMenus.filter(({ code }) => !isGroup(code))) found.add(one.code)
    else if (word.startsWith('-')) for (const one of below(code)) found.delete(one)
    else for (const one of [...pathOf(code), ...(word.endsWith('!') ? [] : below(code))]) found.add(one)
  }
  return found
}
