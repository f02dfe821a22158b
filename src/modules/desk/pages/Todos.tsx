import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../platform/i18n/i18n.ts'
import type { Todo } from '../contract.ts'

/** What each kind of work is called, and where it is done. */
const places: Readonly<Record<string, readonly [title: string, to: string]>> = {
  examine: ['待审核', '/examine/list'],
  review: ['待复审', '/examine/review'],
  userAudit: ['待审核的注册', '/system/useraudit'],
  userUpdate: ['待审核的信息变更', '/system/userupdate'],
  idClaim: ['待审核的证件号认领', '/system/idclaim'],
  refund: ['待审批的退款', '/pay/refund'],
  oddOrder: ['异常订单', '/pay/order'],
  invoice: ['待开的票据', '/pay/record'],
  difference: ['有差异的对账', '/pay/reconciliation'],
  appeal: ['待处理的成绩复核', '/result/appeal'],
  sendPay: ['待确认的到账', '/send/pay'],
  flowTodo: ['待办流程', '/work/todo'],
  flowClaim: ['待签流程', '/work/claim'],
  alarm: ['近七日异常告警', '/log/audit'],
}

/** What waits for this person: a number each, leading to where it is done. */
export function Todos({ of }: { of: readonly Todo[] }): ReactNode {
  const t = useT()
  const known = of.filter(one => places[one.code])
  if (known.length === 0) return <p className="home-none">{t('没有等您处理的事')}</p>
  return (
    <ul className="home-todos">
      {known.map(({ code, num, query }) => {
        const [title, to] = places[code] as readonly [string, string]
        return (
          <li key={code}>
            <Link to={query ? `${to}?${new URLSearchParams(query)}` : to}>
              <strong>{num}</strong>
              <span>{t(title)}</span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
