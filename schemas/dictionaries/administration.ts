/** Dictionaries of people, rights and places. */
import { dictionary, wordDictionary } from '#engine'

export const yesNo = dictionary('yes_no', '是否', { no: [0, '否'], yes: [1, '是'] })

export const sex = dictionary('sex', '性别', { male: [1, '男'], female: [2, '女'], unknown: [3, '未知'] })
export const Sex = sex.names

export const menuCategory = dictionary('menu_category', '菜单类型', { menu: [1, '菜单'], button: [2, '按钮'] })
export const MenuCategory = menuCategory.names

export const buttonFunc = dictionary('button_func', '按钮功能', {
  toolbar: [1, '工具栏'],
  row: [2, '操作栏'],
  toolbarAndRow: [3, '工具操作栏'],
})
export const ButtonFunc = buttonFunc.names

export const orgCategory = dictionary('org_category', '机构类型', {
  company: [1, '公司'],
  department: [2, '部门'],
  team: [3, '小组'],
})
export const OrgCategory = orgCategory.names

export const postCategory = dictionary('post_category', '职务类型', {
  senior: [1, '高层'],
  middle: [2, '中层'],
  junior: [3, '基层'],
  other: [4, '其他'],
})
export const PostCategory = postCategory.names

export const regionLevel = dictionary('region_level', '区划级别', {
  country: [0, '国家'],
  province: [1, '省份/直辖市'],
  city: [2, '地市'],
  district: [3, '区县'],
  town: [4, '乡镇'],
  village: [5, '村委'],
})
export const RegionLevel = regionLevel.names

export const userType = dictionary('user_type', '用户平台', {
  staff: [1, '后台'],
  candidate: [2, '考生'],
  other: [3, '其他'],
})
export const UserType = userType.names

/** What somebody asks of the data that are kept about them. */
export const requestKind = dictionary('request_kind', '个人信息请求', {
  erase: [1, '删除信息'],
  correct: [2, '更正信息'],
  explain: [3, '解释说明'],
  relative: [4, '近亲属代为行使'],
})
export const RequestKind = requestKind.names

export const requestStatus = dictionary('request_status', '个人信息请求状态', {
  asked: [0, '待受理'],
  accepted: [1, '处理中'],
  refusing: [2, '拟拒绝待复核'],
  done: [3, '已办结'],
  refused: [4, '已拒绝'],
  withdrawn: [5, '已撤回'],
})
export const RequestStatus = requestStatus.names

export const purgeStatus = dictionary('purge_status', '资料清除状态', {
  draft: [0, '试算'],
  planned: [1, '已告知待确认'],
  running: [2, '清除中'],
  done: [3, '已清除'],
  cancelled: [4, '已取消'],
})
export const PurgeStatus = purgeStatus.names

/** What becomes of rows when the time is over for which they are kept. */
export const purgeDeed = wordDictionary('purge_deed', '到期处理', {
  erase: '删除',
  blank: '清除身份信息',
  stay: '依法保留',
})

export const holdStatus = dictionary('hold_status', '资料冻结状态', {
  held: [1, '冻结中'],
  released: [2, '已解除'],
})
export const HoldStatus = holdStatus.names

export const accountStatus = dictionary('account_status', '账号状态', {
  active: [1, '正常'],
  disabled: [2, '停用'],
  pending: [3, '待审核'],
  rejected: [4, '审核不通过'],
})
export const AccountStatus = accountStatus.names

export const viewAudience = dictionary('view_audience', '视图可见范围', {
  me: [0, '仅自己'],
  roles: [1, '指定角色'],
  everyone: [2, '所有人'],
})
export const ViewAudience = viewAudience.names

export const auditStatus = dictionary('audit_status', '审核状态', {
  pending: [0, '待审核'],
  approved: [1, '通过'],
  rejected: [2, '驳回'],
})
export const AuditStatus = auditStatus.names

export const enableStatus = dictionary('enable_status', '启停', { disabled: [0, '停用'], enabled: [1, '启用'] })
export const EnableStatus = enableStatus.names

export const releaseStatus = dictionary('release_status', '发布状态', {
  draft: [0, '未发布'],
  released: [1, '已发布'],
  recalled: [2, '已撤回'],
})
export const ReleaseStatus = releaseStatus.names

export const tenantStatus = dictionary('tenant_status', '租户状态', { active: [1, '正常'], recycled: [2, '回收站'] })
export const TenantStatus = tenantStatus.names

export const dataScopeType = dictionary('data_scope_type', '数据权限', {
  all: [1, '全部可见'],
  own: [2, '本人可见'],
  department: [3, '所在机构可见'],
  departmentAndBelow: [4, '所在机构及子级可见'],
  custom: [5, '自定义'],
})
export const DataScopeType = dataScopeType.names

export const apiScopeType = dictionary('api_scope_type', '接口权限', {
  system: [1, '系统接口'],
  business: [2, '业务接口'],
})
