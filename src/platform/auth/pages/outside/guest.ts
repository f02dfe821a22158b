/** What a guest fills in. */
export interface Guest {
  tenantId: string
  name: string
  account: string
  password: string
  password2: string
}

/** The first thing that is wrong with a guest's registration, in the order of the specification; undefined when nothing is. */
export function firstGap(guest: Guest): string | undefined {
  if (!guest.tenantId) return '请先输入租户编号'
  if (!guest.account) return '请先输入账号名称'
  if (!guest.password || !guest.password2) return '请先输入密码'
  return guest.password === guest.password2 ? undefined : '两次密码输入不一致'
}
