import { count, either, endpoint, group, id, integer, list, longText, optional, pick, sometimes, text } from '#engine'
import { DataScope } from '#schemas/system/data-scope'
import { Menu } from '#schemas/system/menu'
import { Post } from '#schemas/system/post'
import { Role } from '#schemas/system/role'
import { Topmenu } from '#schemas/system/topmenu'
import { menuShape, nodeShape } from '../../screens/contract.ts'

const ownMenu = { access: 'signed-in', beforePasswordChange: true } as const

/** The top menus that lead to something whoever asks may open. */
export const topMenus = endpoint('access.topMenus', 'GET /blade-system/menu/top-menu', {
  title: '菜单：本人的顶部菜单',
  ...ownMenu,
  answer: list(
    group({
      id: id('编号'),
      ...pick(Topmenu, 'code', 'name', 'source', 'sort').of,
      path: text('路由地址'),
      tenantId: text('租户'),
    }),
  ),
})

const seesMenus = ['menu', 'tenant_package', 'role_grant', 'topmenu', 'data_scope', 'api_scope'] as const

/** Menus without buttons as nodes of a picker. */
export const menuTree = endpoint('access.menuTree', 'GET /blade-system/menu/tree', {
  title: '菜单：树',
  access: seesMenus,
  values: { tenantId: optional(text('租户')) },
  answer: list(nodeShape),
})

/** Menus without buttons as rows in a tree. */
export const menuList = endpoint('access.menuList', 'GET /blade-system/menu/menu-list', {
  title: '菜单：列表',
  access: seesMenus,
  answer: list(menuShape),
})

/** One level of the menus without buttons. */
export const menuLevel = endpoint('access.menuLevel', 'GET /blade-system/menu/lazy-menu-list', {
  title: '菜单：下级',
  access: seesMenus,
  values: { parentId: optional(id('上级菜单')) },
  answer: list(menuShape),
})

/** Menus without buttons as flat choices, found by a part of the name or by ids. */
export const menuChoices = endpoint('access.menuChoices', 'GET /blade-system/menu/select', {
  title: '菜单：选项',
  access: 'staff',
  values: { keyword: optional(text('关键词')), ids: optional(text('编号')) },
  answer: list(group({ id: id('编号'), label: text('名称'), ...pick(Menu, 'name').of, parentId: id('上级菜单') })),
})

const moveOf = { code: text('菜单编号', { maxLength: 64 }), parentId: text('上级菜单', { maxLength: 20 }) }

/** Menus that stand elsewhere than in a new installation: where each stands, and where it would. */
export const menuMoves = endpoint('access.menuMoves', 'GET /blade-system/menu/tidy', {
  title: '菜单：整理预览',
  access: ['menu_tidy'],
  answer: list(group({ ...moveOf, name: text('菜单名称'), from: text('现在的位置'), to: text('整理后的位置') })),
})

/** Moves menus to where a new installation has them. */
export const tidyMenus = endpoint('access.tidyMenus', 'POST /blade-system/menu/tidy', {
  title: '菜单：整理',
  access: ['menu_tidy'],
  body: { moves: list(group(moveOf), { min: 1, max: 1000 }) },
  answer: group({ moved: count('移动的菜单数') }),
})

/** Trees of what may be given: menus with buttons, and scopes below their menus. */
const treesShape = group({ menu: list(nodeShape), dataScope: list(nodeShape), apiScope: list(nodeShape) })
const given = list(id('编号'))
/** Ids of what has been given. */
const keysOf = { menu: given, dataScope: given, apiScope: given }
const keysShape = group(keysOf)

/** What whoever asks may give to roles. */
export const grantTree = endpoint('access.grantTree', 'GET /blade-system/menu/grant-tree', {
  title: '角色：可授予的权限',
  access: ['role_grant'],
  answer: treesShape,
})

/** What roles have. */
export const roleGrants = endpoint('access.roleGrants', 'GET /blade-system/menu/role-tree-keys', {
  title: '角色：已授予的权限',
  access: ['role_grant'],
  values: { roleIds: text('角色') },
  /** `owed`: names of what a newer version gives them and nobody has decided on. */
  answer: group({ ...keysOf, owed: list(text('新版本增加的权限')) }),
})

/** Menus that top menus can lead to. */
export const topMenuTree = endpoint('access.topMenuTree', 'GET /blade-system/menu/grant-top-tree', {
  title: '顶部菜单：可配置的菜单',
  access: ['topmenu_setting'],
  answer: treesShape,
})

/** Menus that top menus lead to. */
export const topMenuGrants = endpoint('access.topMenuGrants', 'GET /blade-system/menu/top-tree-keys', {
  title: '顶部菜单：已配置的菜单',
  access: ['topmenu_setting'],
  values: { topMenuIds: text('顶部菜单') },
  answer: keysShape,
})

/** Ids in a list or, as some clients send them, in a text with commas. */
const idsShape = either(list(either(longText('编号'), integer('编号')), { max: 5000 }), longText('编号'))

/** Puts menus under top menus in place of those that are there. */
export const grantTopMenu = endpoint('access.grantTopMenu', 'POST /blade-system/topmenu/grant', {
  title: '顶部菜单：配置菜单',
  access: ['topmenu_setting'],
  openBody: true,
  body: { topMenuIds: idsShape, menuIds: sometimes(idsShape) },
})

/** Gives roles menus, buttons and scopes in place of those they have. */
export const grantRole = endpoint('access.grantRole', 'POST /blade-system/role/grant', {
  title: '角色：权限设置',
  access: ['role_grant'],
  openBody: true,
  body: {
    roleIds: idsShape,
    menuIds: sometimes(idsShape),
    dataScopeIds: sometimes(idsShape),
    apiScopeIds: sometimes(idsShape),
  },
})

/** All roles as nodes of a picker. */
export const roleTree = endpoint('access.roleTree', 'GET /blade-system/role/tree', {
  title: '角色：树',
  access: ['role', 'user'],
  answer: list(nodeShape),
})

/** Roles with those below them as nodes of a picker. */
export const roleBranches = endpoint('access.roleBranches', 'GET /blade-system/role/tree-by-id', {
  title: '角色：所选角色及其下级',
  access: ['role', 'user'],
  values: { roleId: text('角色') },
  answer: list(nodeShape),
})

/** The roles that whoever asks may give, or all of them; a candidate's own ones. */
export const roleChoices = endpoint('access.roleChoices', 'GET /blade-system/role/getRoleList', {
  title: '角色：选项',
  access: 'signed-in',
  values: { isAll: optional(text('是否全部')) },
  answer: list(group({ id: id('编号'), ...pick(Role, 'roleName', 'roleAlias', 'isBack').of })),
})

/** Lets the people of a role into the console, or no longer. */
export const setConsoleRole = endpoint('access.setConsoleRole', 'POST /blade-system/role/changeIsBack', {
  title: '角色：设置后台角色',
  access: ['role_back'],
  values: { id: id('编号'), status: integer('后台角色') },
})

/** Counts the rows that somebody would meet with a data scope, and without any. */
export const tryDataScope = endpoint('access.tryDataScope', 'POST /blade-system/data-scope/test', {
  title: '数据权限：试算',
  access: ['data_scope'],
  values: {
    ...pick(DataScope, 'scopeClass', 'scopeColumn', 'scopeValue').of,
    scopeType: integer('规则类型'),
    userId: id('用户'),
  },
  answer: group({ count: count('行数'), total: count('总行数') }),
})

/** Departments as nodes of a picker. */
export const deptTree = endpoint('access.deptTree', 'GET /blade-system/dept/tree', {
  title: '机构：树',
  access: 'staff',
  values: { tenantId: optional(text('租户')) },
  answer: list(nodeShape),
})

/** One level of the departments. */
export const deptLevel = endpoint('access.deptLevel', 'GET /blade-system/dept/lazy-tree', {
  title: '机构：下级',
  access: 'staff',
  values: { parentId: optional(id('上级机构')) },
  answer: list(nodeShape),
})

/** Posts as choices. */
export const postChoices = endpoint('access.postChoices', 'GET /blade-system/post/select', {
  title: '职务岗位：选项',
  access: 'staff',
  answer: list(group({ id: id('编号'), ...pick(Post, 'postName', 'postCode', 'category').of, label: text('名称') })),
})
