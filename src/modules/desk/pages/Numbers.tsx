import { CheckCircleFilled, WarningFilled } from '@ant-design/icons'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import { yuan } from '../../../screens/fields/money.ts'
import { grouped } from '../../../screens/fields/number.ts'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import type { Figure, Sign } from '../contract.ts'
import '../../statistics/pages/sums.css'

const todays: Readonly<Record<string, readonly [title: string, text: (num: number) => string]>> = {
  submitted: ['今日提交报名', grouped],
  examined: ['今日审核', grouped],
  paid: ['今日缴费', grouped],
  income: ['今日收费（元）', yuan],
  registered: ['今日注册', grouped],
  sent: ['今日发送短信', grouped],
}

/** What has happened today. */
export function Today({ of }: { of: readonly Figure[] }): ReactNode {
  const t = useT()
  return (
    <dl className="sums">
      {of.map(({ code, num }) => {
        const [title, text] = todays[code] ?? [code, grouped]
        return (
          <div key={code}>
            <dt>{t(title)}</dt>
            <dd>{text(num)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

const signs: Readonly<Record<string, readonly [title: string, to: string]>> = {
  exports: ['排队的导出', '/exam/exporttask'],
  queued: ['排队的短信', '/send/list'],
  failed: ['24 小时内失败的短信', '/send/message?msgStatus=3'],
  balance: ['短信余额（条）', '/send/ledger'],
  differences: ['有差异的对账', '/pay/reconciliation?reconStatus=2'],
  errors: ['24 小时内的系统错误', '/log/error'],
  proxies: ['未受信任的代理地址（TRUST_PROXY）', ''],
  disk: ['磁盘剩余', ''],
}

function SignLine({ of: { code, num, isBad } }: { of: Sign }): ReactNode {
  const t = useT()
  const [title, to] = signs[code] ?? [code, '']
  const text = code === 'disk' ? `${num}%` : grouped(num)
  return (
    <li data-bad={isBad || undefined}>
      {isBad ? <WarningFilled aria-label={t('需要处理')} /> : <CheckCircleFilled aria-label={t('正常')} />}
      <MayLink to={to}>{t(title)}</MayLink>
      <strong>{text}</strong>
    </li>
  )
}

/** How the system does; what needs somebody says so by its sign and not by colour alone. */
export function Health({ of }: { of: readonly Sign[] }): ReactNode {
  return (
    <ul className="board-signs">
      {of.map(one => (
        <SignLine key={one.code} of={one} />
      ))}
    </ul>
  )
}
