import type { CountedTodo } from '#engine'

/** Work of pages by hand; the server's modules count it. */
export const countedTodos = {
  examine: { label: '待初审', needs: 'examine_act', opens: '/examine/list?chip=fresh' },
  again: { label: '退回后重提的报名', needs: 'examine_act', opens: '/examine/list?chip=again' },
  review: { label: '待复审', needs: 'examine_recheck', opens: '/examine/review' },
  move: { label: '待审核的改报', needs: 'examine_act', opens: '/examine/move' },
  reduction: { label: '待确认的核减', needs: 'reduction_confirm', opens: '/reduction/post' },
  vacancy: { label: '可递补的空缺', needs: 'result_promote', opens: '/result/vacancy' },
  rooms: { label: '今日考场', needs: 'checkin_act', opens: '/ticket/checkin' },
  flowTodo: { label: '待办流程', needs: 'work_todo', opens: '/work/todo' },
  flowClaim: { label: '待签流程', needs: 'work_claim', opens: '/work/claim' },
  chains: { label: '与写入时不一致的日志', needs: 'auditlog', opens: '/log/audit' },
  presetRoles: { label: '缺少新版本权限的角色', needs: 'role_grant', opens: '/system/role' },
} as const satisfies Readonly<Record<string, CountedTodo>>

/** Which work it is. */
export type CountedTodoName = keyof typeof countedTodos
