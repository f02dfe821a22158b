/** Dictionaries of people, rights and places. */
import { dictionary } from '#engine'

export const yesNo = dictionary('yes_no', '是否', { 0: '否', 1: '是' })

export const sex = dictionary('sex', '性别', { 1: '男', 2: '女', 3: '未知' })

export const menuCategory = dictionary('menu_category', '菜单类型', { 1: '菜单', 2: '按钮' })

export const buttonFunc = dictionary('button_func', '按钮功能', { 1: '工具栏', 2: '操作栏', 3: '工具操作栏' })

export const orgCategory = dictionary('org_category', '机构类型', { 1: '公司', 2: '部门', 3: '小组' })

export const postCategory = dictionary('post_category', '职务类型', { 1: '高层', 2: '中层', 3: '基层', 4: '其他' })

export const regionLevel = dictionary('region_level', '区划级别', {
  0: '国家',
  1: '省份/直辖市',
  2: '地市',
  3: '区县',
  4: '乡镇',
  5: '村委',
})

export const userType = dictionary('user_type', '用户平台', { 1: '后台', 2: '考生', 3: '其他' })

export const accountStatus = dictionary('account_status', '账号状态', {
  1: '正常',
  2: '停用',
  3: '待审核',
  4: '审核不通过',
})

export const auditStatus = dictionary('audit_status', '审核状态', { 0: '待审核', 1: '通过', 2: '驳回' })

export const enableStatus = dictionary('enable_status', '启停', { 0: '停用', 1: '启用' })

export const releaseStatus = dictionary('release_status', '发布状态', { 0: '未发布', 1: '已发布', 2: '已撤回' })

export const tenantStatus = dictionary('tenant_status', '租户状态', { 1: '正常', 2: '回收站' })

export const dataScopeType = dictionary('data_scope_type', '数据权限', {
  1: '全部可见',
  2: '本人可见',
  3: '所在机构可见',
  4: '所在机构及子级可见',
  5: '自定义',
})

export const apiScopeType = dictionary('api_scope_type', '接口权限', { 1: '系统接口', 2: '业务接口' })
